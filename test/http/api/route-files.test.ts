import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeApiDocs } from "../../../build/docs/write-api-docs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { expectNoAnswer } from "../../support/app/expect-no-answer.ts";
import { itemSchema, userFiles } from "../../support/app/user-files.ts";

let app: TestApp;
let files: ReturnType<typeof userFiles>;
const docs = temporaryFolder();
beforeAll(async () => {
  await writeApiDocs(docs.path);
  app = await startTestApp({ apiDocs: { folder: docs.path } });
  files = userFiles(app);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  docs[Symbol.dispose]();
});
const get = (path: string, init?: RequestInit) => fetch(app.url + path, { redirect: "manual", ...init });

describe("the route file", () => {
  it("adds answers by method and path, with status, headers and body, while the server runs", async () => {
    expect((await get("/api/weather/paris")).status).toBe(404);
    const body = { city: "Paris", wind: null, text: "Grüße 图" };
    const loaded = await files.loadRoutes({
      routes: [
        { path: "/api/weather/{city}", body, headers: { "X-Station": "7" } },
        { method: "POST", path: "/api/weather/{city}", status: 418, body: "short and stout" },
        { method: "DELETE", path: "/api/weather/{city}", status: 204 },
        { path: "/v2/page", body: "<p>hi</p>", headers: { "content-type": "text/html" } },
        { path: "/old", status: 301, headers: { Location: "/v2/page" } },
        { path: "/api/empty" },
      ],
    });
    expect(loaded).toEqual({ file: files.routeFile, routes: 6 });

    const answer = await get("/api/weather/paris");
    expect([answer.status, answer.headers.get("x-station"), answer.headers.get("content-type")]).toEqual([
      200,
      "7",
      "application/json; charset=utf-8",
    ]);
    // As it was written down: nothing is escaped, wrapped or left out.
    expect(await answer.text()).toBe(JSON.stringify(body));
    const posted = await get("/api/weather/x", { method: "POST", body: "whatever" });
    expect([posted.status, await posted.text(), posted.headers.get("content-type")]).toEqual([
      418,
      "short and stout",
      "text/plain; charset=utf-8",
    ]);
    const deleted = await get("/api/weather/x", { method: "DELETE" });
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
    const page = await get("/v2/page", { headers: { Accept: "text/html" } });
    expect([page.headers.get("content-type"), await page.text()]).toEqual(["text/html", "<p>hi</p>"]);
    const moved = await get("/old");
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "/v2/page"]);
    const empty = await get("/api/empty");
    expect([empty.status, empty.headers.get("content-length"), await empty.text()]).toEqual([200, "0", ""]);
  });

  it("answers HEAD, OPTIONS and 405 as any other path, and other origins by the same rules", async () => {
    await files.loadRoutes({ routes: [{ path: "/v2/things", body: [1] }] });
    const head = await get("/v2/things", { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "3", ""]);
    expect((await get("/v2/things", { method: "OPTIONS" })).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect((await get("/v2/things", { method: "PUT" })).status).toBe(405);
    const Origin = "http://localhost:5173";
    expect((await get("/v2/things", { headers: { Origin } })).headers.get("access-control-allow-origin")).toBe(Origin);
  });

  it('needs no login unless access is "login", and then follows the login protocol', async () => {
    await files.loadRoutes({ routes: [{ path: "/api/mine", access: "login", body: { ok: true } }] });
    const refused = await get("/api/mine");
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const answer = await get("/api/mine", { headers: await app.loggedIn() });
    expect([await answer.json(), answer.headers.has("status-package")]).toEqual([{ ok: true }, true]);
  });

  it("lets an answer wait as long as delayMs says", async () => {
    const delayed = { path: "/delayed", delayMs: 1, body: "late" };
    await files.loadRoutes({ routes: [{ path: "/slow", delayMs: 60_000 }, delayed] });
    await expectNoAnswer(
      (signal) => get("/slow", { signal }),
      async () => {
        for (let time = 0; time < 20; time++) expect(await (await get("/delayed")).text()).toBe("late");
      },
    );
  });

  it("is no longer served when the file is removed", async () => {
    await files.loadRoutes({ routes: [{ path: "/gone" }] });
    expect((await get("/gone")).status).toBe(200);
    await files.told("routes.removed", () => rmSync(files.routeFile));
    expect((await get("/gone")).status).toBe(404);
  });

  it("is part of the description", async () => {
    await files.loadRoutes({
      routes: [
        { path: "/api/tides/{port}/{day}", body: { high: [6, 18] }, description: "High water." },
        { method: "POST", path: "/api/tides", status: 404, body: "none" },
        { path: "/api/tides/{port}" },
        { path: "/api/tides/port" },
      ],
    });
    const { paths } = (await (await get("/swagger/docs/v1")).json()) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    const operation = paths["/api/tides/{port}/{day}"]?.["get"];
    expect(operation).toMatchObject({
      operationId: "getApiTidesPortDay",
      tags: ["fixed-answers"],
      parameters: [
        { name: "port", in: "path" },
        { name: "day", in: "path" },
      ],
      responses: { 200: { content: { "application/json": { example: { high: [6, 18] } } } } },
    });
    expect(operation?.["description"]).toContain("High water.");
    expect(paths["/api/tides"]?.["post"]?.["responses"]).toMatchObject({
      404: { content: { "text/plain": { example: "none" } } },
    });
    const ids = [paths["/api/tides/{port}"], paths["/api/tides/port"]].map((one) => one?.["get"]?.["operationId"]);
    expect(ids).toEqual(["getApiTidesPort", "getApiTidesPort2"]);
  });

  it("has no operation's name of Hearth or of a collection, whichever file came first", async () => {
    const idsIn = async () => {
      const { paths } = (await (await get("/swagger/docs/v1")).json()) as {
        paths: Record<string, Record<string, { operationId: string }>>;
      };
      return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    };
    await files.loadRoutes({ routes: [{ path: "/article" }, { path: "/heron" }, { path: "/heron2" }] });
    expect(await idsIn()).toEqual(expect.arrayContaining(["getArticle", "getArticle2", "getHeron"]));
    await files.load("herons", itemSchema({ name: { type: "string" } }));
    const ids = await idsIn();
    expect(ids).toEqual(expect.arrayContaining(["getHeron", "getHeron2", "getHeron22"]));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    await files.remove("herons");
  });
});

