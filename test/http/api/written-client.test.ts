/** The client that `hearth types` writes, against a server with the routes of its user. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../../build/docs/write-api-docs.ts";
import { writeClient, type Description } from "../../../server/cli/types/write-client.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { userFiles } from "../../support/app/user-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { typeErrors } from "../../support/type-errors.ts";

interface Request {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
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
];

const use = `
import type { HearthAnswer, HearthClient } from "./client.js";
type Is<Given, Wanted> = (<T>() => T extends Given ? 1 : 2) extends <T>() => T extends Wanted ? 1 : 2 ? true : false;
type BodyOf<Name extends keyof HearthClient> = Awaited<ReturnType<HearthClient[Name]>> extends HearthAnswer<infer Body> ? Body : never;

export const bodies: [
  Is<BodyOf<"getNone">, undefined>,
  Is<BodyOf<"getNoneOfJson">, undefined>,
] = [true, true];
`;

let app: TestApp;
let written: Written;
const project = temporaryFolder();
const docs = temporaryFolder();
beforeAll(async () => {
  await writeApiDocs(docs.path);
  app = await startTestApp({ apiDocs: { folder: docs.path } });
  const files = userFiles(app);
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
  ])("reads the answer of %s by its media type", async (name, body) => {
    expect(await bodyOf(name)).toEqual(body);
  });

  it("throws a refusal without a body, too", async () => {
    await expect(bodyOf("getRefused")).rejects.toMatchObject({ name: "HearthRefusal", status: 409, body: undefined });
  });

  it("has types that say what it sends and reads", () => {
    expect(typeErrors(join(project.path, "use.ts"))).toEqual([]);
  });
});
