/** A value is given back as it came, in every format. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { fuzzSeed } from "../../support/fuzz-seed.ts";
import { itemsOfSchemas } from "../../support/app/items-of-schemas.ts";
import { startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let files: (typeof started)["files"];
let call: (typeof started)["call"];
beforeAll(async () => {
  started = await startUserCollections();
  ({ files, call } = started);
});
afterAll(() => started[Symbol.asyncDispose]());

const open = { access: "none" };
const xml = { "Content-Type": "application/xml" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
type Fields = Record<string, unknown>;

/** The item's own members, as it is answered. */
async function itemAt(path: string): Promise<Fields> {
  const { id, owner_uid, created_at, updated_at, ...own } = (await call(path)).json as Fields;
  void [id, owner_uid, created_at, updated_at];
  return own;
}

/** Posts an item, and expects it to come through every way back unchanged. */
async function expectRoundTrip(collection: string, item: Fields): Promise<void> {
  const created = await call(collection, "POST", item, {});
  expect([created.status, created.text]).toEqual([201, expect.anything()]);
  const path = `${collection}/${String((created.json as Fields)["id"])}`;
  expect(await itemAt(path)).toEqual(item);
  const whole = (await call(path)).json;
  expect((await call(path, "PUT", whole, {})).status).toBe(200);
  expect(await itemAt(path)).toEqual(item);
  expect((await call(path, "PATCH", {}, {})).status).toBe(200);
  expect(await itemAt(path)).toEqual(item);
  const written = await call(path, "GET", undefined, { Accept: "application/xml" });
  const again = await call(collection, "POST", written.text, xml);
  expect([again.status, written.text]).toEqual([201, written.text]);
  expect(await itemAt(`${collection}/${String((again.json as Fields)["id"])}`)).toEqual(item);
}

describe("what is stored", () => {
  it("is given back by every format, whatever the schema and the item", async () => {
    const trips = fc.sample(itemsOfSchemas, { numRuns: 20, seed: fuzzSeed }).map(({ item, schema }, index) => {
      const hearth = { singular: `trip${String(index)}`, access: "none" };
      files.write(`trips-${String(index)}`, { ...schema, "x-hearth": hearth });
      return { collection: `trips-${String(index)}`, item };
    });
    for (const { collection, item } of trips) {
      await eventually(async () => expect([collection, (await call(collection)).status]).toEqual([collection, 200]));
      await expectRoundTrip(collection, item);
    }
  });

  it("is answered where patternProperties allow it, at the top and inside", async () => {
    const patterns = { patternProperties: { "^x-": { type: "string" } }, additionalProperties: false };
    await files.load(
      "headers",
      itemSchema({ name: { type: "string" }, in: { type: "object", ...patterns } }, { ...patterns, hearth: open }),
    );
    await expectRoundTrip("headers", { name: "a", "x-color": "red", in: { "x-y": "z" } });
    expect((await call("headers", "POST", { name: "a", y: 1 }, {})).status).toBe(400);
  });

  it("is answered where members have a schema without a name", async () => {
    await files.load(
      "counts",
      itemSchema({}, { additionalProperties: { type: "integer" }, hearth: open, properties: { a: {} } }),
    );
    await expectRoundTrip("counts", { b: 1, constructor: 2, "": 3, "\u0001": 4 });
  });

  it("keeps its null members", async () => {
    const nullable = { type: ["string", "null"] };
    await files.load(
      "nulls",
      itemSchema(
        { a: nullable, regex: { ...nullable, default: "(.*)" }, list: { type: "array" }, in: { type: "object" } },
        { required: ["a"], hearth: open },
      ),
    );
    await expectRoundTrip("nulls", { a: null, regex: null, free: null, list: [null, [null]], in: { x: null } });
  });
});

