/** Collections whose ids are texts: UUIDs, ULIDs and texts of any kind, made by the server or given by the client. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let files: (typeof started)["files"];
let call: (typeof started)["call"];
let list: (typeof started)["list"];
const text = { type: "string" };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const none = "00000000-0000-4000-8000-00000000000a";

beforeAll(async () => {
  started = await startUserCollections();
  ({ files, call, list } = started);
  await files.load("guests", {
    type: "object",
    properties: { id: { type: "string", format: "uuid" }, name: text },
  });
  await files.load("pages", itemSchema({ name: text }, { hearth: { id: "string" } }));
  await files.load("tickets", itemSchema({ name: text }, { hearth: { id: "ulid" } }));
});
afterAll(() => started[Symbol.asyncDispose]());

const at = (collection: string, id: string) => `${collection}/${encodeURIComponent(id)}`;

describe("a collection whose schema says that its ids are UUIDs", () => {
  it("gives a new item a UUID, under which every verb finds it", async () => {
    const made = await call("guests", "POST", { name: "Ada" });
    const id = String(made.json.data?.["id"]);
    expect([made.status, id]).toEqual([201, expect.stringMatching(uuid)]);
    expect(made.headers.get("Location")).toBe(`/api/guests/${id}`);
    const read = await call(at("guests", id), "GET");
    expect([read.status, read.json.data]).toEqual([200, made.json.data]);
    expect(read.headers.get("ETag")).toBe(made.headers.get("ETag"));
    expect((await call(at("guests", id), "PUT", { name: "Ada L." })).json.data).toMatchObject({ id, name: "Ada L." });
    expect((await call(at("guests", id), "PATCH", { name: "Lovelace" })).json.data).toMatchObject({
      id,
      name: "Lovelace",
    });
    expect((await call(at("guests", id), "DELETE")).status).toBe(204);
    expect((await call(at("guests", id), "GET")).status).toBe(404);
  });

  it("keeps a UUID that the client gives, in lower case, and reads it in either case", async () => {
    const made = await call("guests", "POST", { id: none.toUpperCase(), name: "Bob" });
    expect([made.status, made.json.data?.["id"]]).toEqual([201, none]);
    expect((await call(at("guests", none.toUpperCase()), "GET")).json.data).toMatchObject({ id: none, name: "Bob" });
    const again = await call("guests", "POST", { id: none, name: "Bobby" });
    expect([again.status, again.json.code, again.json.details?.[0]?.field]).toEqual([409, "id_taken", "id"]);
  });

  it.each([["Bob"], [1], [null], [`urn:uuid:${none}`], [""]])("answers 400 naming id for the id %j", async (id) => {
    const refused = await call("guests", "POST", { id, name: "x" });
    expect([refused.status, refused.json.details?.[0]?.field]).toEqual([400, "id"]);
  });

  it("answers 400 naming id when PUT or PATCH has another id than the path, and null is another one", async () => {
    const id = String((await call("guests", "POST", { name: "Eve" })).json.data?.["id"]);
    for (const [method, other] of [
      ["PUT", none],
      ["PATCH", none],
      ["PATCH", null],
    ] as const) {
      const refused = await call(at("guests", id), method, { id: other, name: "Eva" });
      expect([refused.status, refused.json.code, refused.json.details?.[0]?.field]).toEqual([400, "other_id", "id"]);
    }
    expect((await call(at("guests", id), "PUT", { id: id.toUpperCase(), name: "Eva" })).json.data).toMatchObject({
      id,
      name: "Eva",
    });
  });
});

describe("ids that are texts of any kind", () => {
  it.each([
    "a/b",
    "50%",
    "%2F",
    "...",
    "v1.2",
    "图书馆",
    "a b+c",
    "007",
    "1",
    "q?x=1#y",
    "new",
    "..a",
    "ä\u0308",
    "a,b",
    "'\"<>&",
    "😀".repeat(200),
  ])("serve an item under the id %j, percent-encoded in paths and in Location", async (id) => {
    const made = await call("pages", "POST", { id, name: `page ${id.length}` });
    expect([made.status, made.json.data?.["id"]]).toEqual([201, id]);
    const location = String(made.headers.get("Location"));
    expect(location).toBe(`/api/pages/${encodeURIComponent(id)}`);
    const path = location.replace("/api/", "");
    expect((await call(path, "GET")).json.data).toEqual(made.json.data);
    expect((await call(path, "PATCH", { name: "changed" })).json.data).toMatchObject({ id, name: "changed" });
    expect(await list(`pages?id=${encodeURIComponent(id)}`)).toMatchObject([{ id }]);
    expect((await call(path, "DELETE")).status).toBe(204);
  });

  it.each([".", "..", "", "a\nb", "\u0000", "\ud800", "x".repeat(201)])(
    "refuse %j, which no path can hold",
    async (id) => {
      const refused = await call("pages", "POST", { id });
      expect([refused.status, refused.json.details?.[0]?.field]).toEqual([400, "id"]);
    },
  );

  it("are those that were given, whatever they are, or refused with their name", async () => {
    const anyText = fc.oneof(fc.string({ unit: "binary", maxLength: 220 }), fc.string({ unit: "grapheme" }));
    await fc.assert(
      fc.asyncProperty(anyText, async (id) => {
        const isFine = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,200}$/u.test(id);
        const made = await call("pages", "POST", { id, name: "any" });
        if (!isFine) {
          expect([made.status, made.json.details?.[0]?.field]).toEqual([400, "id"]);
          return;
        }
        const path = String(made.headers.get("Location")).replace("/api/", "");
        const read = await call(path, "GET");
        expect([made.status, read.status, read.json.data?.["id"]]).toEqual([201, 200, id]);
        expect((await call(path, "DELETE")).status).toBe(204);
      }),
      { numRuns: 150 },
    );
  });

  it("are sorted, compared and counted as texts, the newest first unless the query says otherwise", async () => {
    for (const id of ["b2", "b10", "b1"]) await call("pages", "POST", { id, name: "sorted" });
    const ids = async (query: string) => (await list(`pages?name=sorted&${query}`)).map(({ id }) => id);
    expect(await ids("")).toEqual(["b1", "b10", "b2"]);
    expect(await ids("sort=id")).toEqual(["b1", "b10", "b2"]);
    expect(await ids("sort=-id")).toEqual(["b2", "b10", "b1"]);
    expect(await ids("id=b2&id=b1")).toEqual(["b1", "b2"]);
    expect(await ids("id[gt]=b1&sort=id")).toEqual(["b10", "b2"]);
    expect(await ids("id[ne]=b10&sort=id")).toEqual(["b1", "b2"]);
  });

  it("stay texts in XML and in forms", async () => {
    const posted = async (type: string, body: string) => {
      const response = await fetch(`${started.app.url}/api/pages`, {
        method: "POST",
        headers: { ...started.alice, "Content-Type": type, Accept: "application/json" },
        body,
      });
      return ((await response.json()) as { data: Record<string, unknown> }).data;
    };
    expect(await posted("application/x-www-form-urlencoded", "id=0071&name=1")).toMatchObject({
      id: "0071",
      name: "1",
    });
    expect(await posted("application/xml", "<page><id>0072</id></page>")).toMatchObject({ id: "0072" });
    expect(await posted("application/xml", "<page><name>a</name></page>")).toMatchObject({
      id: expect.stringMatching(uuid),
    });
  });

  it("are ULIDs in upper case where the schema says so", async () => {
    const made = await call("tickets", "POST", { name: "a" });
    expect(made.json.data?.["id"]).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    const own = "01arz3ndektsv4rrffq69g5fav";
    expect((await call("tickets", "POST", { id: own })).json.data?.["id"]).toBe(own.toUpperCase());
    expect((await call(at("tickets", own), "GET")).status).toBe(200);
    expect((await call("tickets", "POST", { id: "01arz3ndektsv4rrffq69g5fai" })).status).toBe(400);
  });
});

describe("a field that refers to an item whose id is a text", () => {
  beforeAll(async () => {
    await files.load(
      "shelves",
      itemSchema({ name: text }, { hearth: { seed: [{ id: "a/1", name: "A" }], id: "string" } }),
    );
    await files.load(
      "volumes",
      itemSchema(
        { title: text, shelf: { type: ["string", "null"], "x-hearth": { ref: "shelves" } } },
        { hearth: { id: "uuid" } },
      ),
    );
  });

  it("is checked, nested and expanded by that id, and protects the item from deletion", async () => {
    const refused = await call("volumes", "POST", { title: "x", shelf: "b" });
    expect([refused.status, refused.json.Message]).toEqual([400, expect.stringContaining("shelves/b does not exist")]);
    const first = await call("volumes", "POST", { title: "First", shelf: "a/1" });
    const second = await call("shelves/a%2F1/volumes", "POST", { title: "Second" });
    expect([first.status, second.status, second.json.data?.["shelf"]]).toEqual([201, 201, "a/1"]);
    expect((await list("shelves/a%2F1/volumes")).map((one) => one["title"])).toEqual(["Second", "First"]);
    expect((await call("shelves/b/volumes")).status).toBe(404);
    expect(await list("volumes?expand=shelf&title=First")).toMatchObject([{ shelf: { id: "a/1", name: "A" } }]);
    const held = await call("shelves/a%2F1", "DELETE");
    expect([held.status, held.json.code]).toEqual([409, "referred_to"]);
    expect(held.json.Message).toContain(`volumes/${String(first.json.data?.["id"])}`);
    for (const { id } of await list("volumes")) await call(`volumes/${String(id)}`, "PATCH", { shelf: null });
    expect((await call("shelves/a%2F1", "DELETE")).status).toBe(204);
  });

  it("is refused with its place when its type is not that of the ids", async () => {
    const refer = (type: string, to: string) => itemSchema({ to: { type, "x-hearth": { ref: to } } });
    expect(await files.fail("lamps", refer("integer", "shelves"))).toMatchObject({
      message: expect.stringMatching(/^properties.to.x-hearth.ref: "to" must have the type string/),
    });
    expect(await files.fail("lamps", refer("string", "articles"))).toMatchObject({
      message: expect.stringMatching(/^properties.to.x-hearth.ref: "to" must have the type integer/),
    });
  });
});

describe("the id of a schema that the server counts", () => {
  it("may stand in the schema, and be required there", async () => {
    await files.load("crates", {
      type: "object",
      required: ["id", "name"],
      properties: { id: { type: "integer", minimum: 1, description: "The number." }, name: text },
      additionalProperties: false,
    });
    const made = await call("crates", "POST", { name: "a", id: 77 });
    expect([made.status, made.json.data]).toEqual([201, expect.objectContaining({ id: 1, name: "a" })]);
    expect((await call("crates/1", "PUT", { ...made.json.data, name: "b" })).json.data).toMatchObject({
      id: 1,
      name: "b",
    });
  });
});

describe("the description", () => {
  it("says the type, the format and the limits of the ids, in paths, items and bodies", async () => {
    const document = (await (await fetch(`${started.app.url}/swagger/docs/v1`)).json()) as {
      paths: Record<string, Record<string, { parameters: object[]; responses: object }>>;
      components: { schemas: Record<string, { required?: string[]; properties: Record<string, object> }> };
    };
    const { paths, components } = document;
    expect(paths["/api/guests/{id}"]?.["get"]?.parameters).toContainEqual(
      expect.objectContaining({ name: "id", schema: expect.objectContaining({ type: "string", format: "uuid" }) }),
    );
    const { Guest, GuestInput, Page } = components.schemas;
    expect([Guest?.properties["id"], Guest?.required]).toEqual([
      { type: "string", format: "uuid" },
      expect.arrayContaining(["id", "owner_uid"]),
    ]);
    expect([GuestInput?.properties["id"], GuestInput?.required ?? []]).toEqual([
      { type: "string", format: "uuid" },
      [],
    ]);
    expect(Page?.properties["id"]).toEqual({ type: "string", minLength: 1, maxLength: 200 });
    expect(Object.keys(paths["/api/guests"]?.["post"]?.responses ?? {})).toContain("409");
  });
});
