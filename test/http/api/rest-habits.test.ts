/** What clients expect of any REST server. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let app: (typeof started)["app"];
let alice: (typeof started)["alice"];
let files: (typeof started)["files"];
let call: (typeof started)["call"];
beforeAll(async () => {
  started = await startUserCollections();
  ({ app, alice, files, call } = started);
  const string = { type: "string" };
  const schema = itemSchema(
    {
      name: string,
      price: { type: ["number", "null"] },
      when: { ...string, format: "date" },
      tags: { type: "array", items: { type: ["string", "integer"] } },
      address: { type: "object", properties: { city: string, zip: { type: "integer" }, pin: { writeOnly: true } } },
    },
    { hearth: { access: "none" } },
  );
  await files.load("goods", schema);
  for (const item of [
    { name: "Äpfel", price: 3, when: "2026-01-01", tags: ["a", 1], address: { city: "Köln", zip: 1 } },
    { name: "birnen", price: 5.5, when: "2026-02-01", tags: ["b"], address: { city: "Bonn", zip: 2 } },
    { name: "Öl", price: null, tags: [] },
    { name: "salt" },
  ])
    expect((await call("goods", "POST", item)).status).toBe(201);
});
afterAll(() => started[Symbol.asyncDispose]());

const names = async (query: string) => {
  const { status, json } = await call(`goods?sort=id&${query}`);
  return status === 200 ? (json as unknown as { name: string }[]).map(({ name }) => name) : [status, json.code];
};

describe("a filter", () => {
  it.each([
    ["price[gte]=3&price[lt]=5.5", ["Äpfel"]],
    ["price[gt]=3", ["birnen"]],
    ["price[lte]=5.5", ["Äpfel", "birnen"]],
    ["price=3&price=5.5", ["Äpfel", "birnen"]],
    ["price[]=3", ["Äpfel"]],
    ["price[ne]=3", ["birnen", "Öl", "salt"]],
    ["price[null]=true", ["Öl", "salt"]],
    ["price[null]=false", ["Äpfel", "birnen"]],
    ["price[exists]=false", ["salt"]],
    ["price[exists]=true", ["Äpfel", "birnen", "Öl"]],
    ["price[exists]=true&price[null]=true", ["Öl"]],
    ["tags[exists]=false", ["salt"]],
    ["address[zip][exists]=false", ["Öl", "salt"]],
    ["address.city[exists]=true", ["Äpfel", "birnen"]],
    ["created_at[exists]=false", []],
    ["when[gte]=2026-01-15", ["birnen"]],
    ["created_at[gt]=2020-01-01T00:00:00Z&id[lt]=3", ["Äpfel", "birnen"]],
    ["tags=a", ["Äpfel"]],
    ["tags=1", ["Äpfel"]],
    ["tags=a&tags=b", ["Äpfel", "birnen"]],
    ["address.city=Bonn", ["birnen"]],
    ["address[city]=Bonn", ["birnen"]],
    ["address[zip][gte]=2", ["birnen"]],
    ["q=ä", ["Äpfel"]],
    ["q=ÖL", ["Öl"]],
    ["q=PFEL", ["Äpfel"]],
    ["name[gte]=", ["Äpfel", "birnen", "Öl", "salt"]],
  ])("%s finds %j", async (query, found) => {
    expect(await names(query)).toEqual(found);
  });

  it.each(["price[exists]=maybe", "price[null]=", "id[exists]=2"])(
    "that is neither true nor false is 400: %s",
    async (query) => {
      expect((await call(`goods?${query}`)).json.details).toMatchObject([{ field: query.split("=")[0] }]);
    },
  );

  it.each(["prise=3", "price[foo]=3", "address.town=x", "address.pin=1", "x=1&x=2"])(
    "that no field has is 400 and names the fields: %s",
    async (query) => {
      const { status, json } = await call(`goods?${query}`);
      expect([status, json.code, json.Message]).toEqual([400, "unknown_field", expect.stringContaining("price")]);
    },
  );

  it.each(["_=1", "page[size]=1", "foo[bar]=1&foo[bar]=2"])("of another program is only told: %s", async (query) => {
    const { status, headers } = await call(`goods?${query}`);
    expect([status, headers.get("hearth-warning")]).toEqual([200, expect.stringContaining("unknown name")]);
  });

  it("of a built-in resource that nobody knows is only told, repeated or not", async () => {
    for (const query of ["x=1", "x=1&x=2", "tags[]=a&tags[]=b"]) {
      const { status, headers } = await call(`articles?${query}`);
      expect([status, headers.get("hearth-warning")]).toEqual([200, expect.stringContaining("unknown name")]);
    }
    expect((await call("articles?page=1&page=2")).json.code).toBe("duplicate_field");
  });
});

it("a page of an allowed origin may send any header, and of another none", async () => {
  const asked = { "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "x-tenant, x-csrf-token" };
  const allowed = async (origin: string) =>
    (await fetch(`${app.url}/api/articles`, { method: "OPTIONS", headers: { Origin: origin, ...asked } })).headers.get(
      "access-control-allow-headers",
    );
  expect(await allowed("http://localhost:5173")).toBe("x-tenant, x-csrf-token");
  expect(await allowed("http://example.com")).toBeNull();
});

it("a POST with X-HTTP-Method-Override is the method that it names", async () => {
  const { json } = await call("articles", "POST", { title: "one", body: "b" });
  const path = `articles/${String(json.data?.id)}`;
  const as = (method: string) => ({ ...alice, "X-HTTP-Method-Override": method });
  expect((await call(path, "POST", { title: "two" }, as("PATCH"))).json.data).toMatchObject({
    title: "two",
    body: "b",
  });
  expect((await call(path, "POST", { title: "three" }, as("put"))).json.data).toMatchObject({ body: "" });
  expect((await call(path, "POST", {}, as("GET"))).json.code).toBe("bad_method");
  expect((await call(path, "GET", undefined, as("DELETE"))).status).toBe(200);
  expect((await call(path, "POST", undefined, as("DELETE"))).status).toBe(204);
});

it("a JSON patch is refused with the types that are accepted, not taken for a merge patch", async () => {
  const { json } = await call("articles", "POST", { title: "one" });
  const type = { ...alice, "Content-Type": "application/json-patch+json" };
  const refused = await call(`articles/${String(json.data?.id)}`, "PATCH", '{"title":"x"}', type);
  expect([refused.status, refused.headers.get("accept-patch")]).toEqual([415, expect.stringContaining("merge-patch")]);
});

describe("an ETag", () => {
  it("tells JSON from XML, and either allows a change", async () => {
    const tagOf = async (accept: string, more = {}) => {
      const { status, headers } = await call("goods/1", "GET", undefined, { Accept: accept, ...more });
      return [status, headers.get("etag")] as const;
    };
    const [, json] = await tagOf("application/json");
    const [, xml] = await tagOf("application/xml");
    expect(json).not.toBe(xml);
    expect(await tagOf("application/xml", { "If-None-Match": json })).toEqual([200, xml]);
    expect(await tagOf("application/xml", { "If-None-Match": xml })).toEqual([304, xml]);
    const change = await call("goods/1", "PATCH", {}, { "If-Match": String(xml), "Content-Type": "application/json" });
    expect(change.status).toBe(200);
    expect((await call("goods/1", "PATCH", {}, { "If-Match": String(xml) })).status).toBe(412);
  });

  it("of a list is another one once an item is", async () => {
    const first = (await call("goods?page_size=2")).headers.get("etag") ?? "";
    const again = (query: string) => call(`goods?${query}`, "GET", undefined, { "If-None-Match": first });
    const unchanged = await again("page_size=2");
    expect([unchanged.status, unchanged.text]).toEqual([304, ""]);
    expect((await again("page_size=1")).status).toBe(200);
    await call("goods/4", "PATCH", {});
    expect((await again("page_size=2")).status).toBe(200);
  });
});

it("percent-encoded forms of a path are one path", async () => {
  await files.loadRoutes({
    routes: [
      { path: "/api/m%C3%BCnchen", body: "m" },
      { path: "/api/a%7eb/{x}", body: "t" },
    ],
  });
  for (const path of ["m%c3%bcnchen", "m%C3%BCnchen", "%6d%c3%bcnchen", "a~b/1", "%61%7Eb/1", "%67oods"])
    expect([path, (await fetch(`${app.url}/api/${path}`)).status]).toEqual([path, 200]);
});

it.each(["/api/a/:id", "/api/a*", "/api/*"])("the route %s is refused with the form to write", async (path) => {
  expect(await files.failRoutes({ routes: [{ path }] })).toMatchObject({ message: expect.stringContaining("{id}") });
});

it("a question mark that begins the query stays in the links to other pages", async () => {
  const { headers } = await call("articles??n=2");
  expect(headers.get("link")).toContain("?%3Fn=2&");
});

describe("XML", () => {
  const xml = (body: string) => call("articles", "POST", body, { ...alice, "Content-Type": "application/xml" });
  it.each([
    "<a><title><![CDATA[<!DOCTYPE html>]]></title></a>",
    "<a><!-- <!DOCTYPE html> <!ENTITY x 'y'> --><title>t</title></a>",
    "<a><title><![CDATA[<?xml version='1.0'?> -- ]]></title></a>",
  ])("has as text what is in a section or a comment: %s", async (body) => {
    expect((await xml(body)).status).toBe(201);
  });

  it.each([
    "<a><!-- a -- b --><title>t</title></a>",
    "<a><!-- a ---><title>t</title></a>",
    "<a><?xml version='1.0'?><title>t</title></a>",
    " <?xml version='1.0'?><a><title>t</title></a>",
    "<?xml version='1.0'?><?xml version='1.0'?><a><title>t</title></a>",
    "<a><?XML x?><title>t</title></a>",
    " ",
    "<!-- x -->",
    '<?xml version="1.0"?>',
  ])("that is not well-formed is 400 at a place or none: %j", async (body) => {
    const { status, json } = await xml(body);
    expect([status, json.code, json.Message]).toEqual([400, "bad_xml", expect.not.stringContaining("undefined")]);
  });
});

describe("multipart", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  );
  const body = (preamble = "") =>
    Buffer.concat([
      Buffer.from(`${preamble}--B\r\nContent-Disposition: form-data; name="[]"; filename="a.png"\r\n\r\n`),
      png,
      Buffer.from(`\r\n--B--\r\n`),
    ]);
  const upload = (type: string, content: Buffer<ArrayBuffer>) =>
    fetch(`${app.url}/api/uploads`, { method: "POST", headers: { ...alice, "Content-Type": type }, body: content });

  it.each([
    ["multipart/form-data; boundary=B;", body()],
    ["multipart/form-data;boundary=B; charset=utf-8", body()],
    ['multipart/form-data; boundary="B" ;', body()],
    ["multipart/form-data; boundary=B ", body()],
    ["Multipart/Form-Data; BOUNDARY=B", body()],
    ["multipart/form-data; boundary=B", body("preamble\r\n")],
  ])("%s is taken", async (type, content) => {
    const response = await upload(type, content);
    expect([response.status, await response.json()]).toEqual([201, expect.objectContaining({ success: true })]);
  });

  it("names what is wrong with it", async () => {
    const wrong = async (type: string) => ((await (await upload(type, body())).json()) as { err_msg: string }).err_msg;
    expect(await wrong("multipart/form-data")).toContain("boundary");
  });
});
