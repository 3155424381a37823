import express from "express";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { endpoint } from "../../server/contract/endpoint.ts";
import { cors } from "../../server/http/cors.ts";
import { errorHandler } from "../../server/http/error-handler.ts";
import { HttpError, notFound } from "../../server/http/http-error.ts";
import { mountRoutes } from "../../server/http/mount-routes.ts";
import { normalizeQuery } from "../../server/http/normalize-query.ts";
import { route } from "../../server/http/route.ts";
import { createServiceApp } from "../../server/http/service-app.ts";
import { serve, type Listener } from "../../server/http/serve.ts";
import { requestText } from "../support/raw-request.ts";
import { recordedLog } from "../support/quiet-log.ts";

const thing = z.object({ id: z.number(), name: z.string().nullable() });
const params = z.object({ id: z.coerce.number().int() });
const specs = {
  list: endpoint({
    id: "listThings",
    tag: "things",
    method: "GET",
    path: "/api/things",
    access: "none",
    status: 200,
    query: z.object({ page_size: z.coerce.number().int().max(100).default(20) }),
    data: z.array(thing),
  }),
  create: endpoint({
    id: "createThing",
    tag: "things",
    method: "POST",
    path: "/api/things",
    access: "none",
    status: 201,
    body: z.object({ name: z.string().min(1) }),
    data: thing,
  }),
  get: endpoint({
    id: "getThing",
    tag: "things",
    method: "GET",
    path: "/api/things/{id}",
    access: "none",
    status: 200,
    params,
    data: thing,
  }),
  remove: endpoint({
    id: "deleteThing",
    tag: "things",
    method: "DELETE",
    path: "/api/things/{id}",
    access: "none",
    status: 204,
    params,
  }),
};

const { lines, log } = recordedLog();
let listener: Listener;
let url: string;

beforeAll(async () => {
  const app = createServiceApp({ host: "127.0.0.1", log });
  const style = { indent: 0, relaxed: false };
  app.use(normalizeQuery("302"), cors(["loopback"]));
  const api = express.Router();
  mountRoutes(
    api,
    [
      route(specs.list, ({ query }) => ({
        data: [{ id: query.page_size, name: "图", password: "not in the schema" }],
      })),
      route(specs.create, ({ body }) => ({ data: { id: 1, name: body.name }, headers: { Location: "/api/things/1" } })),
      route(specs.get, ({ params: { id } }) => {
        if (id === 404) throw notFound("There is no thing 404.");
        if (id === 500) throw new Error("the secret innards");
        if (id === 403) throw new HttpError(403, "private", "Not yours.");
        return { data: { id, name: null } };
      }),
      route(specs.remove, () => ({})),
    ],
    {
      sessions: { find: async () => undefined },
      policy: { requireUserinfo: true, phoneIsIdentity: true },
      style,
      now: () => 0,
    },
  );
  app.use(api);
  app.use(() => {
    throw notFound("nothing here");
  });
  app.use(errorHandler(log, style));
  listener = await serve(app, { host: "127.0.0.1", port: 0 });
  url = listener.url;
});
afterAll(() => listener.close(0));

describe("representation", () => {
  it("GET answers JSON with escaped non-ASCII, without fields that the schema does not have", async () => {
    const response = await fetch(`${url}/api/things`);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await response.text()).toBe('[{"id":20,"name":"\\u56fe"}]');
  });

  it("leaves out null properties", async () => {
    expect(await (await fetch(`${url}/api/things/7`)).text()).toBe('{"id":7}');
  });

  it("answers XML when Accept asks for it, errors too", async () => {
    const headers = { Accept: "application/xml" };
    const found = await fetch(`${url}/api/things/7`, { headers });
    expect(found.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(await found.text()).toContain("<result><id>7</id></result>");
    const missing = await fetch(`${url}/api/things/404`, { headers });
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain(
      "<result><Message>There is no thing 404.</Message><code>not_found</code></result>",
    );
  });

  it("answers 406 only when nothing matches", async () => {
    expect((await fetch(`${url}/api/things`, { headers: { Accept: "image/png, */*;q=0.1" } })).status).toBe(200);
    const refused = await fetch(`${url}/api/things`, { headers: { Accept: "image/png" } });
    expect(refused.status).toBe(406);
    expect(await refused.json()).toMatchObject({ code: "not_acceptable" });
  });

  it("indents when ?pretty asks for it", async () => {
    expect(await (await fetch(`${url}/api/things/7?pretty`)).text()).toBe('{\n  "id": 7\n}');
  });
});

describe("methods", () => {
  it("answers 405 with Allow for every other verb, unknown ones included", async () => {
    for (const method of ["PUT", "PATCH", "PROPFIND"]) {
      const response = await fetch(`${url}/api/things`, { method });
      expect(response.status, method).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
      expect(await response.json()).toMatchObject({ code: "method_not_allowed" });
    }
  });

  it("answers HEAD with the headers of GET and no body", async () => {
    const [head, get] = await Promise.all([fetch(`${url}/api/things`, { method: "HEAD" }), fetch(`${url}/api/things`)]);
    expect(head.status).toBe(200);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(await get.text())));
    expect(await head.text()).toBe("");
  });

  it("answers OPTIONS with Allow and what each operation takes", async () => {
    const response = await fetch(`${url}/api/things`, { method: "OPTIONS" });
    expect(response.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    expect(await response.json()).toMatchObject({ allow: ["GET", "POST", "HEAD", "OPTIONS"] });
  });

  it("answers POST with 201 and Location, DELETE with 204 and no body", async () => {
    const created = await fetch(`${url}/api/things`, {
      method: "POST",
      body: JSON.stringify({ name: "x" }),
      headers: { "Content-Type": "application/json" },
    });
    expect([created.status, created.headers.get("location")]).toEqual([201, "/api/things/1"]);
    const deleted = await fetch(`${url}/api/things/1`, { method: "DELETE" });
    expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
  });

  it("answers 404 for an unknown path", async () => {
    const response = await fetch(`${url}/api/nothing`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ Message: "nothing here", code: "not_found" });
  });
});

