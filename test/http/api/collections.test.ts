import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookSchema, startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let app: (typeof started)["app"];
let files: (typeof started)["files"];
let alice: (typeof started)["alice"];
let bob: (typeof started)["bob"];
let call: (typeof started)["call"];
let list: (typeof started)["list"];
beforeAll(async () => {
  started = await startUserCollections();
  ({ app, files, alice, bob, call, list } = started);
});
afterAll(() => started[Symbol.asyncDispose]());

describe("a schema file in the collections folder", () => {
  it("becomes a resource with every verb, while the server runs and the folder was not even there", async () => {
    expect((await call("books")).status).toBe(404);
    expect(await files.load("books", bookSchema)).toEqual({ file: files.pathOf("books"), name: "books", added: 0 });

    const created = await call("books", "POST", { title: "Grüße 图", pages: 12, price: 19.75 });
    expect(created.status).toBe(201);
    expect(created.json.data).toMatchObject({
      title: "Grüße 图",
      pages: 12,
      price: 19.75,
      stock: true,
      genre: "novel",
    });
    expect(created.json.status).toHaveProperty("access_token");
    const id = created.json.data?.id ?? 0;
    expect(created.headers.get("location")).toBe(`/api/books/${String(id)}`);
    const etag = created.headers.get("etag") ?? "";

    expect((await call(`books/${String(id)}`, "GET", undefined, { ...alice, "If-None-Match": etag })).status).toBe(304);
    expect((await call(`books/${String(id)}`, "PATCH", { pages: 13 })).json.data).toMatchObject({
      pages: 13,
      price: 19.75,
    });
    expect((await call(`books/${String(id)}`, "PUT", { title: "x" }, { ...alice, "If-Match": etag })).status).toBe(412);
    expect((await call(`books/${String(id)}`, "PUT", { title: "x" })).json.data).not.toHaveProperty("pages");
    const head = await fetch(`${app.url}/api/books/${String(id)}`, { method: "HEAD", headers: alice });
    expect([head.status, await head.text(), head.headers.has("etag")]).toEqual([200, "", true]);
    expect((await call(`books/${String(id)}`, "OPTIONS")).headers.get("allow")).toBe(
      "GET, PUT, PATCH, DELETE, HEAD, OPTIONS",
    );
    expect((await call("books", "PUT", {})).status).toBe(405);
    expect((await call(`books/${String(id)}`, "DELETE")).status).toBe(204);
    expect((await call(`books/${String(id)}`)).status).toBe(404);
    expect((await call("books", "GET", undefined, {})).status).toBe(401);
  });

  it("answers 400 naming every field that does not fit the schema", async () => {
    await files.load("volumes", bookSchema);
    const refused = await call("volumes", "POST", {
      pages: 0,
      isbn: "12",
      colour: "red",
      publisher: {},
      tags: ["a", "a"],
    });
    expect(refused.status).toBe(400);
    expect(refused.json.details?.map(({ field }) => field).sort()).toEqual([
      "colour",
      "isbn",
      "pages",
      "publisher.name",
      "tags",
      "title",
    ]);
    expect((await call("volumes", "POST", { title: "x", price: 1.001 })).json.details).toEqual([
      expect.objectContaining({ field: "price" }),
    ]);
    expect((await call("volumes", "POST", "[]")).status).toBe(400);
    const { data } = (await call("volumes", "POST", { title: "ok" })).json;
    expect((await call(`volumes/${String(data?.id)}`, "PATCH", { title: null })).json.details).toEqual([
      { field: "title", problem: "is missing" },
    ]);
  });

  it("counts cents as people do, not as binary fractions", async () => {
    await files.load("coins", itemSchema({ value: { type: "number", multipleOf: 0.01 } }));
    const statusOf = async (value: number) => (await call("coins", "POST", { value })).status;
    for (const value of [19.99, 0.07, 1.15, 153896.89, 0]) expect([value, await statusOf(value)]).toEqual([value, 201]);
    for (const value of [1.001, 19.995, 5e-324]) expect([value, await statusOf(value)]).toEqual([value, 400]);
  });

  it("takes back an item as it answered it, members of the server included", async () => {
    await files.load("leaflets", bookSchema);
    const { data } = (await call("leaflets", "POST", { title: "before" })).json;
    const sent = await call(`leaflets/${String(data?.id)}`, "PUT", {
      ...data,
      title: "after",
      id: 99,
      owner_uid: "u77",
    });
    expect([sent.status, sent.json.data]).toEqual([
      200,
      expect.objectContaining({ id: data?.id, title: "after", owner_uid: data?.["owner_uid"] }),
    ]);
  });

  it("accepts and answers XML and forms, with texts converted by the schema", async () => {
    await files.load("papers", bookSchema);
    const xml = `<result><title>5</title><pages>7</pages><stock>false</stock><tags><item>9</item></tags><publisher><name>1</name></publisher></result>`;
    const posted = await call("papers", "POST", xml, { ...alice, "Content-Type": "application/xml" });
    expect(posted.json.data).toMatchObject({
      title: "5",
      pages: 7,
      stock: false,
      tags: ["9"],
      publisher: { name: "1" },
    });
    const form = await call("papers", "POST", "title=8&pages=9&stock=true", {
      ...alice,
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect(form.json.data).toMatchObject({ title: "8", pages: 9, stock: true });
    const answered = await call(`papers/${String(posted.json.data?.id)}`, "GET", undefined, {
      ...alice,
      Accept: "application/xml",
    });
    expect(answered.text).toContain("<title>5</title><pages>7</pages>");
  });

  it("lists with paging, filters by type, search and sort, and 400 above the page limit", async () => {
    await files.load(
      "songs",
      itemSchema(
        {
          name: { type: "string" },
          length: { type: "integer" },
          live: { type: "boolean" },
          key: { type: "string", writeOnly: true },
        },
        { hearth: { pageLimit: 3 } },
      ),
    );
    for (const [name, length, live] of [
      ["Wind", 3, true],
      ["rain", 10, false],
      ["Winter", 5, false],
      ["sun", 5, true],
    ] as const)
      await call("songs", "POST", { name, length, live, key: "wind" });
    const names = async (query: string) => (await list(`songs?${query}`)).map(({ name }) => name);
    expect(await names("sort=length,name")).toEqual(["Wind", "Winter", "sun"]);
    expect(await names("length=5")).toEqual(["sun", "Winter"]);
    expect(await names("live=true")).toEqual(["sun", "Wind"]);
    expect(await names("q=win")).toEqual(["Winter", "Wind"]);
    expect(await names("name=rain")).toEqual(["rain"]);
    const [rain] = await list("songs?name=rain");
    expect(await names(`id=${String(rain?.["id"])}&owner_uid=${String(rain?.["owner_uid"])}`)).toEqual(["rain"]);
    expect(await names("page=2")).toEqual(["Wind"]);
    expect((await call("songs?page_size=4")).status).toBe(400);
    expect((await call("songs?live=perhaps")).json.code).toBe("bad_filter");
    // A secret can neither be looked for nor ordered by.
    expect((await call("songs?sort=key")).status).toBe(400);
    expect((await call("songs?key=wind")).json.code).toBe("unknown_field");
  });

  it("filters by a field that has a format for texts of that format alone", async () => {
    const formats = ["date", "time", "date-time", "email", "uuid", "ipv4"];
    const properties = Object.fromEntries(formats.map((format) => [format, { type: "string", format }]));
    await files.load("dues", itemSchema({ ...properties, any: { type: "string" } }));
    const due = { date: "2024-02-29", time: "08:30:00Z", email: "ada@example.org", ipv4: "127.0.0.1" };
    await call("dues", "POST", due);
    for (const [format, text] of Object.entries(due)) expect(await list(`dues?${format}=${text}`)).toHaveLength(1);
    expect(await list("dues?any=2026-02-30")).toEqual([]);
    for (const query of [
      "date=2026-02-30",
      "time=25:00:00Z",
      "date-time=2026-04-31T00:00:00Z",
      "email=ada",
      "uuid=7",
    ]) {
      const refused = await call(`dues?${query}`);
      expect([refused.status, refused.json.code], query).toEqual([400, "bad_filter"]);
    }
  });

  it("never answers what the schema says is write-only, at any depth and in any branch", async () => {
    await files.load(
      "members",
      itemSchema(
        {
          name: { type: "string" },
          pin: { type: "string", writeOnly: true },
          device: {
            anyOf: [
              { type: "object", properties: { key: { type: "string", writeOnly: true }, os: { type: "string" } } },
            ],
          },
          logins: { type: "array", items: { $ref: "#/$defs/login" } },
        },
        {
          $defs: { login: { type: "object", properties: { at: { type: "string" }, secret: { writeOnly: true } } } },
          allOf: [{ properties: { hidden: { writeOnly: true } } }],
        },
      ),
    );
    const sent = {
      name: "x",
      pin: "S3CRET",
      device: { key: "S3CRET", os: "linux" },
      logins: [{ at: "now", secret: "S3CRET" }],
      hidden: "S3CRET",
      other: "kept",
    };
    const created = await call("members", "POST", sent);
    const at = `members/${String(created.json.data?.id)}`;
    const shown = { name: "x", device: { os: "linux" }, logins: [{ at: "now" }], other: "kept" };
    expect(created.json.data).toMatchObject(shown);
    for (const answer of [created, await call(at), await call("members"), await call(at, "PATCH", { name: "y" })])
      expect(answer.text).not.toContain("S3CRET");
  });

  it("lets only the owner change or delete by default, and shows a private item to its owner alone", async () => {
    await files.load(
      "diaries",
      itemSchema({ text: { type: "string" }, hidden: { type: "boolean" } }, { hearth: { private: "hidden" } }),
    );
    const { data } = (await call("diaries", "POST", { text: "mine", hidden: true })).json;
    const at = `diaries/${String(data?.id)}`;
    expect([(await call(at, "GET", undefined, bob)).status, await list("diaries", bob)]).toEqual([403, []]);
    await call(at, "PATCH", { hidden: false });
    expect((await call(at, "GET", undefined, bob)).status).toBe(200);
    expect((await call(at, "PUT", { text: "his" }, bob)).status).toBe(403);
    expect((await call(at, "DELETE", undefined, bob)).status).toBe(403);
  });

  it('lets everybody change an item with owner "anyone", and needs no login with access "none"', async () => {
    await files.load("boards", itemSchema({ text: { type: "string" } }, { hearth: { owner: "anyone" } }));
    const board = (await call("boards", "POST", { text: "a" })).json.data;
    expect((await call(`boards/${String(board?.id)}`, "PATCH", { text: "b" }, bob)).status).toBe(200);

    await files.load("posters", itemSchema({ text: { type: "string" } }, { hearth: { access: "none" } }));
    const created = await call("posters", "POST", { text: "open" }, {});
    expect([created.status, JSON.parse(created.text)]).toEqual([
      201,
      expect.objectContaining({ text: "open", owner_uid: "" }),
    ]);
    const answered = await call("posters", "GET", undefined, {});
    expect(JSON.parse(answered.text)).toEqual([expect.objectContaining({ text: "open" })]);
  });

  it("answers 405 to a disabled method and 400 to a value that must be unique", async () => {
    await files.load(
      "codes",
      itemSchema(
        { code: { type: "string" }, note: { type: "string" } },
        { hearth: { unique: ["code"], disabled: ["DELETE"] } },
      ),
    );
    const { data } = (await call("codes", "POST", { code: "A" })).json;
    expect((await call("codes", "POST", { code: "A" })).json).toMatchObject({ code: "duplicate_value" });
    expect((await call("codes", "POST", { note: "no code" })).status).toBe(201);
    expect((await call("codes", "POST", { note: "no code either" })).status).toBe(201);
    const refused = await call(`codes/${String(data?.id)}`, "DELETE");
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, PUT, PATCH, HEAD, OPTIONS"]);
  });
});