describe("XML and forms", () => {
  it("have a boolean where a schema lists it beside texts", async () => {
    await files.load("maps", itemSchema({ map: { enum: [true, false, "inline"] } }, { hearth: open }));
    for (const [text, map] of [
      ["true", true],
      ["inline", "inline"],
    ] as const)
      expect((await call("maps", "POST", `map=${text}`, form)).json).toMatchObject({ map });
    await expectRoundTrip("maps", { map: false });
  });

  it("have a number where the text is none of the alternatives", async () => {
    const port = { anyOf: [{ type: "integer" }, { type: "string", pattern: "^[a-z]+$" }] };
    await files.load("ports", itemSchema({ port, more: { type: "array", items: port } }, { hearth: open }));
    const posted = await call("ports", "POST", "<result><port>80</port><more><item>1</item></more></result>", xml);
    expect(posted.json).toMatchObject({ port: 80, more: [1] });
    expect((await call("ports", "POST", "port=80", form)).json).toMatchObject({ port: 80 });
    await expectRoundTrip("ports", { port: 80, more: [80, "a"] });
  });

  it("know a schema that leads back into itself", async () => {
    const schema = itemSchema(
      { done: { type: "boolean" }, children: { type: "array", items: { $ref: "#" } } },
      { hearth: open },
    );
    await files.load("tasks", schema);
    await expectRoundTrip("tasks", { done: false, children: [{ done: true, children: [{ done: false }] }] });
  });

  it("tell lists and objects apart, empty ones and such with a member named item", async () => {
    const either = { type: ["array", "object", "string", "number", "boolean", "null"] };
    await files.load("shapes", itemSchema({ a: either, b: { items: either } }, { hearth: open }));
    for (const a of [[], {}, "", " ", [1], { item: 1 }, { item: [] }, 1, "1", true, "true", null, [[]], [{}], [""]])
      await expectRoundTrip("shapes", { a, b: [a, a], free: a });
  });

  it("take repeated names and names in brackets for lists and objects", async () => {
    const properties = { tags: { type: "array", items: { type: "string" } }, meta: { type: "object" } };
    await files.load(
      "notes",
      itemSchema(
        { ...properties, sizes: { type: "array", items: { type: "integer" } }, "a[b]": { type: "string" } },
        { hearth: open },
      ),
    );
    for (const [text, item] of [
      ["tags=a&tags=b", { tags: ["a", "b"] }],
      ["tags=a", { tags: ["a"] }],
      ["tags[]=a&tags[]=b", { tags: ["a", "b"] }],
      ["sizes[1]=1&sizes[0]=2", { sizes: [2, 1] }],
      ["meta[a]=b&meta[c][d]=e&tags[0]=x", { meta: { a: "b", c: { d: "e" } }, tags: ["x"] }],
      ["x=1&x=2", { x: ["1", "2"] }],
      ["a[b]=c", { "a[b]": "c" }],
    ] as const)
      expect([text, (await call("notes", "POST", text, form)).json]).toEqual([text, expect.objectContaining(item)]);
    const twice = await call("notes", "POST", "a[b]=1&a[b]=2", form);
    expect([twice.status, twice.json.code]).toEqual([400, "duplicate_field"]);
  });
});

describe("a whole number beyond 2^53", () => {
  const big = "1234567890123456789";
  it("is refused by name, whatever brings it", async () => {
    await files.load("sums", itemSchema({ n: { type: "integer" }, in: {} }, { hearth: open }));
    for (const [body, headers, field] of [
      [`{"n":${big}}`, { "Content-Type": "application/json" }, "n"],
      [`{"n":1,"in":[{"a":1.${big}e18}]}`, { "Content-Type": "application/json" }, "in.0.a"],
      [`<a><n>${big}</n></a>`, xml, "n"],
      [`n=${big}`, form, "n"],
    ] as const) {
      const refused = await call("sums", "POST", body, headers);
      expect([body, refused.status, refused.json.details?.[0]?.field]).toEqual([body, 400, field]);
    }
    for (const kept of ["9007199254740993e0", "9007199254740992", "1e300", "-1180591620717411303424"]) {
      const { status, json } = await call("sums", "POST", `{"n":${kept}}`, { "Content-Type": "application/json" });
      expect([kept, status]).toEqual([
        kept,
        kept.startsWith("9007199254740993") || kept.startsWith("-118") ? 400 : 201,
      ]);
      if (status === 201) expect((json as Fields)["n"]).toBe(Number(kept));
    }
  });

  it("is refused in a seed and in a fixed answer, with its place", async () => {
    const seeded = `{"type":"object","properties":{"n":{"maximum":${big}}},"x-hearth":{"seed":[{"n":${big}}]}}`;
    const rounded = "is a whole number beyond 2^53, which would be rounded: write a text";
    const place = { line: 1, column: 90, message: `x-hearth.seed.0.n: ${rounded}` };
    expect(await files.fail("seeds", seeded)).toMatchObject(place);
    const routes = `{"routes":[{"path":"/api/sum","body":{"id":${big}}}]}`;
    expect(await files.failRoutes(routes)).toMatchObject({ line: 1, message: `routes.0.body.id: ${rounded}` });
  });
});
