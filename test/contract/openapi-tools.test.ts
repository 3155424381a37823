/** Third-party tools on the descriptions, unmodified: a validator, and a generator with a program that uses its types. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../build/docs/write-api-docs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { bookSchema } from "../support/app/user-collections.ts";
import { userFiles } from "../support/app/user-files.ts";

const run = promisify(execFile);
const tools = join(import.meta.dirname, "../clients/node_modules");
const tool = (script: string, ...args: string[]) =>
  run(process.execPath, [join(tools, script), ...args], {
    cwd: work.path,
    // The validator would otherwise report its use to its makers, and look for a newer one.
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" },
  });

const work = temporaryFolder();
const folder = join(work.path, "dist", "api-docs");
const apps: TestApp[] = [];
const start = async (options: Parameters<typeof startTestApp>[0] = {}) => {
  const app = await startTestApp({ ...options, apiDocs: { folder } });
  apps.push(app);
  return app;
};
beforeAll(async () => {
  expect(existsSync(tools), "the tools are missing: run `npm test`, or npm ci in test/clients").toBe(true);
  await writeApiDocs(folder);
});
afterAll(async () => {
  for (const app of apps) await app[Symbol.asyncDispose]();
  work[Symbol.dispose]();
});

/** Problems that the validator finds, errors and warnings alike. */
async function problemsOf(file: string): Promise<string[]> {
  const { stdout } = await tool("@redocly/cli/bin/cli.js", "lint", file, "--format=json").catch(
    (failure: { stdout: string }) => failure,
  );
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer: string }[] }[];
  };
  const found = problems.map(({ ruleId, message, location }) => `${location[0]?.pointer ?? ""}: ${ruleId} ${message}`);
  // An avatar upload, by the spec, and a form of the payment page answer with a redirect, and no 2xx.
  const expected = /^#\/paths\/(?:~1api~1avatars|~1sim~1pay~1\{prepay_id\})\/post\/responses: operation-2xx-response /;
  return found.filter((one) => !expected.test(one));
}

async function save(name: string, url: string): Promise<string> {
  const file = join(work.path, name);
  await writeFile(file, await (await fetch(url, { headers: { Authorization: `Bearer ${consoleToken}` } })).text());
  return file;
}

describe("@redocly/cli lint", () => {
  it.each([
    ["the description", {}, "/swagger/docs/v1", "v1.json"],
    ["the description as YAML", {}, "/swagger/docs/v1?format=yaml", "v1.yaml"],
    [
      "the description with HTTP Basic and indexes",
      { basic_auth: true, enum_as_text: false },
      "/swagger/docs/v1",
      "all.json",
    ],
    ["the description of the console's API", {}, "/console/api/openapi.json", "console.json"],
    ["the description of the simulator's control routes", {}, "/sim/openapi.json", "sim.json"],
  ] as const)("finds no fault with %s", async (_what, settings, path, name) => {
    const app = await start({ settings });
    const { url } = path.startsWith("/sim/") ? app.provider : app;
    expect(await problemsOf(await save(name, url + path))).toEqual([]);
  });

  it("finds no fault with what users define, and neither does the generator", async () => {
    const app = await start();
    await userFiles(app).load("books", bookSchema);
    // No simple text fits it: there is no example then, in the place of one without a required member.
    const code = { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" };
    await userFiles(app).load("parts", { type: "object", properties: { code }, required: ["code"] });
    await userFiles(app).loadRoutes({ routes: [{ path: "/api/weather/{city}", body: { sky: "clear" } }] });
    const file = await save("users.json", `${app.url}/swagger/docs/v1`);
    expect(await problemsOf(file)).toEqual([]);
    await tool("openapi-typescript/bin/cli.js", file, "--output", join(work.path, "users.d.ts"));
    const types = await readFile(join(work.path, "users.d.ts"), "utf8");
    for (const one of ["Book: {", "BookInput: {", '"/api/weather/{city}"']) expect(types).toContain(one);
  });
});

describe("openapi-typescript", () => {
  it("generates types by which a program compiles that then works against the server", async () => {
    const app = await start();
    const description = await save("generate.json", `${app.url}/swagger/docs/v1`);
    await tool("openapi-typescript/bin/cli.js", description, "--output", join(work.path, "api.d.ts"));
    expect(await readFile(join(work.path, "api.d.ts"), "utf8")).toContain("export interface operations");
    await writeFile(join(work.path, "consumer.ts"), consumer);
    await writeFile(join(work.path, "package.json"), '{"type":"module"}');
    await tool("typescript/bin/tsc", ...strict, "consumer.ts", "api.d.ts").catch((failure: { stdout: string }) => {
      throw new Error(failure.stdout);
    });
    const { Authorization = "" } = await app.loggedIn();
    const { stdout } = await run(process.execPath, [join(work.path, "consumer.ts"), app.url, Authorization]);
    expect(stdout.trim()).toBe("1 of 1: Typed");
  });

  it("generates types for the console's API, too", async () => {
    const app = await start();
    const description = await save("console-generate.json", `${app.url}/console/api/openapi.json`);
    await tool("openapi-typescript/bin/cli.js", description, "--output", join(work.path, "console.d.ts"));
    expect(await readFile(join(work.path, "console.d.ts"), "utf8")).toContain('"/console/api/overview"');
  });
});

const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2024", "--module", "nodenext"];

/** Uses the generated types in the ways that clients do; the misuses prove that they say something. */
const consumer = `
import type { components, operations, paths } from "./api.d.ts";

declare const process: { argv: string[] };
const [, , url = "", authorization = ""] = process.argv;
const headers = { Authorization: authorization, "Content-Type": "application/json" };

type Created = paths["/api/articles"]["post"]["responses"][201]["content"]["application/json"];
type Listed = operations["listArticles"]["responses"][200]["content"]["application/json"];
type Refused = components["schemas"]["Error"];

// What has a default is left out of a request, and is there in every answer.
const article: components["schemas"]["ArticleInput"] = { title: "Typed" };
const order: paths["/api/orders"]["post"]["requestBody"]["content"]["application/json"] = { description: "Tea", amount: 1 };
const isPrivate = (answered: Created): boolean => answered.data.private;
// @ts-expect-error the title is required
const untitled: components["schemas"]["ArticleInput"] = {};
const event: operations["createFileEvent"]["requestBody"]["content"]["application/x-www-form-urlencoded"] = {
  df: "/a",
  // @ts-expect-error not one of the five changes
  ev: "renamed",
};
const query: NonNullable<operations["listArticles"]["parameters"]["query"]> = { page: 1, page_size: 100, sort: "-id" };
void [untitled, event, order, isPrivate];

const created = await fetch(url + "/api/articles", { method: "POST", headers, body: JSON.stringify(article) });
if (created.status !== 201) throw new Error(((await created.json()) as Refused).Message);
const { data, status } = (await created.json()) as Created;
const token: string = status.access_token;
if (!authorization.endsWith(token)) throw new Error("not my session");
const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
const listed = (await (await fetch(url + "/api/articles?" + search, { headers })).json()) as Listed;
console.log(listed.data.findIndex(({ id }) => id === data.id) + 1, "of", listed.data.length + ":", data.title);
`;
