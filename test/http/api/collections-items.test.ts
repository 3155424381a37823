import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callConsole } from "../../support/app/control-calls.ts";
import { expectNoAnswer } from "../../support/app/expect-no-answer.ts";
import { bookSchema, startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let app: (typeof started)["app"];
let files: (typeof started)["files"];
let bob: (typeof started)["bob"];
let call: (typeof started)["call"];
let list: (typeof started)["list"];
beforeAll(async () => {
  started = await startUserCollections();
  ({ app, files, bob, call, list } = started);
});
afterAll(() => started[Symbol.asyncDispose]());

describe("seeds and generated items", () => {
  it("are inserted while the collection is empty, have no owner and may be changed by all users", async () => {
    const schema = itemSchema(
      { name: { type: "string" }, size: { type: "integer", default: 1 } },
      { hearth: { seed: [{ name: "a" }, { name: "b", size: 2 }] } },
    );
    expect(await files.load("pots", schema)).toMatchObject({ added: 2 });
    const seeded = await list("pots?sort=id");
    expect(seeded).toEqual([
      expect.objectContaining({ id: 1, name: "a", size: 1, owner_uid: "" }),
      expect.objectContaining({ id: 2, name: "b", size: 2, owner_uid: "" }),
    ]);
    expect((await call("pots/1", "PATCH", { name: "c" }, bob)).status).toBe(200);
    expect((await call("pots/2", "DELETE")).status).toBe(204);
    expect(await files.load("pots", { ...schema, title: "changed" })).toMatchObject({ added: 0 });
    expect((await list("pots")).map(({ name }) => name)).toEqual(["c"]);
  });

  it("are made from the schema, the same for the same seed, and unique where they must be", async () => {
    const schema = (seed: number) =>
      itemSchema(
        {
          name: { type: "string", "x-faker": "person.fullName" },
          email: { type: "string", format: "email" },
          badge: { type: "string", pattern: "^[A-C]-[0-9]{2}$" },
          level: { type: "integer", minimum: 3, maximum: 5 },
          kind: { enum: ["x", "y"] },
          since: { type: "string", format: "date" },
          hidden: { type: "boolean" },
        },
        {
          required: ["name", "email", "badge", "level", "kind", "since"],
          additionalProperties: false,
          hearth: {
            unique: ["badge"],
            private: "hidden",
            generate: { count: 60, seed },
            seed: [{ name: "first", email: "a@b.cd", badge: "A-00", level: 3, kind: "x", since: "2026-01-01" }],
          },
        },
      );
    const made = async (name: string, seed: number) => {
      expect(await files.load(name, schema(seed))).toMatchObject({ added: 61 });
      const items = await list(`${name}?sort=id&page_size=100`);
      return items.map(({ created_at, updated_at, ...item }) => item);
    };
    const [one, same, other] = [await made("workers", 7), await made("helpers", 7), await made("guests", 8)];
    expect(one).toHaveLength(61);
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
    expect(new Set(one.map(({ badge }) => badge)).size).toBe(61);
    expect(one[1]?.["name"]).toMatch(/^\S+ \S+/);
  });

  it("come back after a reset, and those that cannot be made up keep no other collection empty", async () => {
    const text = { name: { type: "string" } };
    await files.load("bowls", itemSchema(text));
    await call("bowls", "POST", { name: "a" });
    // Nothing is made up while there are items.
    const fruitless = { required: ["name"], hearth: { generate: { count: 1 } } };
    await files.load("bowls", itemSchema({ name: { type: "string", not: {} } }, fruitless));
    await files.load("jars", itemSchema(text, { hearth: { seed: [{ name: "b" }] } }));
    const { status } = await callConsole(app, "POST", "/resets", { parts: ["records"] });
    expect([status, (await list("jars")).map(({ name }) => name), await list("bowls")]).toEqual([200, ["b"], []]);
    const told = await files.events("collection.failed");
    expect(told).toEqual([expect.objectContaining({ file: files.pathOf("bowls"), in_service: true })]);
  });
});

describe("latency and errors on purpose", () => {
  it("fail at the configured rate, with the configured status", async () => {
    const properties = { text: { type: "string" } };
    await files.load(
      "outages",
      itemSchema(properties, { hearth: { errorRate: 1, errorStatus: 429, latencyMs: { min: 0, max: 5 } } }),
    );
    const failed = await call("outages");
    expect([failed.status, failed.json.code, failed.headers.get("retry-after")]).toEqual([
      429,
      "error_on_purpose",
      "1",
    ]);
    expect((await call("outages", "POST", { text: "x" })).status).toBe(429);
    await files.load("outages", itemSchema(properties, { hearth: { errorRate: 0.5 } }));
    const answers = await Promise.all(Array.from({ length: 60 }, async () => (await call("outages")).status));
    expect([...new Set(answers)].sort()).toEqual([200, 503]);
    await files.load("outages", itemSchema(properties, { hearth: { errorRate: 0 } }));
    expect(await list("outages")).toEqual([]);
  });

  it("delay an answer by latencyMs", async () => {
    const properties = { text: { type: "string" } };
    await files.load("snails", itemSchema(properties, { hearth: { latencyMs: 60_000, access: "none" } }));
    await files.load("hares", itemSchema(properties, { hearth: { latencyMs: 1, access: "none" } }));
    await expectNoAnswer(
      (signal) => fetch(`${app.url}/api/snails`, { signal }),
      async () => {
        for (let time = 0; time < 20; time++) expect((await call("hares", "GET", undefined, {})).status).toBe(200);
      },
    );
  });
});

describe("the description", () => {
  it("shows a collection as soon as it is served, by its own schema, and no longer when it is gone", async () => {
    const described = async () =>
      (await (await fetch(`${app.url}/swagger/docs/v1`)).json()) as {
        paths: Record<string, Record<string, { operationId: string; security: object[]; description?: string }>>;
        components: { schemas: Record<string, { properties: Record<string, object>; required?: string[] }> };
      };
    await files.load("line-items", { ...bookSchema, title: "A line", "x-hearth": { disabled: ["PUT"] } });
    const { paths, components } = await described();
    expect(paths["/api/line-items"]?.["get"]?.operationId).toBe("listLineItems");
    expect(Object.keys(paths["/api/line-items/{id}"] ?? {})).toEqual(["get", "patch", "delete"]);
    const { LineItemInput: input, LineItem: output, LineItemInputPublisher: publisher } = components.schemas;
    expect(input?.properties["title"]).toEqual({ type: "string", minLength: 1, maxLength: 80 });
    expect(input?.properties["publisher"]).toEqual({ $ref: "#/components/schemas/LineItemInputPublisher" });
    expect(publisher).toMatchObject({ required: ["name"], properties: { phone: { writeOnly: true } } });
    expect(input?.required).toEqual(["title"]);
    expect(output?.required).toEqual(["id", "owner_uid", "created_at", "updated_at", "title"]);
    expect(output?.properties["publisher"]).toEqual({ $ref: "#/components/schemas/LineItemPublisher" });
    expect(JSON.stringify(components.schemas["LineItemPublisher"])).not.toContain("phone");
    await files.remove("line-items");
    expect((await described()).paths).not.toHaveProperty("/api/line-items");
  });
});

it("a list is filtered by a field of several types for each value that the text can stand for", async () => {
  await files.load(
    "levels",
    itemSchema({
      name: { type: "string" },
      code: { type: ["string", "integer", "null"] },
      level: { enum: [1, 2, "high", "2"] },
      flag: { type: ["boolean", "number"] },
    }),
  );
  for (const item of [
    { name: "number", code: 5, level: 1, flag: true },
    { name: "text", code: "5", level: "high", flag: 2.5 },
    { name: "both", code: "five", level: 2, flag: false },
    { name: "last", code: null, level: "2", flag: false },
  ])
    expect((await call("levels", "POST", item)).status).toBe(201);
  const names = async (query: string) => (await list(`levels?sort=id&${query}`)).map(({ name }) => name);
  expect(await names("code=5")).toEqual(["number", "text"]);
  expect(await names("code=five")).toEqual(["both"]);
  expect(await names("level=1")).toEqual(["number"]);
  expect(await names("level=high")).toEqual(["text"]);
  expect(await names("level=2&code=five")).toEqual(["both"]);
  expect(await names("level=2")).toEqual(["both", "last"]);
  expect(await names("flag=true")).toEqual(["number"]);
  expect(await names("flag=2.5")).toEqual(["text"]);
  for (const query of ["level=3", "level=low", "flag=high"])
    expect((await call(`levels?${query}`)).json.code, query).toBe("bad_filter");
});
