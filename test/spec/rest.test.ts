import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quietLog } from "../support/quiet-log.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { requestText } from "../support/app/raw-request.ts";
import { startThings } from "../support/app/things-service.ts";
import { bodyOf, documentationFolder, send, stepOf, type Wire } from "./spec-client.ts";

const docs = documentationFolder(["Debug", "Release"]);
let app: TestApp;
let alice: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp({ settings: { basic_auth: true }, apiDocs: { folder: docs.path } });
  alice = await app.loggedIn("alice");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  docs[Symbol.dispose]();
});

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(`${app.url}${path}`, method, { ...alice, ...headers }, body);
const create = async (fields: object): Promise<Wire> =>
  (await bodyOf(await call("POST", "/api/articles", fields))).data;
const at = (id: number) => `/api/articles/${String(id)}`;
const pathsOf = async (): Promise<Record<string, Wire>> =>
  (await bodyOf(await fetch(`${app.url}/swagger/docs/v1`))).paths;

describe("Endpoints", () => {
  it("[Endpoints 1] JSON is answered to whoever does not say otherwise, and taken", async () => {
    const created = await call("POST", "/api/articles", { title: "json" });
    expect([created.status, created.headers.get("content-type")]).toEqual([201, "application/json; charset=utf-8"]);
    const failed = await call("GET", "/api/articles/999999");
    expect(failed.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  it("[Endpoints 2] a call without credentials is answered as the description's security says", async () => {
    const [first = "x"] = Object.keys(await pathsOf());
    expect(first).toMatch(/^\//);
    for (const [path, methods] of Object.entries(await pathsOf()))
      for (const [method, { security, operationId }] of Object.entries<Wire>(methods)) {
        const reply = await send(`${app.url}${path.replaceAll(/\{\w+\}/g, "1")}`, method.toUpperCase(), {});
        const asked = (security as object[]).flatMap(Object.keys);
        const challenge = asked.includes("sessionToken") ? "Bearer" : 'Basic realm="Hearth"';
        const isOpen = asked.length === 0 || (security as object[]).some((one) => Object.keys(one).length === 0);
        if (isOpen) expect(reply.status, operationId).not.toBe(401);
        else expect(stepOf(reply), operationId).toEqual([401, challenge]);
      }
  });
});

describe("Path shape", () => {
  it("[Path shape 1] a collection is at /api/<plural>, one of it at /api/<plural>/<id>", async () => {
    const { id } = await create({ title: "shape" });
    const list = await bodyOf(await call("GET", "/api/articles"));
    expect(list.data.map((one: Wire) => one.id)).toContain(id);
    expect((await bodyOf(await call("GET", at(id)))).data).toMatchObject({ id, title: "shape" });
    for (const path of Object.keys(await pathsOf()).filter((one) => one.includes("{id}")))
      expect(path).toMatch(/^\/api\/[a-z]+\/\{id\}(\/[a-z]+)?$/);
  });

  it("[Path shape 2] every resource's name is a plural noun", async () => {
    const names = Object.keys(await pathsOf()).flatMap((path) => /^\/api\/([^/]+)/.exec(path)?.[1] ?? []);
    const resources = new Set(names.filter((name) => name !== "inotify"));
    expect(resources.size).toBeGreaterThan(5);
    for (const name of resources) expect(name).toMatch(/^[a-z]+s$/);
    expect((await call("GET", "/api/article")).status).toBe(404);
  });

  it("[Path shape 3] filters, paging and search are fields of the query", async () => {
    for (const title of ["query one", "query two", "query three"])
      await create({ title, body: "needle in a haystack" });
    const found = async (query: string) => {
      const reply = await call("GET", `/api/articles?${query}`);
      return [reply.headers.get("x-total-count"), (await bodyOf(reply)).data.map((one: Wire) => one.title)];
    };
    expect(await found("title=query%20two")).toEqual(["1", ["query two"]]);
    expect(await found("q=haystack&page_size=2&page=1")).toEqual(["3", ["query three", "query two"]]);
    expect(await found("q=haystack&page_size=2&page=2")).toEqual(["3", ["query one"]]);
  });
});

describe("REST methods", () => {
  it("[REST methods 1] GET answers one object or an array", async () => {
    const { id } = await create({ title: "read" });
    expect((await bodyOf(await call("GET", at(id)))).data).toMatchObject({ id, title: "read" });
    expect(Array.isArray((await bodyOf(await call("GET", "/api/articles"))).data)).toBe(true);
  });

  it("[REST methods 2] POST answers the created resource, which is there from then on", async () => {
    const reply = await call("POST", "/api/articles", { title: "created", body: "b" });
    const { data } = await bodyOf(reply);
    expect(data).toMatchObject({ id: expect.any(Number), title: "created", body: "b" });
    expect((await bodyOf(await call("GET", reply.headers.get("location") ?? ""))).data).toEqual(data);
  });

  it("[REST methods 3] PUT answers the replaced resource, or 204 without a body where the client prefers it", async () => {
    const { id } = await create({ title: "old", body: "kept by nobody" });
    const replaced = await call("PUT", at(id), { title: "new" });
    expect([replaced.status, (await bodyOf(replaced)).data]).toEqual([
      200,
      expect.objectContaining({ id, title: "new", body: "" }),
    ]);
    const minimal = await call("PUT", at(id), { title: "newer" }, { Prefer: "return=minimal" });
    expect([minimal.status, await minimal.text()]).toEqual([204, ""]);
    expect((await bodyOf(await call("GET", at(id)))).data.title).toBe("newer");
  });

  it("[REST methods 4] DELETE answers 204 without a body, and it is gone", async () => {
    const { id } = await create({ title: "gone" });
    const reply = await call("DELETE", at(id));
    expect([reply.status, await reply.text()]).toEqual([204, ""]);
    expect((await call("GET", at(id))).status).toBe(404);
  });

  it("[REST methods 5] PATCH changes what it names and leaves the rest", async () => {
    const { id } = await create({ title: "before", body: "stays" });
    const reply = await call("PATCH", at(id), { title: "after" });
    expect([reply.status, (await bodyOf(reply)).data]).toEqual([
      200,
      expect.objectContaining({ title: "after", body: "stays" }),
    ]);
  });

  it("[REST methods 6] HEAD answers the headers of GET and no body", async () => {
    const { id } = await create({ title: "head" });
    for (const path of [at(id), "/api/articles"]) {
      const [head, get] = [await call("HEAD", path), await call("GET", path)];
      expect([head.status, await head.text()]).toEqual([200, ""]);
      for (const name of ["content-type", "etag", "x-total-count"])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
    }
    expect((await call("HEAD", "/api/articles/999999")).status).toBe(404);
  });

  it("[REST methods 7] OPTIONS answers the allowed methods and what each asks for", async () => {
    const reply = await send(`${app.url}/api/articles`, "OPTIONS", {});
    expect([reply.status, reply.headers.get("allow")]).toEqual([200, "GET, POST, HEAD, OPTIONS"]);
    const { operations } = await bodyOf(reply);
    expect(operations).toContainEqual({
      method: "POST",
      access: "login",
      accepts: expect.arrayContaining(["application/json", "application/xml"]),
      limits: { body_bytes: expect.any(Number) },
    });
  });

  it.each([
    ["uploads", { file_bytes: 104_857_600, extensions: expect.arrayContaining(["zip", "png"]) }, "multipart/form-data"],
    ["avatars", { file_bytes: 104_857_600, extensions: ["jpg", "png", "gif", "webp"] }, "multipart/form-data"],
    ["payments/notifications", { body_bytes: 65_536 }, "application/xml", "application/json"],
  ])(
    "[REST methods 7] OPTIONS answers the content types and limits of what is sent to %s",
    async (path, limits, ...accepts) => {
      const { operations } = await bodyOf(await send(`${app.url}/api/${path}`, "OPTIONS", {}));
      expect(operations).toContainEqual(expect.objectContaining({ method: "POST", accepts, limits }));
    },
  );
});

describe("Generic REST conventions", () => {
  it("[Generic REST conventions 1] Accept chooses between JSON and XML, for one, for many and for errors", async () => {
    const { id } = await create({ title: "Ä & <b>" });
    const xml = new XMLParser({ htmlEntities: true });
    const inXml = async (path: string) => {
      const reply = await call("GET", path, undefined, { Accept: "application/xml" });
      expect(reply.headers.get("content-type")).toBe("application/xml; charset=utf-8");
      return xml.parse(await reply.text()).result;
    };
    expect((await inXml(at(id))).data).toMatchObject({ id, title: "Ä & <b>" });
    expect((await inXml("/api/articles?page_size=2")).data.item).toHaveLength(2);
    expect(await inXml("/api/articles/999999")).toMatchObject({ Message: expect.any(String), code: "not_found" });
    expect((await call("GET", at(id), undefined, { Accept: "application/json" })).headers.get("content-type")).toMatch(
      /^application\/json/,
    );
    expect((await call("GET", at(id), undefined, { Accept: "image/png" })).status).toBe(406);
  });

  it("[Generic REST conventions 2] a password goes in and never comes out", async () => {
    const password = "never to be seen";
    const created = await call("POST", "/api/accounts", { user: "secretive", password });
    expect(created.status).toBe(201);
    const path = created.headers.get("location") ?? "";
    const replies = [
      created,
      await call("GET", path),
      await call("GET", "/api/accounts"),
      await call("PUT", path, { user: "secretive", password }),
      await call("PATCH", path, { password }),
      await call("GET", path, undefined, { Accept: "application/xml" }),
    ];
    for (const reply of replies) {
      expect(reply.ok).toBe(true);
      expect(await reply.text()).not.toMatch(/password|never to be seen/);
    }
  });

  it("[Generic REST conventions 3] a verb that the resource does not know is 405, with those that it knows", async () => {
    for (const [method, path, allow] of [
      ["DELETE", "/api/articles", "GET, POST, HEAD, OPTIONS"],
      ["PROPFIND", "/api/articles", "GET, POST, HEAD, OPTIONS"],
      ["POST", "/api/articles/1", "GET, PUT, PATCH, DELETE, HEAD, OPTIONS"],
      ["GET", "/api/inotify/", "POST, OPTIONS"],
    ] as const) {
      const reply = await call(method, path);
      expect([reply.status, reply.headers.get("allow")]).toEqual([405, allow]);
    }
  });

  it.each([
    ["FOO"],
    ["GETX"],
    ["post"],
    ["DESCRIBE"], // another protocol's
    ["CONNECT"],
  ])("[Generic REST conventions 3] a verb that HTTP does not have is 405 too, and so is %s", async (verb) => {
    const request = `${verb} /api/articles HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    for (const { url } of [app, app.provider])
      expect(await requestText(Number(new URL(url).port), request)).toMatch(
        /^HTTP\/1.1 405 Method Not Allowed\r\n[^]*"Message":"[^"]*Use GET, [^]*"code":"method_not_allowed"/,
      );
  });

  it("[Generic REST conventions 4] nulls are left out, indentation is a choice, non-ASCII is escaped unless relaxed", async () => {
    const { id } = await create({ title: "图 😀" });
    const text = await (await call("GET", at(id))).text();
    expect(text).toContain('"title":"\\u56fe \\ud83d\\ude00"');
    expect(text).toMatch(/^[\x20-\x7e]*$/);
    expect(await (await call("GET", `${at(id)}?pretty`)).text()).toContain('\n    "title": ');
    await using relaxed = await startTestApp({ settings: { json_relaxed: true, json_indent: 3 } });
    const headers = await relaxed.loggedIn();
    const created = await send(`${relaxed.url}/api/articles`, "POST", headers, { title: "图" });
    expect(await created.text()).toContain('\n      "title": "图"');
    const things = await startThings(quietLog);
    expect(await (await fetch(`${things.url}/api/things/7`)).text()).toBe('{"id":7}'); // and a name, which is null
    await things.close(0);
  });
});
