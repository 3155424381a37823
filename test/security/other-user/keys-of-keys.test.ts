/** Who was given a key with the scope `control` makes ways in of his own: they end with that key. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LoginCode } from "../../../server/contract/console/console-logins.ts";
import type { CreatedKey } from "../../../server/contract/console/key-endpoints.ts";
import { openKeyFile, MakerGoneError } from "../../../server/process/keys/key-file.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { runCommand } from "../../support/process/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

type Headers = Record<string, string>;
const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function addKey(by: Headers): Promise<CreatedKey> {
  const made = await app.post(`${app.consoleUrl}/console/api/keys`, { name: "k", scopes: ["control"] }, by);
  expect(made.status).toBe(201);
  return (await made.json()) as CreatedKey;
}
async function addCode(by: Headers): Promise<string> {
  const made = await app.post(`${app.consoleUrl}/console/api/login-codes`, undefined, by);
  return ((await made.json()) as LoginCode).code;
}
const logIn = (code: string) => app.post(`${app.consoleUrl}/console/api/logins`, { code });
const cookieOf = (response: Response): Headers => ({ Cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" });
const statusWith = async (headers: Headers) =>
  (await fetch(`${app.consoleUrl}/console/api/overview`, { headers })).status;
const remove = (id: string) =>
  fetch(`${app.url}/console/api/keys/${id}`, { method: "DELETE", headers: bearer(consoleToken) });

it("the keys that a key has made are removed with it, and those that these have made", async () => {
  const first = await addKey(bearer(consoleToken));
  const second = await addKey(bearer(first.secret));
  const third = await addKey(bearer(second.secret));
  const other = await addKey(bearer(consoleToken));
  expect([second.key.made_by, third.key.made_by]).toEqual([first.key.id, second.key.id]);
  expect(await statusWith(bearer(third.secret))).toBe(200);
  expect((await remove(first.key.id)).status).toBe(204);
  for (const { secret } of [first, second, third]) expect(await statusWith(bearer(secret))).toBe(401);
  expect(await statusWith(bearer(other.secret))).toBe(200);
});

it("a code that a key has made lets nobody in once that is removed; one of the console's token does", async () => {
  const { key, secret } = await addKey(bearer(consoleToken));
  const codes = [await addCode(bearer(secret)), await addCode(bearer(secret))];
  const own = await addCode(bearer(consoleToken));
  expect((await logIn(codes[0] ?? "")).status).toBe(204);
  await remove(key.id);
  expect((await logIn(codes[1] ?? "")).status).toBe(403);
  expect((await logIn(own)).status).toBe(204);
});

it("a browser that came in by a key's code is out once that is removed, with the keys that it has made", async () => {
  const { key, secret } = await addKey(bearer(consoleToken));
  const byBody = cookieOf(await logIn(await addCode(bearer(secret))));
  const address = `${app.consoleUrl}/console/?code=${await addCode(bearer(secret))}`;
  const byAddress = cookieOf(await fetch(address, { redirect: "manual" }));
  const own = cookieOf(await logIn(await addCode(bearer(consoleToken))));
  const made = await addKey(byBody);
  expect(made.key.made_by).toBe(key.id);
  // A code of such a browser is the key's, too.
  const later = cookieOf(await logIn(await addCode(byAddress)));
  for (const cookie of [byBody, byAddress, later, own]) expect(await statusWith(cookie)).toBe(200);
  await remove(key.id);
  for (const cookie of [byBody, byAddress, later]) expect(await statusWith(cookie)).toBe(401);
  expect(await statusWith(bearer(made.secret))).toBe(401);
  expect(await statusWith(own)).toBe(200);
});

it("a key that has been removed makes no other, though it was let in before", async () => {
  using folder = temporaryFolder();
  const file = openKeyFile(folder.path);
  const wanted = { name: "k", scopes: ["control" as const], limits: {} };
  const { key } = await file.add(wanted);
  expect(await file.remove(key.id)).toHaveLength(1);
  await expect(file.add(wanted, key.id)).rejects.toBeInstanceOf(MakerGoneError);
  expect(file.list()).toEqual([]);
});

it("hearth keys names what a key was made with, and says how many go with one that it removes", async () => {
  using folder = temporaryFolder();
  const file = openKeyFile(folder.path);
  const wanted = { name: "k", scopes: ["control" as const], limits: {} };
  const { key } = await file.add(wanted);
  const { key: made } = await file.add(wanted, key.id);
  await file.add(wanted, made.id);
  const keys = (...args: string[]) => runCommand(["keys", ...args, "--data-dir", folder.path]);
  expect((await keys()).stdout).toContain(`created by ${key.id}`);
  const removed = await keys("remove", key.id);
  expect(removed).toMatchObject({ code: 0, stderr: "also removed 2 keys that this key created\n" });
  expect(file.list()).toEqual([]);
});
