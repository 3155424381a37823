import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { writeApiDocs } from "../../../build/docs/write-api-docs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

const files = temporaryFolder();
const folder = join(files.path, "dist", "api-docs");
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ apiDocs: { folder } });
});
beforeEach(() => writeApiDocs(folder));
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  files[Symbol.dispose]();
});

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; schema: Record<string, unknown> }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown>; $ref?: string } }> };
  security?: unknown[];
}
interface Description {
  openapi: string;
  info: { version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, unknown> };
}

const describedAt = "/swagger/docs/v1";
const get = (path: string, headers: Record<string, string> = {}, url = app.url) => fetch(`${url}${path}`, { headers });
const read = async (url = app.url): Promise<Description> =>
  (await (await get(describedAt, {}, url)).json()) as Description;
const operations = (description: Description) =>
  Object.values(description.paths).flatMap((path) => Object.values(path));

describe("the machine-readable description", () => {
  it("names no header of a request that a page may not send", async () => {
    const described = operations(await read()).flatMap(({ parameters = [] }) =>
      parameters.filter((one) => one.in === "header").map(({ name }) => name),
    );
    expect(described).toContain("X-Event-Id");
    const headers = { Origin: "http://localhost:1", "Access-Control-Request-Method": "POST" };
    const preflight = await fetch(`${app.url}/api/inotify`, { method: "OPTIONS", headers });
    const sendable = preflight.headers.get("access-control-allow-headers")?.split(", ");
    expect(sendable).toEqual(expect.arrayContaining(described));
  });

  const ofOneAnswer = ["date", "x-request-id", "traceparent", "connection", "keep-alive"];
  it("describes every operation in OpenAPI 3.1", async () => {
    const response = await get(describedAt);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const { openapi, info, paths } = (await response.json()) as Description;
    expect([openapi, info.version]).toEqual(["3.1.0", "v1 (0.0.0-test)"]);
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        "/api/sessions",
        "/api/userinfos",
        "/api/phonenumbers",
        "/api/articles",
        "/api/articles/{id}",
        "/api/uploads",
        "/api/avatars",
        "/api/inotify",
        "/avatars/{publicId}",
      ]),
    );
    expect(Object.keys(paths["/api/articles/{id}"] ?? {})).toEqual(["get", "put", "patch", "delete"]);
  });

  it.each(["", "?format=yaml"])("answers HEAD%s with all headers of its GET, compressed or not", async (query) => {
    for (const encoding of ["gzip", "identity"]) {
      const full = await get(describedAt + query, { "Accept-Encoding": encoding });
      const head = await fetch(app.url + describedAt + query, {
        method: "HEAD",
        headers: { "Accept-Encoding": encoding },
      });
      const headersOf = ({ headers }: Response) =>
        Object.fromEntries([...headers].filter(([name]) => !ofOneAnswer.includes(name)));
      expect(full.headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
      expect(full.headers.get("content-type")).toMatch(/; charset=utf-8$/);
      expect(Number(full.headers.get("content-length"))).toBeGreaterThan(0);
      expect(headersOf(head)).toEqual(headersOf(full));
    }
  });

  it("describes the purpose of every operation and every tag", async () => {
    const description = await read();
    expect(operations(description).length).toBeGreaterThan(20);
    for (const { operationId, summary, description: text } of operations(description)) {
      expect(summary, operationId).toMatch(/\w{3}/);
      expect(text?.replaceAll("`", ""), operationId).toContain(summary);
      expect(text, operationId).not.toContain("{plural}");
    }
    for (const { name, description: text } of description.tags) expect(text, name).not.toBe(`The collection ${name}.`);
  });

  it("is YAML by ?format=yaml, and for a client that accepts nothing else", async () => {
    const json = await read();
    for (const response of [
      await get(`${describedAt}?format=yaml`),
      await get(describedAt, { Accept: "application/yaml" }),
    ]) {
      expect(response.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
      expect(parse(await response.text())).toEqual(json);
    }
    expect((await get(`${describedAt}?format=toml`)).status).toBe(400);
  });

  it("answers 405 with Allow to any other method", async () => {
    const response = await fetch(`${app.url}${describedAt}`, { method: "POST" });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("lists the ways to authenticate, HTTP Basic only while it is on", async () => {
    const without = await read();
    expect(Object.keys(without.components.securitySchemes)).toEqual(["sessionToken", "sessionTokenHeader"]);
    expect(without.paths["/api/accounts/me"]).toBeUndefined();
    await using basic = await startTestApp({ settings: { basic_auth: true }, apiDocs: { folder } });
    const { paths, components } = await read(basic.url);
    expect(Object.keys(components.securitySchemes)).toContain("basic");
    expect(paths["/api/sessions"]?.["post"]?.security).toEqual([{}, { basic: [] }]);
    expect(paths["/api/accounts/me"]?.["get"]?.security).toEqual([{ basic: [] }]);
  });
});

describe("the documentation files", () => {
  const failure = async (headers: Record<string, string> = {}, path = describedAt) => {
    const response = await get(path, headers);
    return [response.status, response.headers.get("content-type"), await response.json()];
  };

  it("answer 500 with the one field Message, whatever Accept says, when the running configuration's is missing", async () => {
    await rm(join(folder, "Release", "hearth.xml"));
    const missing = [500, "application/json; charset=utf-8", { Message: expect.any(String) as string }];
    for (const accept of ["application/json", "application/xml", "text/html", "image/png"])
      expect(await failure({ Accept: accept })).toStrictEqual(missing);
    expect(await failure({}, `${describedAt}?format=yaml`)).toStrictEqual(missing);
    const [, , { Message }] = (await failure()) as [number, string, { Message: string }];
    expect(Message).toContain(join("dist", "api-docs", "Release", "hearth.xml"));
    expect(Message).toContain("npm run build");
  });

  it("are looked for again at each request, so that a build repairs a running server", async () => {
    await rm(join(folder, "Release", "hearth.xml"));
    expect((await get(describedAt)).status).toBe(500);
    await writeApiDocs(folder);
    expect((await get(describedAt)).status).toBe(200);
  });

  it("give operations no text while another configuration's is missing", async () => {
    await rm(join(folder, "Debug", "hearth.xml"));
    const described = operations(await read());
    expect(described.length).toBeGreaterThan(20);
    for (const operation of described) {
      expect(operation).not.toHaveProperty("summary");
      expect(operation).not.toHaveProperty("description");
    }
  });

  it("are those of the running configuration", async () => {
    await using debug = await startTestApp({ apiDocs: { folder, configuration: "Debug" } });
    await rm(join(folder, "Release", "hearth.xml"));
    expect((await get(describedAt, {}, debug.url)).status).toBe(200);
    await writeApiDocs(folder);
    await rm(join(folder, "Debug", "hearth.xml"));
    const response = await get(describedAt, {}, debug.url);
    expect([response.status, await response.json()]).toEqual([
      500,
      { Message: expect.stringContaining("Debug") as string },
    ]);
  });

  it("are the only source of the texts, and are read again when they change", async () => {
    const file = join(folder, "Release", "hearth.xml");
    await writeFile(
      file,
      `<?xml version="1.0"?><doc><assembly><name>hearth</name></assembly><members>
        <member name="M:createSession"><summary>Logs in &amp; out. Twice.</summary><remarks>See below.</remarks></member>
      </members></doc>`,
    );
    await utimes(file, new Date(), new Date(Date.now() + 5_000));
    const { paths } = await read();
    const { summary, description } = paths["/api/sessions"]?.["post"] ?? {};
    expect({ summary, description }).toEqual({
      summary: "Logs in & out",
      description: "Logs in & out. Twice.\n\nSee below.",
    });
    expect(paths["/api/sessions/current"]?.["get"]).not.toHaveProperty("summary");
  });

  it.each(["", "<doc>", "<html></html>"])(
    "answer 500 when the running configuration's is damaged: %j",
    async (text) => {
      await writeFile(join(folder, "Release", "hearth.xml"), text);
      const [status, , body] = await failure();
      expect([status, body]).toEqual([500, { Message: expect.stringContaining("damaged") as string }]);
    },
  );
});

describe("enum parameters", () => {
  const event = (description: Description) =>
    description.paths["/api/inotify"]?.["post"]?.requestBody?.content["application/x-www-form-urlencoded"]?.schema
      .properties?.["ev"];
  const send = (url: string, ev: string) =>
    fetch(`${url}/api/inotify`, { method: "POST", body: new URLSearchParams({ df: "/a", ev }) });
  const texts = ["modify", "attrib", "move", "create", "delete"];

  it("are shown by their texts", async () => {
    expect(event(await read())).toMatchObject({ type: "string", enum: texts });
    expect((await send(app.url, "3")).status).toBe(400);
  });

  it("are shown by index, and taken by index too, where the setting enum_as_text is off", async () => {
    await using indexed = await startTestApp({ settings: { enum_as_text: false }, apiDocs: { folder } });
    expect(event(await read(indexed.url))).toMatchObject({
      type: "integer",
      enum: [0, 1, 2, 3, 4],
      "x-enum-varnames": texts,
    });
    for (const ev of ["3", "create"]) expect((await send(indexed.url, ev)).status).toBe(202);
    for (const ev of ["5", "-1", "1.5", ""]) expect((await send(indexed.url, ev)).status).toBe(400);
    const stored = await indexed.db.selectFrom("file_events").select("ev").execute();
    expect(stored).toEqual([{ ev: "create" }, { ev: "create" }]);
  });
});

describe("the interactive page", () => {
  it.each(["/swagger", "/console/api/docs"])("%s loads nothing from elsewhere", async (path) => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const page = await get(path, headers);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    const html = await page.text();
    // The build makes the frame's script: framed-description.test.ts loads it.
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, address]) => address ?? "")
      .filter((address) => address !== `${path}/frame.js`);
    expect(loaded.length).toBeGreaterThan(3);
    for (const address of loaded) {
      expect(address).toMatch(/^\/(?!\/)/);
      expect([address, (await get(address, headers)).status]).toEqual([address, 200]);
    }
  });
});

describe("the description of the console's API", () => {
  it("needs the run's console token", async () => {
    for (const path of ["/console/api/openapi.json", "/console/api/docs"]) expect((await get(path)).status).toBe(401);
  });

  it("describes its operations, each with the token", async () => {
    const headers = { Authorization: `Bearer ${consoleToken}` };
    const description = (await (await get("/console/api/openapi.json", headers)).json()) as Description;
    expect(Object.keys(description.paths)).toEqual(
      expect.arrayContaining(["/console/api/overview", "/console/api/events", "/console/api/tokens"]),
    );
    for (const { operationId, summary, security } of operations(description)) {
      const isOpen = operationId === "createLogin" || operationId === "getLogin";
      expect(security, operationId).toEqual(isOpen ? [] : [{ consoleToken: [] }]);
      expect(summary, operationId).toMatch(/\w{3}/);
    }
    for (const { name, description: text } of description.tags) expect(text, name).not.toBe(`The collection ${name}.`);
  });
});
