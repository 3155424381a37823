import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeXml } from "../../server/http/formats/xml-writer.ts";
import { itemSchema, userFiles } from "../support/app/user-files.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";

let app: TestApp;
let relaxed: TestApp;
let headers: Record<string, string>;
let relaxedHeaders: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  relaxed = await startTestApp({ settings: { json_relaxed: true } });
  [headers, relaxedHeaders] = [await app.loggedIn(), await relaxed.loggedIn()];
  await userFiles(app).load("things", things);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await relaxed[Symbol.asyncDispose]();
});

const number = { type: "number" };
const things = itemSchema(
  {
    tags: { type: ["string", "array"] },
    owner: { type: ["string", "object"] },
    owners: { type: ["array", "object"] },
    kind: { const: 7 },
    size: { enum: [1, 2] },
    pair: { type: "array", prefixItems: [number], items: { type: "string" } },
    box: { type: "object" },
    many: { $ref: "#/$defs/numbers" },
  },
  {
    $defs: { numbers: { type: "array", items: number } },
    allOf: [{ properties: { weight: number } }],
    patternProperties: { "^n_": number },
  },
);
const send = (body: string, type: string, method = "POST", path = "/api/articles") =>
  fetch(`${app.url}${path}`, { method, body, headers: { ...headers, "Content-Type": type } });
const dataOf = async (response: Response) => ((await response.json()) as { data: Record<string, unknown> }).data;

describe("XML bodies", () => {
  it("are accepted like JSON, with numbers and booleans converted by the schema", async () => {
    const response = await send(
      "<article><title>1e3</title><body>true</body><private>true</private></article>",
      "application/xml",
    );
    expect(response.status).toBe(201);
    expect(await dataOf(response)).toMatchObject({ title: "1e3", body: "true", private: true });
  });

  it("may name members like an object's built-in ones, which are ignored like other unknown ones", async () => {
    const response = await send(
      '<a><title>x</title><toString>y</toString><entry key="constructor">z</entry></a>',
      "application/xml",
    );
    expect([response.status, Object.keys(await dataOf(response))]).toEqual([
      201,
      ["id", "owner_uid", "created_at", "updated_at", "title", "body", "private"],
    ]);
  });

  it("patch like JSON does", async () => {
    const { id } = await dataOf(await send('{"title":"x"}', "application/json"));
    const patched = await send(
      "<patch><private>true</private></patch>",
      "text/xml",
      "PATCH",
      `/api/articles/${String(id)}`,
    );
    expect(await dataOf(patched)).toMatchObject({ title: "x", private: true });
  });

  it.each([
    ["a text where a list may be, too", "<a><tags>one</tags></a>", { tags: "one" }],
    ["a text where an object may be, too", "<a><owner>me</owner></a>", { owner: "me" }],
    ["an object where a list may be, too", "<a><owners><me>1</me></owners></a>", { owners: { me: "1" } }],
    ["an empty list", "<a><tags/></a>", { tags: [] }],
    ["a constant", "<a><kind>7</kind></a>", { kind: 7 }],
    ["one of some values", "<a><size>2</size></a>", { size: 2 }],
    ["a member that a branch describes", "<a><weight>1.5</weight></a>", { weight: 1.5 }],
    ["the first item of a list", "<a><pair><item>1</item><item>1</item></pair></a>", { pair: [1, "1"] }],
    ["a member whose name has a pattern", "<a><n_1>1</n_1></a>", { n_1: 1 }],
    ["what a reference leads to", "<a><many><item>1</item></many></a>", { many: [1] }],
  ])("convert %s by the schema", async (_what, body, item) => {
    const response = await send(body, "application/xml", "POST", "/api/things");
    expect([response.status, await dataOf(response)]).toEqual([201, expect.objectContaining(item)]);
  });

  it.each([
    ["a text where a list is due", "<a><pair>1</pair></a>"],
    ["a text where an object is due", "<a><box>1</box></a>"],
  ])("with %s are refused, not emptied", async (_what, body) => {
    expect((await send(body, "application/xml", "POST", "/api/things")).status).toBe(400);
  });

  it.each([
    ["what is not well-formed", "<article><title>x</article>", "bad_xml"],
    ["a document type", '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a><title>&e;</title></a>', "bad_xml"],
    ["a surrogate as a reference", "<a><title>x&#xD800;y</title></a>", "bad_xml"],
    ["a NUL as a reference", "<a><title>x&#0;y</title></a>", "bad_xml"],
    ["a reference beyond Unicode", "<a><title>x&#99999999999;y</title></a>", "bad_xml"],
    [
      "a reference to a forbidden character as a key",
      '<a><title>x</title><entry key="&#x1F;">y</entry></a>',
      "bad_xml",
    ],
    ["a second root", "<a><title>x</title></a><a/>", "bad_xml"],
    ["text behind the root", "<a><title>x</title></a>y", "bad_xml"],
    ["an entity that is not declared", "<a><title>x&foo;y</title></a>", "bad_xml"],
    ["such an entity as a key", '<a><title>x</title><entry key="&copy;">y</entry></a>', "bad_xml"],
    ["the end of a section that none has begun", "<a><title>x]]>y</title></a>", "bad_xml"],
    ["what is no base64", '<a><title encoding="base64">!!</title></a>', "bad_encoding"],
    ["the base64 of other than UTF-8", '<a><title encoding="base64">/w==</title></a>', "bad_encoding"],
    ["a forbidden character", "<a><title>x\u0001y</title></a>", "bad_xml"],
    ["< in an attribute, which would hide", '<a><title x="<!--">x&#1;y</title></a>', "bad_xml"],
    ["<! that begins nothing, which would hide", '<a><!b x="<!--"/><title>x&#1;y</title><!----></a>', "bad_xml"],
    ["a member that is given twice", "<a><title>x</title><title>y</title></a>", "duplicate_field"],
    ["a name that reaches a prototype", "<a><__proto__>x</__proto__></a>", "bad_xml"],
    ["such a name as an entry's key", '<a><entry key="__proto__">x</entry></a>', "bad_name"],
    ["a missing field", "<a><body>x</body></a>", "invalid_request"],
    ["text beside elements", "<a>text<title>x</title></a>", "mixed_content"],
    ["deep nesting", `<a>${"<b>".repeat(100)}${"</b>".repeat(100)}</a>`, "too_deep"],
    ["more elements than a body may have", `<a>${"<b/>".repeat(50_000)}</a>`, "content_too_long"],
    ["more attributes of instructions", `<a><?b ${'c="" '.repeat(50_000)}?></a>`, "content_too_long"],
    ["more attributes than a body may have", `<a>${'<b c="" d=""/>'.repeat(17_000)}</a>`, "content_too_long"],
  ])("answers 400 for %s", async (_what, body, code) => {
    const response = await send(body, "application/xml");
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, code]);
  });

  it("answers 415 for a text that is another one in the declared encoding, unless the header has its charset", async () => {
    const sent = async (encoding: string, title: string, type = "application/xml") =>
      (await send(`<?xml version="1.0" encoding="${encoding}"?><a><title>${title}</title></a>`, type)).status;
    expect(await sent("ISO-8859-1", "\u00e9")).toBe(415);
    expect(await sent("ISO-8859-1", "\u00e9", "application/xml; charset=utf-8")).toBe(201);
    expect(await sent("ISO-8859-1", "e")).toBe(201);
    expect(await sent("utf-16", "\u00e9")).toBe(201); // as writers do that write to a string
  });

  it("may write UTF-8 in the declaration, and space around booleans", async () => {
    const body =
      '<?xml version="1.0" encoding="utf-8"?>\n<!-- a --><a><title>&#x41;&amp;</title><private> true </private></a>\n';
    const response = await send(body, "application/xml");
    expect([response.status, await response.json()]).toEqual([
      201,
      expect.objectContaining({ data: expect.objectContaining({ title: "A&", private: true }) }),
    ]);
  });

  it("may write of forbidden characters where no reference is meant", async () => {
    const body = "<a><!-- &#0; --><title>&amp;#0;<![CDATA[&#xD800;]]>&#x1F600;</title></a>";
    const response = await send(body, "application/xml");
    expect(((await response.json()) as { data: { title: string } }).data.title).toBe("&#0;&#xD800;😀");
  });

  it.each([
    ["text", '="'.repeat(50_001)],
    ["a CDATA section", `<![CDATA[${"<b c=''/>".repeat(50_001)}]]>`],
    ["comments", `x${"<!-- <b/> -->".repeat(50_001)}`],
  ])(
    "may have %s with more of what looks like tags and attributes than a body may have of them",
    async (_what, text) => {
      const response = await send(`<a><tags>${text}</tags></a>`, "application/xml", "POST", "/api/things");
      expect(response.status).toBe(201);
    },
  );

  it("are not quoted in error messages", async () => {
    const response = await send("<a>".repeat(40_000), "application/xml");
    expect([response.status, (await response.text()).length < 1_000]).toEqual([400, true]);
  });
});

