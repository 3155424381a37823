import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreatedKey } from "../../../server/contract/console/key-endpoints.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { startRulesService } from "../../support/model/model-service.ts";
import { recordedLog } from "../../support/quiet-log.ts";

const authorized = { Authorization: `Bearer ${consoleToken}` };
const elsewhere = { "X-Forwarded-For": "203.0.113.9" };
const { lines, log } = recordedLog();

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ log });
});
afterAll(() => app[Symbol.asyncDispose]());

const add = async (wanted: object): Promise<CreatedKey> => {
  const made = await app.post(
    `${app.url}/console/api/keys`,
    { name: "ci", scopes: ["control"], ...wanted },
    authorized,
  );
  expect(made.status).toBe(201);
  return (await made.json()) as CreatedKey;
};
const remove = (id: string) =>
  fetch(`${app.url}/console/api/keys/${id}`, { method: "DELETE", headers: authorized }).then(({ status }) => status);
const sim = (secret: string) =>
  fetch(`${app.provider.url}/sim/users`, { headers: { ...elsewhere, Authorization: `Bearer ${secret}` } });
const overview = (secret: string) =>
  fetch(`${app.url}/console/api/overview`, { headers: { Authorization: `Bearer ${secret}` } });
const refusalOf = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code];

describe("a key with the scope control", () => {
  it("may what the console's token may, at once and until it is removed, at every service", async () => {
    const { key, secret } = await add({});
    expect([(await overview(secret)).status, (await sim(secret)).status]).toEqual([200, 200]);
    expect(await remove(key.id)).toBe(204);
    expect(await refusalOf(await overview(secret))).toEqual([401, "key_unknown"]);
    expect(await refusalOf(await sim(secret))).toEqual([401, "key_unknown"]);
    expect(await remove(key.id)).toBe(404);
  });

  it("is needed: another scope is refused 403", async () => {
    const { secret } = await add({ scopes: ["model:use", "metrics:read"] });
    expect(await refusalOf(await overview(secret))).toEqual([403, "key_scope"]);
    expect(await refusalOf(await sim(secret))).toEqual([403, "key_scope"]);
  });

  it("is refused 401 from its expiry on", async () => {
    const { secret } = await add({ expires_at: new Date(Date.now() - 1_000).toISOString() });
    expect(await refusalOf(await overview(secret))).toEqual([401, "key_expired"]);
  });

  it("may send so many requests a minute, then is 429 with Retry-After", async () => {
    const { secret } = await add({ limits: { requests_per_minute: 2 } });
    // A minute may end in between, once.
    const replies = [];
    for (let sent = 0; sent < 5; sent++) replies.push(await overview(secret));
    const refused = replies.find(({ status }) => status === 429);
    if (!refused) throw new Error("none is refused");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refusalOf(refused)).toEqual([429, "key_requests_per_minute"]);
  });

  it("may have so many requests at a time", async () => {
    const { secret } = await add({ limits: { concurrent_requests: 1 } });
    const headers = { Authorization: `Bearer ${secret}` };
    const stream = await fetch(`${app.url}/console/api/events/stream`, { headers });
    expect(await refusalOf(await overview(secret))).toEqual([429, "key_concurrent_requests"]);
    await stream.body?.cancel();
    await expect.poll(async () => (await overview(secret)).status).toBe(200);
  });
});

it("a key is shown once: no list, file, recorded request or log line has it", async () => {
  const { secret } = await add({ name: "shown once" });
  await sim(secret);
  await overview(secret);
  const file = join(app.folder, "keys.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const listed = await (await fetch(`${app.url}/console/api/keys`, { headers: authorized })).text();
  expect(listed).toContain("shown once");
  const recorded = async () =>
    (await fetch(`${app.url}/console/api/requests?service=provider&path=/sim/users`, { headers: authorized })).text();
  await expect.poll(recorded).toContain("/sim/users");
  const list = JSON.parse(await recorded()) as { requests: { id: number }[] };
  const details = await Promise.all(
    list.requests.map(async ({ id }) =>
      (await fetch(`${app.url}/console/api/requests/${String(id)}`, { headers: authorized })).text(),
    ),
  );
  for (const text of [readFileSync(file, "utf8"), listed, ...details, ...lines.map((line) => JSON.stringify(line))])
    expect(text).not.toContain(secret);
});

it("the console goes on to reach models for whoever has the token, from other machines, too", async () => {
  await using model = await startRulesService({}, { isToken: (given) => given === consoleToken });
  app.addresses.model = model.url;
  await model.keys.add({ name: "k", scopes: ["model:use"], limits: {} });
  expect((await model.get("/api/tags", { headers: elsewhere })).status).toBe(401);
  for (const headers of [authorized, { ...authorized, ...elsewhere }])
    expect((await fetch(`${app.url}/console/api/model/api/tags`, { headers })).status).toBe(200);
});

it("a wrong key and a wrong token are both refused 401", async () => {
  expect(await refusalOf(await sim(`hearth_${"x".repeat(43)}`))).toEqual([401, "key_unknown"]);
  expect(await refusalOf(await sim("another-token"))).toEqual([401, "console_token_required"]);
});

it("a console token that begins as a key does is the console's token at every service", async () => {
  const token = `hearth_${"t".repeat(43)}`;
  await using other = await startTestApp({ token });
  const headers = { Authorization: `Bearer ${token}`, ...elsewhere };
  for (const address of [`${other.url}/console/api/overview`, `${other.provider.url}/sim/users`])
    expect((await fetch(address, { headers })).status).toBe(200);
});
