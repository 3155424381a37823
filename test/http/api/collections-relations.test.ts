/** Relations between collections: what a client may store, delete, nest and expand. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askConsole } from "../../support/app/ask-console.ts";
import { startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let files: (typeof started)["files"];
let call: (typeof started)["call"];
let list: (typeof started)["list"];
const name = { type: "string" };
const refer = (to: string, more: object = {}) => ({ type: "integer", "x-hearth": { ref: to }, ...more });

beforeAll(async () => {
  started = await startUserCollections();
  ({ files, call, list } = started);
  await files.load("countries", itemSchema({ name }, { hearth: { seed: [{ name: "Chile" }, { name: "Peru" }] } }));
  await files.load(
    "authors",
    itemSchema(
      { name, country: refer("countries"), pin: { type: "string", writeOnly: true }, hidden: { type: "boolean" } },
      {
        additionalProperties: false,
        hearth: {
          private: "hidden",
          seed: [
            { name: "Isabel", country: 1, pin: "1234" },
            { name: "Mario", country: 2 },
          ],
        },
      },
    ),
  );
  await files.load(
    "books",
    itemSchema(
      { title: name, author: refer("authors", { description: "Who wrote it." }), editor: refer("authors") },
      { required: ["title", "author"], additionalProperties: false },
    ),
  );
  await files.load("notes", itemSchema({ text: name, author: refer("authors") }));
  for (const title of ["Eva Luna", "Paula"]) await call("books", "POST", { title, author: 1 });
  await call("books", "POST", { title: "Conversación", author: 2, editor: 1 });
});
afterAll(() => started[Symbol.asyncDispose]());

describe("a field that refers to another collection", () => {
  it("takes the id of an item that exists, by every verb that writes", async () => {
    const refused = await call("books", "POST", { title: "Nobody's", author: 99 });
    expect([refused.status, refused.json.code, refused.json.details?.[0]?.field]).toEqual([
      400,
      "unknown_reference",
      "author",
    ]);
    expect((await call("books/1", "PATCH", { author: 99 })).status).toBe(400);
    expect((await call("books/1", "PUT", { title: "Eva Luna", author: 99 })).status).toBe(400);
    expect((await call("books/1", "PATCH", { editor: 2 })).status).toBe(200);
    expect((await call("books/1", "PATCH", { editor: null })).json.data).not.toHaveProperty("editor");
  });

  it("takes no id of a collection that is not served, by any way that writes, until it is served again", async () => {
    const imported = { items: [{ of: 1 }] };
    await files.load("prints", itemSchema({ name }, { hearth: { seed: [{ name: "first" }] } }));
    await files.load("covers", itemSchema({ of: refer("prints") }));
    await call("covers", "POST", { of: 1 });
    await files.remove("prints");
    const item = "/collections/covers/items";
    const refusals = [
      ["unknown_reference", (await call("covers", "POST", { of: 1 })).json],
      ["unknown_reference", (await call("covers/1", "PUT", { of: 1 })).json],
      ["unknown_reference", (await call("covers/1", "PATCH", { of: 1 })).json],
      ["unknown_reference", (await askConsole(started.app, "POST", item, { data: { of: 1 } })).body],
      ["unknown_reference", (await askConsole(started.app, "PUT", `${item}/1`, { version: 1, data: { of: 1 } })).body],
      ["invalid_data", (await askConsole(started.app, "POST", "/collections/covers/imports", imported)).body],
    ] as const;
    for (const [code, refusal] of refusals)
      expect(refusal).toMatchObject({ code, Message: expect.stringContaining("prints/1 does not exist") });
    await files.load("prints", itemSchema({ name }));
    expect((await call("covers/1", "PATCH", { of: 1 })).status).toBe(200);
    expect((await askConsole(started.app, "POST", "/collections/covers/imports", imported)).status).toBe(201);
  });

  it.each([2 ** 53, 2 ** 63, 1e19, -1e21, 1e300])("takes no id that no item can have: %d", async (author) => {
    expect((await call(`books?author=${encodeURIComponent(author)}`)).json).toMatchObject({ data: [] });
    for (const [path, verb, more] of [
      ["books", "POST", { title: "Nobody's" }],
      ["books/1", "PUT", { title: "Eva Luna" }],
      ["books/1", "PATCH", {}],
    ] as const) {
      const refused = await call(path, verb, { ...more, author });
      expect([verb, refused.status, refused.json]).toMatchObject([
        verb,
        400,
        { code: "unknown_reference", details: [{ field: "author" }] },
      ]);
    }
  });

  it.each(["1e21", "99999999999999999999", "-99999999999999999999"])("is not led to by the text %s", async (text) => {
    const form = { ...started.alice, "Content-Type": "application/x-www-form-urlencoded" };
    const sent = await call("books", "POST", `title=x&author=${text}`, form);
    const code = /9{20}/.test(text) ? "bad_number" : "unknown_reference";
    expect([sent.status, sent.json.code]).toEqual([400, code]);
    expect((await call("books", "POST", { title: "x", author: text })).status).toBe(400);
    for (const path of [`books/${text}`, `authors/${text}/books`, `books?page=${text}`, `books?page_size=${text}`])
      expect([path, (await call(path)).status]).toEqual([path, 400]);
  });

  it("keeps what it refers to from being deleted (409), until nothing refers to it any more", async () => {
    const refused = await call("authors/1", "DELETE");
    expect([refused.status, refused.json.code]).toEqual([409, "referred_to"]);
    expect(refused.json.Message).toContain("books/1");
    await call("authors", "POST", { name: "Unread" });
    const [unread] = await list("authors?name=Unread");
    expect((await call(`authors/${unread?.id}`, "DELETE")).status).toBe(204);
  });

  it("lets an item refer to another one of its own collection, and then be deleted with no other", async () => {
    await files.load("tasks", itemSchema({ name, parent: refer("tasks") }));
    await call("tasks", "POST", { name: "whole" });
    expect((await call("tasks/1/tasks", "POST", { name: "part" })).json.data).toMatchObject({ id: 2, parent: 1 });
    expect((await call("tasks/1", "DELETE")).status).toBe(409);
    await call("tasks/2", "PATCH", { parent: 2 });
    expect([(await call("tasks/2", "DELETE")).status, (await call("tasks/1", "DELETE")).status]).toEqual([204, 204]);
  });

  it("may refer to a built-in collection", async () => {
    await files.load("comments", itemSchema({ text: name, article: refer("articles") }));
    const { json } = await call("articles", "POST", { title: "News" });
    expect((await call(`articles/${json.data?.id}/comments`, "POST", { text: "Ah" })).status).toBe(201);
    expect((await call(`articles/${json.data?.id}`, "DELETE")).status).toBe(409);
    expect((await call("comments?expand=article")).json.data).toMatchObject([{ article: { title: "News" } }]);
  });
});

describe("routes below an item", () => {
  it("list the items that refer to it, with paging, filters and sorting", async () => {
    const { json, headers } = await call("authors/1/books?sort=title&page_size=1");
    expect(json.data?.map(({ title }) => title)).toEqual(["Eva Luna"]);
    expect(headers.get("x-total-count")).toBe("2");
    expect(headers.get("link")).toContain("/api/authors/1/books?");
    expect((await list("authors/1/books?title=Paula")).map(({ id }) => id)).toEqual([2]);
    expect((await call("authors/99/books")).status).toBe(404);
    expect((await call("authors/1/books", "DELETE")).status).toBe(405);
  });

  it("create an item that refers to it, and refuse one that refers elsewhere", async () => {
    const made = await call("authors/2/books", "POST", { title: "Lituma" });
    expect([made.status, made.json.data?.["author"]]).toEqual([201, 2]);
    expect(made.headers.get("location")).toBe(`/api/books/${made.json.data?.id}`);
    expect((await call("authors/2/books", "POST", { title: "Lituma", author: 1 })).status).toBe(400);
    expect((await call("authors/2/books", "POST", { pages: 1 })).status).toBe(400);
    expect((await call("authors/2/books", "POST", { title: "x" }, {})).status).toBe(401);
  });

  it.each([
    ["application/json", "null"],
    ["application/json", "5"],
    ["application/json", '"x"'],
    ["application/json", '[{"title":"a"},{"title":"b"}]'],
    ["application/xml", "<a>hello</a>"],
  ])("create nothing of what is no item, as the collection itself: %s %s", async (type, body) => {
    const headers = { ...started.alice, "Content-Type": type };
    const refused = await call("authors/1/notes", "POST", body, headers);
    expect([refused.status, refused.json.code]).toEqual([400, "invalid_request"]);
    expect(refused.json).toEqual((await call("notes", "POST", body, headers)).json);
    expect(await list("notes")).toEqual([]);
  });

  it("are closed below an item that the caller may not read", async () => {
    const { json } = await call("authors", "POST", { name: "Secret", hidden: true }, started.bob);
    expect((await call(`authors/${json.data?.id}/books`)).status).toBe(403);
    expect((await call(`authors/${json.data?.id}/books`, "GET", undefined, started.bob)).status).toBe(200);
  });
});

describe("?expand=", () => {
  it("answers the items in place of their ids, several and deeper ones too, on lists and single items", async () => {
    const [book] = await list("books?title=Conversación&expand=author.country,editor");
    expect(book).toMatchObject({
      author: { id: 2, name: "Mario", country: { id: 2, name: "Peru" } },
      editor: { id: 1, name: "Isabel", country: 1 },
    });
    expect((await call("books/1?expand=author")).json.data).toMatchObject({ author: { name: "Isabel" } });
    expect((await list("authors/2/books?expand=author"))[0]).toMatchObject({ author: { name: "Mario" } });
    expect((await call("books/1")).json.data).toMatchObject({ author: 1 });
  });

  it("answers no secret, and leaves what the caller may not read an id", async () => {
    expect(JSON.stringify(await list("books?expand=author"))).not.toContain("1234");
    const { json } = await call("authors", "POST", { name: "Bob's", hidden: true }, started.bob);
    const { json: made } = await call("books", "POST", { title: "Under cover", author: json.data?.id });
    expect((await call(`books/${made.data?.id}?expand=author`)).json.data?.["author"]).toBe(json.data?.id);
    const own = await call(`books/${made.data?.id}?expand=author`, "GET", undefined, started.bob);
    expect(own.json.data?.["author"]).toMatchObject({ name: "Bob's" });
  });

  it("leaves an id that no item can have as it is", async () => {
    await files.load("sequels", itemSchema({ of: refer("books") }, { hearth: { seed: [{ of: 1e21 }, { of: -1 }] } }));
    expect(await list("sequels?expand=of&sort=id")).toMatchObject([{ of: 1e21 }, { of: -1 }]);
  });

  it("is 400 for an unknown name, more than three deep, and for too many names", async () => {
    await files.load("links", itemSchema({ next: refer("links") }));
    for (const bad of ["books?expand=publisher", "books/1?expand=author.shoe", "links?expand=next.next.next.next"])
      expect([bad, (await call(bad)).status]).toEqual([bad, 400]);
    expect((await call(`books?expand=${Array(11).fill("author").join(",")}`)).status).toBe(400);
    expect((await call("books?expand=publisher")).json.Message).toContain("author, editor");
  });

  it("is answered anew though the item has not changed, and never opens what asks for a login", async () => {
    const etag = (await call("books/1")).headers.get("etag") ?? "";
    const unchanged = { ...started.alice, "If-None-Match": etag };
    expect((await call("books/1", "GET", undefined, unchanged)).status).toBe(304);
    expect((await call("books/1?expand=author", "GET", undefined, unchanged)).status).toBe(200);
    await files.load("shelves", itemSchema({ book: refer("books") }, { hearth: { access: "none" } }));
    await call("shelves", "POST", { book: 1 }, {});
    await files.load("labels", itemSchema({ shelf: refer("shelves") }));
    await call("labels", "POST", { shelf: 1 });
    expect((await list("labels?expand=shelf.book"))[0]).toMatchObject({ shelf: { book: { title: "Eva Luna" } } });
    await files.load("shelves", itemSchema({ book: refer("books") }, { hearth: { disabled: ["GET"] } }));
    expect((await list("labels?expand=shelf"))[0]).toMatchObject({ shelf: 1 });
    await files.load("shelves", itemSchema({ book: refer("books") }, { hearth: { access: "none" } }));
    expect((await call("shelves?expand=book", "GET", undefined, {})).status).toBe(400);
  });
});

describe("the description", () => {
  it("names relations, nested routes and what expand takes", async () => {
    const { paths, components } = (await (await fetch(`${started.app.url}/swagger/docs/v1`)).json()) as {
      paths: Record<
        string,
        Record<string, { operationId: string; parameters: { name: string; description: string }[] }>
      >;
      components: { schemas: Record<string, { properties: Record<string, object>; required?: string[] }> };
    };
    const nested = paths["/api/authors/{id}/books"];
    expect([nested?.["get"]?.operationId, nested?.["post"]?.operationId]).toEqual([
      "listBooksOfAuthors",
      "createBookOfAuthors",
    ]);
    expect(paths["/api/books"]?.["get"]?.parameters.find((one) => one.name === "expand")?.description).toContain(
      "editor (authors)",
    );
    expect(paths["/api/books/{id}"]?.["get"]?.parameters.map((one) => one.name)).toContain("expand");
    const { Book, BookInput, BookOfAuthorsInput } = components.schemas;
    expect(Book?.properties["author"]).toMatchObject({
      description: "Who wrote it.",
      anyOf: [{ type: "integer" }, { type: "object" }],
    });
    expect(BookInput?.properties["author"]).toMatchObject({ type: "integer" });
    expect([BookInput?.required, BookOfAuthorsInput?.required]).toEqual([["title", "author"], ["title"]]);
  });
});

describe("a schema file", () => {
  it("is refused at the place of a relation that cannot be one", async () => {
    const bad = async (schema: object) => (await files.fail("oddities", schema))["message"];
    expect(await bad(itemSchema({ author: { type: "string", "x-hearth": { ref: "authors" } } }))).toContain("integer");
    expect(await bad(itemSchema({ author: refer("Authors!") }))).toContain("a collection's name");
    expect(await bad(itemSchema({ author: { type: "integer", "x-hearth": { to: "authors" } } }))).toContain("ref");
    const deep = itemSchema({ by: { type: "object", properties: { author: refer("authors") } } });
    expect(await bad(deep)).toContain("top-level fields");
    expect(await files.fail("draws", itemSchema({ raffle: refer("raffles") }))).toMatchObject({
      message: expect.stringContaining("/api/raffles/{id}/draws"),
    });
  });
});
