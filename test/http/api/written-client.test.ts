/** The client that `hearth types` writes, against a server with the routes and collections of its user. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../../build/docs/write-api-docs.ts";
import { writeClient, type Description } from "../../../server/cli/types/write-client.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { itemSchema, userFiles } from "../../support/app/user-files.ts";
import { pngBytes } from "../../support/files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { typeErrors } from "../../support/type-errors.ts";

interface Request {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
}
type Client = Readonly<Record<string, (request?: Request) => Promise<{ readonly body: unknown }>>>;
interface Written {
  createHearthClient(options: { baseUrl: string; token?: string | (() => string) }): Client;
}

const ofType = (type: string) => ({ "Content-Type": type });
const routes = [
  { path: "/none" },
  { path: "/none-of-json", headers: ofType("application/json") },
  { path: "/refused", status: 409, headers: ofType("application/problem+json") },
  { path: "/hal", body: { a: 1 }, headers: ofType("application/hal+json") },
  { path: "/upper", body: { a: 1 }, headers: ofType("Application/JSON") },
  { path: "/text-json", body: { a: 1 }, headers: ofType("text/json; charset=utf-8") },
  { path: "/raw-json", body: '{"a":1}', headers: ofType("application/json") },
  { path: "/sequence", body: "{}", headers: ofType("application/json-seq") },
  { path: "/lines", body: "{}", headers: ofType("application/x-ndjson") },
  { path: "/page", body: "<p>", headers: ofType("TEXT/html") },
];

const use = `
import type { HearthAnswer, HearthClient } from "./client.js";
type Is<Given, Wanted> = (<T>() => T extends Given ? 1 : 2) extends <T>() => T extends Wanted ? 1 : 2 ? true : false;
type BodyOf<Name extends keyof HearthClient> = Awaited<ReturnType<HearthClient[Name]>> extends HearthAnswer<infer Body> ? Body : never;

export const bodies: [
  Is<BodyOf<"getNone">, undefined>,
  Is<BodyOf<"getNoneOfJson">, undefined>,
  Is<BodyOf<"getHal">, unknown>,
  Is<BodyOf<"getUpper">, unknown>,
  Is<BodyOf<"getTextJson">, unknown>,
  Is<BodyOf<"getRawJson">, unknown>,
  Is<BodyOf<"getSequence">, Blob>,
  Is<BodyOf<"getLines">, Blob>,
  Is<BodyOf<"getPage">, string>,
  Is<BodyOf<"getUploadContent">, Blob>,
] = [true, true, true, true, true, true, true, true, true, true];

export const uploads = (hearth: HearthClient, file: File, blob: Blob) => [
  hearth.createUpload({ body: { "[]": file } }),
  hearth.createAvatar({ body: { Avatar: file } }),
  // @ts-expect-error -- it has no name, and so no extension
  hearth.createUpload({ body: { "[]": blob } }),
  // @ts-expect-error
  hearth.createAvatar({ body: { Avatar: blob } }),
  hearth.createKey({ body: { text: "AAEC" } }),
];

export const guests = (hearth: HearthClient) => [
  hearth.getGuest({ params: { id: "a/b" } }),
  hearth.createGuest({ body: { name: "without an id" } }),
  // @ts-expect-error
  hearth.getGuest({ params: { id: 1 } }),
];
`;

let app: TestApp;
let written: Written;
const project = temporaryFolder();
const docs = temporaryFolder();
beforeAll(async () => {
  await writeApiDocs(docs.path);
  app = await startTestApp({ apiDocs: { folder: docs.path } });
  const files = userFiles(app);
  await files.load("keys", itemSchema({ text: { type: "string", format: "binary" } }));
  await files.load("guests", itemSchema({ name: { type: "string" } }, { hearth: { id: "string" } }));
  await files.loadRoutes({ routes });
  const description = (await (await fetch(`${app.url}/swagger/docs/v1`)).json()) as Description;
  const { code, types } = writeClient(description);
  const texts = { "client.js": code, "client.d.ts": types, "use.ts": use, "package.json": '{"type":"module"}' };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(project.path, name), text);
  written = (await import(pathToFileURL(join(project.path, "client.js")).href)) as Written;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  for (const folder of [project, docs]) folder[Symbol.dispose]();
});

async function bodyOf(name: string, request: Request = {}, token?: string | (() => string)): Promise<unknown> {
  const client = written.createHearthClient({ baseUrl: app.url, ...(token !== undefined && { token }) });
  return (await client[name]?.(request))?.body;
}

describe("the written client", () => {
  it.each(["Authorization", "X-Access-Token"])(
    "leaves the caller's own %s as it is, and asks for no token then",
    async (name) => {
      const { access_token } = await app.login("own");
      const own = { [name]: name === "Authorization" ? `Bearer ${access_token}` : access_token };
      const asked: string[] = [];
      const token = () => {
        asked.push("token");
        return "worthless";
      };
      expect(await bodyOf("getCurrentSession", { headers: own }, token)).toMatchObject({ status: { access_token } });
      expect(asked).toEqual([]);
      const left = { [name]: undefined };
      await expect(bodyOf("getCurrentSession", { headers: left }, token)).rejects.toMatchObject({ status: 401 });
      expect(asked).toEqual(["token"]);
    },
  );

  it("sends a JSON body under the caller's own Content-Type", async () => {
    const headers = { "Content-Type": "text/csv" };
    await expect(bodyOf("createSession", { headers, body: { code: "x" } })).rejects.toMatchObject({ status: 415 });
  });

  it.each([
    ["getNone", undefined],
    ["getNoneOfJson", undefined],
    ["getHal", { a: 1 }],
    ["getUpper", { a: 1 }],
    ["getTextJson", { a: 1 }],
    ["getRawJson", { a: 1 }],
    ["getSequence", expect.any(Blob)],
    ["getLines", expect.any(Blob)],
    ["getPage", "<p>"],
  ])("reads the answer of %s by its media type", async (name, body) => {
    expect(await bodyOf(name)).toEqual(body);
  });

  it("throws a refusal without a body, too", async () => {
    await expect(bodyOf("getRefused")).rejects.toMatchObject({ name: "HearthRefusal", status: 409, body: undefined });
  });

  it("reads an item whose id is a text, percent-encoded in its path", async () => {
    const token = (await app.loggedIn("reader"))["Authorization"]?.replace("Bearer ", "");
    await bodyOf("createGuest", { body: { id: "a/b %", name: "A" } }, token);
    expect(await bodyOf("getGuest", { params: { id: "a/b %" } }, token)).toMatchObject({
      data: { id: "a/b %", name: "A" },
    });
  });

  it("uploads a file by its name", async () => {
    const { Authorization = "" } = await app.loggedIn("uploader");
    const body = { "[]": new File([pngBytes(2, 2)], "cup.png") };
    const uploaded = await bodyOf("createUpload", { body }, Authorization.replace("Bearer ", ""));
    expect(uploaded).toMatchObject({ success: true });
  });

  it("has types that say what it sends and reads", () => {
    expect(typeErrors(join(project.path, "use.ts"))).toEqual([]);
  });
});