describe("bad requests", () => {
  const post = (body: BodyInit, type: string) =>
    fetch(`${url}/api/things`, { method: "POST", body, headers: { "Content-Type": type } });

  it.each([
    ["a missing field", "{}", "application/json", 400, "invalid_request"],
    ["broken JSON", "{", "application/json", 400, "bad_json"],
    ["a form field given twice", "name=a&name=b", "application/x-www-form-urlencoded", 400, "duplicate_field"],
    ["malformed percent-encoding", "name=%E0%A4%A", "application/x-www-form-urlencoded", 400, "bad_encoding"],
    ["another charset", "{}", "application/json; charset=latin1", 415, "unsupported_charset"],
    ["another content type", "{}", "text/plain", 415, "unsupported_media_type"],
    ["a name that reaches a prototype", '{"__proto__":{"a":1},"name":"x"}', "application/json", 400, "bad_name"],
    ["an unpaired surrogate", '{"name":"\\ud800"}', "application/json", 400, "bad_encoding"],
    ["deep nesting", `{"name":"x","a":${"[".repeat(100)}${"]".repeat(100)}}`, "application/json", 400, "too_deep"],
  ])("answers %s with a refusal that names the problem", async (_what, body, type, status, code) => {
    const response = await post(body, type);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  });

  it("answers 400 for invalid UTF-8 and for a body that is too long", async () => {
    expect((await post(Buffer.from([0x22, 0xff, 0x22]), "application/json")).status).toBe(400);
    const long = await post(JSON.stringify({ name: "x".repeat(1_100_000) }), "application/json");
    expect(await long.json()).toMatchObject({ code: "content_too_long" });
  });

  it("names the field at fault in details", async () => {
    const response = await fetch(`${url}/api/things?page_size=101`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", details: [{ field: "page_size" }] });
  });

  it("answers 400 for a path with malformed percent-encoding", async () => {
    expect((await fetch(`${url}/api/things/%E0%A4%A`)).status).toBe(400);
  });

  it("takes a form as well as JSON", async () => {
    const response = await post("name=%E5%9B%BE+1", "application/x-www-form-urlencoded");
    expect(await response.json()).toEqual({ id: 1, name: "图 1" });
  });

  it("hides what went wrong inside behind a 500, and logs it", async () => {
    const response = await fetch(`${url}/api/things/500`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("innards");
    expect(lines.join("")).toContain("the secret innards");
  });
});

describe("query normalization", () => {
  const locationOf = async (target: string) => {
    const text = await requestText(
      listener.port,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    return [text.split(" ")[1], /\r\nLocation: (.*)\r\n/i.exec(text)?.[1]];
  };

  it.each([
    ["/api/things?&page_size=1", "/api/things?page_size=1"],
    ["/api/things?&&a=1&b=2", "/api/things?a=1&b=2"],
    ["/api/things?&", "/api/things"],
    ["/api/%E5%9B%BE?&q=%26%2f&", "/api/%E5%9B%BE?q=%26%2f&"],
  ])("redirects %s to %s", async (target, location) => {
    expect(await locationOf(target)).toEqual(["302", location]);
  });

  it.each(["//evil.example?&a", "/\\evil.example?&a"])("never redirects %s to another host", async (target) => {
    const [status, location = ""] = await locationOf(target);
    expect(status).toBe("302");
    expect(new URL(location, "http://localhost").hostname).toBe("localhost");
  });

  it("leaves other methods and other queries alone", async () => {
    expect((await fetch(`${url}/api/things?a=&b=1`, { redirect: "manual" })).status).toBe(200);
    expect((await fetch(`${url}/api/things/1?&a`, { method: "DELETE", redirect: "manual" })).status).toBe(204);
  });
});

describe("cross-origin access", () => {
  it("lets a page of this machine read the reply and its protocol headers", async () => {
    const response = await fetch(`${url}/api/things`, { headers: { Origin: "http://localhost:5173" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
    expect(response.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
    expect(response.headers.get("vary")).toContain("Origin");
  });

  it("answers a preflight with 204", async () => {
    const response = await fetch(`${url}/api/things`, {
      method: "OPTIONS",
      headers: { Origin: "http://127.0.0.1:1", "Access-Control-Request-Method": "PUT" },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toContain("PUT");
  });

  it("sends no header to a page of another site", async () => {
    const response = await fetch(`${url}/api/things`, { headers: { Origin: "http://evil.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("refuses a Host that is not a name of this machine", async () => {
    const text = await requestText(
      listener.port,
      "GET /api/things HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    expect(text).toMatch(/^HTTP\/1.1 403 /);
  });
});