describe("a route file with a fault", () => {
  const broken: [what: string, text: string, line: number, message: RegExp][] = [
    ["bad JSON", '{\n"routes": [\n}', 3, /a value is expected/],
    ["no list of routes", '{\n"answers": []}', 2, /answers: is not supported|routes/],
    [
      "an unknown member",
      '{"routes": [\n{"path": "/a",\n"reply": 1}]}',
      3,
      /routes.0.reply: is not supported; use one of/,
    ],
    [
      "a bad path",
      '{"routes": [\n{"path": "/a",\n"status": 200},\n{"path": "a b"}]}',
      4,
      /routes.1.path: must consist of segments/,
    ],
    ["a parameter that is named twice", '{"routes": [\n{"path": "/{a}/{a}"}]}', 2, /names a parameter twice/],
    ["a bad status", '{"routes": [\n{"path": "/a",\n"status": 99}]}', 3, /routes.0.status/],
    [
      "a body that the status has not",
      '{"routes": [\n{"path": "/a", "status": 204,\n"body": 1}]}',
      3,
      /must be omitted/,
    ],
    [
      "a header that the server writes",
      '{"routes": [{"path": "/a", "headers": {\n"Content-Length": "5"}}]}',
      2,
      /set by the server/,
    ],
    [
      "a header with a line break",
      '{"routes": [{"path": "/a", "headers": {\n"X-A": "a\\r\\nX-B: c"}}]}',
      2,
      /one line of Latin-1/,
    ],
    [
      "a path of a built-in resource",
      '{"routes": [\n{"path": "/api/articles"}]}',
      2,
      /can never be reached: \/api\/articles/,
    ],
    [
      "a path within a built-in resource",
      '{"routes": [\n{"path": "/api/articles/new"}]}',
      2,
      /\/api\/articles\/\{id\}/,
    ],
    ["a path of the console", '{"routes": [\n{"path": "/console/api/x"}]}', 2, /\/console is served by Hearth/],
    [
      "two methods of a path with other parameters",
      '{"routes": [{"path": "/a/{b}"},\n{"method": "PUT", "path": "/a/{c}"}]}',
      2,
      /routes.1.path: is \/a\/\{b\} with other parameters/,
    ],
    ["the same route twice", '{"routes": [{"path": "/a/{b}"},\n{"path": "/a/{c}"}]}', 2, /is defined twice/],
  ];
  it.each(broken)(
    "is reported with its line, and the version before stays in service: %s",
    async (_what, text, line, message) => {
      const steady = { routes: [{ path: "/steady", body: text }] };
      await files.loadRoutes(steady);
      const event = await files.failRoutes(text);
      expect(event).toMatchObject({ file: files.routeFile, line, in_service: true });
      expect(event["message"]).toMatch(message);
      expect(await (await get("/steady")).text()).toBe(text);
    },
  );
});