describe("forms", () => {
  it("convert what any branch of a schema describes", async () => {
    const form = "kind=7&size=1&weight=2&n_1=3&tags=4";
    const response = await send(form, "application/x-www-form-urlencoded", "POST", "/api/things");
    expect(await dataOf(response)).toMatchObject({ kind: 7, size: 1, weight: 2, n_1: 3, tags: "4" });
  });

  it("are accepted too, with booleans converted by the schema", async () => {
    expect(await dataOf(await send("title=%E5%9B%BE&private=true", "application/x-www-form-urlencoded"))).toMatchObject(
      { title: "图", private: true },
    );
  });
});

/** Any text that a title may hold. */
const titles = fc.string({ unit: "binary", minLength: 1, maxLength: 100 }).filter((text) => text.isWellFormed());
const xmlText = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  alwaysCreateTextNode: true,
});

function titleIn(xml: string): string {
  const { title } = (xmlText.parse(xml) as { result: { data: { title: { "#text"?: string; "@_encoding"?: string } } } })
    .result.data;
  const text = title["#text"] ?? "";
  return title["@_encoding"] === "base64" ? Buffer.from(text, "base64").toString("utf8") : text;
}

describe("every string that can be stored", () => {
  it("comes back from JSON and from XML, whether it was sent as JSON, XML or a form, escaped and relaxed", async () => {
    await fc.assert(
      fc.asyncProperty(
        titles,
        fc.constantFrom("json", "xml", "form"),
        fc.boolean(),
        async (title, format, isRelaxed) => {
          const [server, auth] = isRelaxed ? [relaxed, relaxedHeaders] : [app, headers];
          const [body, type] =
            format === "json"
              ? [JSON.stringify({ title }), "application/json"]
              : format === "xml"
                ? [writeXml({ title }, { relaxed: isRelaxed }), "application/xml"]
                : [new URLSearchParams({ title }).toString(), "application/x-www-form-urlencoded"];
          const created = await fetch(`${server.url}/api/articles`, {
            method: "POST",
            body,
            headers: { ...auth, "Content-Type": type },
          });
          expect(created.status).toBe(201);
          const location = `${server.url}${created.headers.get("location") ?? ""}`;
          expect((await dataOf(created))["title"]).toBe(title);
          const xml = await (await fetch(location, { headers: { ...auth, Accept: "application/xml" } })).text();
          expect(titleIn(xml)).toBe(title);
        },
      ),
      { numRuns: 200 },
    );
  });
});
