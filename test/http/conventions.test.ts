import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listener } from "../../server/http/connection/serve.ts";
import { recordedLog } from "../support/quiet-log.ts";
import { startThings } from "../support/app/things-service.ts";

const { lines, log } = recordedLog();
let listener: Listener;
let url: string;
beforeAll(async () => {
  listener = await startThings(log);
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
    expect((await fetch(`${url}/api/things`, { method: "HEAD", headers: { Accept: "image/png" } })).status).toBe(406);
  });

  it.each(["", " , "])("takes an Accept that names nothing for any format: %j", async (accept) => {
    expect((await fetch(`${url}/api/things`, { headers: { Accept: accept } })).status).toBe(200);
  });

  it("answers OPTIONS and DELETE whatever Accept names", async () => {
    const headers = { Accept: "text/html" };
    const options = await fetch(`${url}/api/things`, { method: "OPTIONS", headers });
    expect([options.status, options.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect((await fetch(`${url}/api/things/1`, { method: "DELETE", headers })).status).toBe(204);
  });

  it.each([
    ["application/json; charset=utf-8", "application/json; charset=utf-8"],
    ["application/json;charset=UTF-8;q=0.9, text/html", "application/json; charset=utf-8"],
    ['application/xml; version=1, application/json; profile="a"; q=0.5', "application/xml; charset=utf-8"],
    ["text/html;level=1, */*; q=0.1", "application/json; charset=utf-8"],
  ])("takes Accept with parameters: %s", async (accept, type) => {
    const response = await fetch(`${url}/api/things`, { headers: { Accept: accept } });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
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
    expect(await response.json()).toMatchObject({
      allow: ["GET", "POST", "HEAD", "OPTIONS"],
      operations: [
        { method: "GET", limits: { page_size: 100 } },
        { method: "POST", accepts: expect.arrayContaining(["application/json"]), limits: { body_bytes: 1_048_576 } },
      ],
    });
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
  const post = (body: string | Buffer<ArrayBuffer>, type: string) =>
    fetch(`${url}/api/things`, { method: "POST", body, headers: { "Content-Type": type } });

  it.each([
    ["a missing field", "{}", "application/json", 400, "invalid_request"],
    ["broken JSON", "{", "application/json", 400, "bad_json"],
    ["a form field given twice", "name=a&name=b", "application/x-www-form-urlencoded", 400, "duplicate_field"],
    ["malformed percent-encoding", "name=%E0%A4%A", "application/x-www-form-urlencoded", 400, "bad_encoding"],
    ["another charset", "{}", "application/json; charset=latin1", 415, "unsupported_charset"],
    ["another content type", "{}", "text/plain", 415, "unsupported_media_type"],
    ["a name that reaches a prototype", '{"__proto__":{"a":1},"name":"x"}', "application/json", 400, "bad_name"],
    ["such a name in a form", "__proto__=1&name=x", "application/x-www-form-urlencoded", 400, "bad_name"],
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
