import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { authorized, itemSchema, userFiles } from "../../../support/app/user-files.ts";

interface Content {
  last_id: number;
  records: { id: number; owner_uid: string; version: number; created_at: string; updated_at: string; data: object }[];
}
interface Document {
  format: string;
  collections: Record<string, Content>;
  uploads?: { file_name: string }[];
}
interface Refusal {
  Message: string;
  details: { field: string; problem: string }[];
}

let app: TestApp;
let alice: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  alice = await app.loggedIn("alice");
  await userFiles(app).load(
    "notes",
    itemSchema(
      {
        text: { type: "string" },
        code: { type: "string" },
        pin: { type: "string", writeOnly: true },
        lock: { type: "object", properties: { key: { type: "string", writeOnly: true } } },
      },
      { required: ["text", "pin"], hearth: { unique: ["code"] } },
    ),
  );
});
afterAll(() => app[Symbol.asyncDispose]());

async function send(method: string, body: unknown, server = app) {
  const response = await fetch(`${server.url}/console/api/data`, {
    method,
    headers: { ...authorized, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Refusal & Record<string, unknown> };
}
const exported = async (query = "", server = app) =>
  (await (await fetch(`${server.url}/console/api/data${query}`, { headers: authorized })).json()) as Document;
const withoutTime = ({ collections }: Document) => collections;
const create = async (collection: string, fields: object) =>
  ((await (await app.post(`${app.url}/api/${collection}`, fields, alice)).json()) as { data: { id: number } }).data;
const read = async (path: string) => {
  const response = await fetch(`${app.url}/api/${path}`, { headers: alice });
  return {
    status: response.status,
    etag: response.headers.get("etag"),
    data: ((await response.json()) as { data?: object }).data,
  };
};
const empty: Document = { format: "hearth-data/1", collections: {} };
const record = (id: number, data: object, more: object = {}) => ({
  id,
  owner_uid: "u1",
  version: 1,
  created_at: "2026-01-02T03:04:05.678Z",
  updated_at: "2026-01-02T03:04:05.678Z",
  data,
  ...more,
});

describe("GET /console/api/data", () => {
  it("needs the console's token", async () => {
    expect((await fetch(`${app.url}/console/api/data`)).status).toBe(401);
  });

  it("answers every collection with ids, owners and versions, and uploads without their content", async () => {
    const { id } = await create("articles", { title: "图" });
    await fetch(`${app.url}/api/articles/${String(id)}`, {
      method: "PATCH",
      headers: { ...alice, "Content-Type": "application/json" },
      body: JSON.stringify({ body: "x" }),
    });
    const form = new FormData();
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    form.append("[]", new Blob([png]), "dot.png");
    await fetch(`${app.url}/api/uploads`, { method: "POST", headers: alice, body: form });
    const document = await exported();
    expect(Object.keys(document.collections).sort()).toEqual(["accounts", "articles", "notes", "raffles"]);
    expect(document.collections["articles"]).toMatchObject({
      last_id: id,
      records: [{ id, owner_uid: "u1", version: 2, data: { title: "图", body: "x", private: false } }],
    });
    expect(document.uploads).toEqual([expect.objectContaining({ file_name: "dot.png", size: png.length })]);
  });

  it("leaves secrets out unless they are asked for", async () => {
    await create("notes", { text: "a", pin: "S3CRET" });
    await create("accounts", { user: "carol", password: "a long password" });
    expect(JSON.stringify(await exported())).not.toMatch(/S3CRET|password"/);
    const whole = JSON.stringify(await exported("?secrets=include"));
    expect(whole).toContain("S3CRET");
    expect(whole).not.toContain("a long password");
  });
});

describe("PUT /console/api/data", () => {
  it("puts back exactly what was exported: records, versions, and the ids that come next", async () => {
    const kept = await create("articles", { title: "kept" });
    const before = await exported("?secrets=include");
    await create("articles", { title: "later" });
    await fetch(`${app.url}/api/articles/${String(kept.id)}`, { method: "DELETE", headers: alice });
    await create("raffles", { title: "r", entries: ["a"], prizes: 1 });
    const { status, json } = await send("PUT", before);
    expect([status, json["collections"]]).toEqual([200, 4]);
    expect(withoutTime(await exported("?secrets=include"))).toEqual(withoutTime(before));
    expect((await read(`articles/${String(kept.id)}`)).data).toMatchObject({ title: "kept", owner_uid: "u1" });
    expect((await create("articles", { title: "next" })).id).toBe(kept.id + 1);
  });

  it("empties collections that the document does not name, and reports that by an event", async () => {
    await create("articles", { title: "to go" });
    const event = await userFiles(app).told("data.imported", () => void send("PUT", empty));
    expect(event).toEqual({ mode: "replace", collections: 0, records: 0 });
    expect((await exported()).collections["articles"]).toEqual({ last_id: 0, records: [] });
  });

  it("keeps the secrets that the document leaves out where the record is still there", async () => {
    const complete = { text: "a", pin: "S3CRET", lock: { key: "S3CRET" } };
    await send("PUT", { ...empty, collections: { notes: { records: [record(5, complete)] } } });
    const document = await exported();
    expect(document.collections["notes"]?.records[0]?.data).toEqual({ text: "a", lock: {} });
    expect((await send("PUT", document)).status).toBe(200);
    expect((await exported("?secrets=include")).collections["notes"]?.records[0]?.data).toEqual(complete);
    await send("PUT", empty);
    const refused = await send("PUT", document);
    expect([refused.status, refused.json.details]).toEqual([
      400,
      [{ field: "notes/5.pin", problem: expect.stringContaining("?secrets=include") as string }],
    ]);
  });

  it("restores an account so that its user can still log in, and refuses a password that is no hash", async () => {
    await using other = await startTestApp({ settings: { basic_auth: true } });
    await other.post(
      `${other.url}/api/accounts`,
      { user: "dave", password: "correct horse" },
      await other.loggedIn("dave"),
    );
    const document = await exported("?secrets=include", other);
    await send("PUT", empty, other);
    expect((await send("PUT", document, other)).status).toBe(200);
    const Authorization = `Basic ${Buffer.from("dave:correct horse").toString("base64")}`;
    expect((await fetch(`${other.url}/api/accounts/me`, { headers: { Authorization } })).status).toBe(200);
    const plain = {
      ...empty,
      collections: { accounts: { records: [record(1, { user: "eve", password: "in clear text" })] } },
    };
    expect((await send("PUT", plain, other)).json.details).toEqual([
      { field: "accounts/1.password", problem: expect.stringContaining("is not a password hash") as string },
    ]);
  });
});

describe("POST /console/api/data", () => {
  it("adds records and overwrites those with the same id, which get a higher version", async () => {
    await send("PUT", empty);
    const { id } = await create("articles", { title: "mine" });
    const { etag } = await read(`articles/${String(id)}`);
    const { status, json } = await send("POST", {
      ...empty,
      collections: {
        articles: {
          records: [
            record(id, { title: "theirs" }, { owner_uid: "u7" }),
            record(90, { title: "new" }, { owner_uid: "" }),
          ],
        },
      },
    });
    expect([status, json]).toEqual([200, { collections: 1, records: 2 }]);
    const changed = await read(`articles/${String(id)}`);
    expect(changed.data).toMatchObject({ title: "theirs", owner_uid: "u7", created_at: "2026-01-02T03:04:05.678Z" });
    expect([etag, changed.etag]).toEqual([expect.stringMatching(/^"v1-/), expect.stringMatching(/^"v2-/)]);
    expect((await read("articles/90")).data).toMatchObject({ title: "new", owner_uid: "", body: "" });
    expect((await create("articles", { title: "next" })).id).toBe(91);
  });
});

describe("a document with a fault", () => {
  const article = (data: object, more?: object) => ({
    ...empty,
    collections: { articles: { records: [record(7, { title: "good" }), record(3, data, more)] } },
  });
  const password = `${"A".repeat(22)}.${"B".repeat(43)}`;
  const faults: [what: string, document: unknown, field: RegExp][] = [
    ["no document at all", [], /body/],
    ["another format", { format: "hearth-data/2", collections: {} }, /^format$/],
    ["an unknown member", { ...empty, records: [] }, /^records$/],
    ["a collection that is not there", { ...empty, collections: { ghosts: { records: [] } } }, /^ghosts$/],
    ["a field that does not fit", article({ title: 5 }), /^articles\/3\.title$/],
    ["a field that is missing", article({}), /^articles\/3\.title$/],
    ["an id twice", article({ title: "x" }, { id: 7 }), /^articles\/7$/],
    ["an owner that is none", article({ title: "x" }, { owner_uid: "alice" }), /records\.1\.owner_uid$/],
    ["a time that is none", article({ title: "x" }, { created_at: "yesterday" }), /records\.1\.created_at$/],
    [
      "a winner that is none",
      {
        ...empty,
        collections: {
          raffles: { records: [record(2, { title: "x", entries: ["a"], prizes: 1, winners: [{ prize: 1 }] })] },
        },
      },
      /^raffles\/2\.winners\[0\]\.entry$/,
    ],
    ["a private item of nobody", article({ title: "x", private: true }, { owner_uid: "" }), /^articles\/3\.private$/],
    [
      "an account of nobody",
      { ...empty, collections: { accounts: { records: [record(2, { user: "x", password }, { owner_uid: "" })] } } },
      /^accounts\/2\.owner_uid$/,
    ],
    [
      "values that must be unique",
      {
        ...empty,
        collections: {
          ...article({ title: "x" }).collections,
          notes: {
            records: [record(1, { text: "a", pin: "1", code: "c" }), record(2, { text: "b", pin: "1", code: "c" })],
          },
        },
      },
      /^notes\/2\.code$/,
    ],
  ];
  it.each(faults)(
    "is refused with 400, names the record and the field, and changes nothing: %s",
    async (_what, document, field) => {
      await create("articles", { title: "untouched" });
      const before = await exported("?secrets=include");
      for (const method of ["PUT", "POST"]) {
        const { status, json } = await send(method, document);
        expect([status, json.details[0]?.field]).toEqual([400, expect.stringMatching(field)]);
      }
      expect(withoutTime(await exported("?secrets=include"))).toEqual(withoutTime(before));
    },
  );

  it("takes far more than a request of the API may hold", async () => {
    const records = Array.from({ length: 3000 }, (_, index) =>
      record(index + 1, { title: "t", body: "x".repeat(1000) }),
    );
    expect((await send("PUT", { ...empty, collections: { articles: { records } } })).json).toEqual({
      collections: 1,
      records: 3000,
    });
    expect((await exported()).collections["articles"]?.records).toHaveLength(3000);
  });
});
