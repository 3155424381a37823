/** Names and values that a user may well choose, and that a program easily takes for something else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDescription } from "../../support/app/api-description.ts";
import { misfits, undeclared } from "../../support/app/reply-checker.ts";
import { startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let files: (typeof started)["files"];
let call: (typeof started)["call"];
let list: (typeof started)["list"];
beforeAll(async () => {
  started = await startUserCollections();
  ({ files, call, list } = started);
});
afterAll(() => started[Symbol.asyncDispose]());

describe.each(["constructor", "toString", "hasOwnProperty"])("a field named %s", (field) => {
  const collection = `${field.toLowerCase()}-teams`;
  const properties = { name: { type: "string" }, [field]: { type: "string" } };
  beforeAll(async () => {
    const seed = [{ name: "one" }, { name: "two" }];
    await files.load(collection, itemSchema(properties, { required: ["name"], hearth: { unique: [field], seed } }));
  });

  it("is stored, unique where it must be, and may be missing", async () => {
    expect((await call(collection, "POST", { name: "three", [field]: "Ferrari" })).status).toBe(201);
    const twice = await call(collection, "POST", { name: "four", [field]: "Ferrari" });
    expect([twice.status, twice.json.code]).toEqual([400, "duplicate_value"]);
    expect((await call(collection, "POST", { name: "five" })).status).toBe(201);
  });

  it("is searched, filtered and sorted by", async () => {
    const names = async (query: string) => (await list(`${collection}?${query}`)).map(({ name }) => name);
    expect(await names("q=ferr")).toEqual(["three"]);
    expect(await names(`${field}=Ferrari`)).toEqual(["three"]);
    expect((await names(`sort=-${field}`)).sort()).toEqual(["five", "one", "three", "two"]);
  });
});

it("a number that no text can hold again is refused, not lost", async () => {
  await files.load("points", itemSchema({ x: { type: "number" } }, { required: ["x"] }));
  const refused = await call("points", "POST", '{"x":1e400}');
  expect([refused.status, refused.json.details?.[0]?.field]).toEqual([400, "x"]);
  const form = { "Content-Type": "application/x-www-form-urlencoded", ...started.alice };
  expect((await call("points", "POST", "x=1e999", form)).status).toBe(400);
  expect(await list("points")).toEqual([]);
});

it("a number of any size is unique where it must be, and found by a filter", async () => {
  await files.load("sizes", itemSchema({ x: { type: "number" } }, { hearth: { unique: ["x"] } }));
  for (const x of [2 ** 53, 2 ** 60, -(2 ** 60), 2 ** 63 - 1024, 2 ** 63, -(2 ** 63), 1e20, 1e22, 0.1]) {
    expect((await call("sizes", "POST", { x })).status, String(x)).toBe(201);
    expect((await call("sizes", "POST", { x })).json, String(x)).toMatchObject({ code: "duplicate_value" });
    const query = `sizes?x=${encodeURIComponent(x)}`;
    for (const found of [await list(query), await list(`${query}&owner_uid=u1`)])
      expect(found.map((one) => one["x"])).toEqual([x]);
  }
});

it("a search for a text in a field without texts matches nothing", async () => {
  await files.load("dots", itemSchema({ x: { type: "number" } }));
  expect((await call("dots", "POST", { x: 1 })).status).toBe(201);
  expect(await list("dots?q=anything")).toEqual([]);
  expect(await list("dots?q=")).toHaveLength(1);
});

it("an item that belongs to nobody stays readable: it cannot become private", async () => {
  const properties = { title: { type: "string" }, draft: { type: "boolean" } };
  await files.load("drafts", itemSchema(properties, { hearth: { private: "draft", seed: [{ title: "S" }] } }));
  for (const method of ["PATCH", "PUT"]) {
    const refused = await call("drafts/1", method, { draft: true });
    expect([refused.status, refused.json.details?.[0]?.field]).toEqual([400, "draft"]);
  }
  expect((await call("drafts/1", "PATCH", { title: "T", draft: false })).status).toBe(200);
  expect(await list("drafts")).toEqual([expect.objectContaining({ title: "T" })]);
});

it("an item is answered as it is stored after a change that was refused, though the schema has new defaults", async () => {
  const home = (address: object) =>
    itemSchema(
      { draft: { type: "boolean" }, address: { type: "object", properties: address } },
      { hearth: { private: "draft", seed: [{ address: { city: "x" } }] } },
    );
  const country = { type: "string", default: "CN" };
  await files.load("homes", home({ city: { type: "string" } }));
  await files.load("homes", home({ city: { type: "string" }, country }));
  const before = await call("homes/1");
  expect((await call("homes/1", "PATCH", { draft: true })).status).toBe(400);
  const after = await call("homes/1");
  expect([after.headers.get("etag"), after.json.data?.["address"]]).toEqual([
    before.headers.get("etag"),
    { city: "x" },
  ]);
});

describe("the description of a collection", () => {
  const operation = async (id: string) => {
    const operations = await readDescription(`${started.app.url}/swagger/docs/v1`);
    const found = operations.find(({ operationId }) => operationId === id);
    if (!found) throw new Error(`no operation ${id}`);
    return found;
  };
  const string = { type: "string" };

  it("allows every merge patch that leaves an item valid, at any depth", async () => {
    const address = {
      type: "object",
      required: ["street", "city"],
      properties: { street: string, city: string, zip: string, lines: { type: "array", minItems: 1, items: string } },
      additionalProperties: false,
    };
    const means = [
      { type: "object", properties: { kind: { const: "card" }, card: string }, required: ["kind", "card"] },
      { type: "object", properties: { kind: { const: "cash" }, fen: { type: "integer" } }, required: ["kind", "fen"] },
    ].map((one) => ({ ...one, additionalProperties: false }));
    await files.load(
      "contacts",
      itemSchema(
        { name: string, mail: string, address, other: { $ref: "#/$defs/place" }, pays: { oneOf: means } },
        {
          required: ["name"],
          minProperties: 2,
          anyOf: [{ required: ["mail"] }, { required: ["address"] }],
          $defs: {
            place: { title: "Place", ...address, properties: { ...address.properties, in: { $ref: "#/$defs/place" } } },
          },
          hearth: { access: "none" },
        },
      ),
    );
    const place = { street: "s", city: "A", zip: "1" };
    const paid = { pays: { kind: "card", card: "1" }, other: { ...place, in: place } };
    expect((await call("contacts", "POST", { name: "A", address: place, ...paid })).status).toBe(201);
    const { requestBody } = await operation("updateContact");
    const patch = requestBody?.content["application/merge-patch+json"]?.schema ?? {};
    for (const right of [
      { address: { city: "B" } },
      { address: { zip: null, lines: ["1"] } },
      { name: "B" },
      { other: { in: { city: "C" } } },
      { pays: { kind: "cash", card: null, fen: 1 } },
      { mail: "a@b.c", address: null },
      {},
    ])
      expect([right, (await call("contacts/1", "PATCH", right)).status, misfits(patch, right)]).toEqual([
        right,
        200,
        [],
      ]);
    for (const wrong of [
      { name: null },
      { address: { city: 1 } },
      { address: { x: 1 } },
      { address: { lines: [] } },
      { pays: 1 },
    ])
      expect([wrong, misfits(patch, wrong).length > 0]).toEqual([wrong, true]);
  });

  it("demands nothing of an answer that is left out of it, and allows null where the server does", async () => {
    const card = {
      type: "object",
      properties: { cvv: { ...string, writeOnly: true }, tok: string },
      oneOf: [{ required: ["cvv"] }, { required: ["tok"] }],
    };
    const properties = {
      sure: string,
      nul: { ...string, nullable: true },
      any: {},
      counted: { type: "object", minProperties: 1, additionalProperties: { type: ["null", "integer"] } },
      dep: {
        type: "object",
        properties: { p: { ...string, nullable: true }, q: string },
        dependentRequired: { q: ["p"] },
      },
      card,
      secrets: { type: "array", minItems: 1, items: { ...string, writeOnly: true } },
      equal: { type: "array", uniqueItems: true, items: { type: "object" } },
      not: { type: "object", not: { properties: { a: string } } },
    };
    const required = Object.keys(properties);
    await files.load("sparse-things", itemSchema(properties, { required, hearth: { access: "none" } }));
    const create = await operation("createSparseThing");
    const item = {
      ...{ sure: "s", nul: null, any: null, counted: { a: null }, dep: { q: "x", p: null }, card: { cvv: "1" } },
      ...{ secrets: ["s"], equal: [{}, { a: null }], not: { a: null } },
    };
    expect(misfits(create.requestBody?.content["application/json"]?.schema ?? {}, item)).toEqual([]);
    const reply = await call("sparse-things", "POST", item);
    expect([reply.status, undeclared(create, reply)]).toEqual([201, []]);
    const answer = create.responses["201"]?.content?.["application/json"]?.schema ?? {};
    expect(misfits(answer, { data: { ...reply.json.data, sure: undefined } }).join()).toContain("sure");
  });
});
