/** The enum fields of a user's collection, by their texts and by their indexes (setting enum_as_text). */
import { describe, expect, it } from "vitest";
import { startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema } from "../../support/app/user-files.ts";

const texts = ["open", "closed", "later"];
const schema = itemSchema({ title: { type: "string" }, state: { type: "string", enum: texts, default: "open" } });
const start = async (enum_as_text: boolean) => {
  const users = await startUserCollections({ enum_as_text });
  await users.files.load("tickets", schema);
  return users;
};

interface Description {
  paths: Record<string, Record<string, { parameters: { name: string; schema: object }[] }>>;
  components: { schemas: Record<string, { properties: Record<string, unknown> }> };
}
const described = async (url: string) => {
  const { paths, components } = (await (await fetch(`${url}/swagger/docs/v1`)).json()) as Description;
  const filter = paths["/api/tickets"]?.["get"]?.parameters.find(({ name }) => name === "state");
  return [filter?.schema, components.schemas["TicketPatch"]?.properties["state"]];
};

describe("with enum_as_text off", () => {
  it.each([
    ["application/json", '{"state":1}'],
    ["application/json", '{"state":"closed"}'],
    ["application/x-www-form-urlencoded", "state=1"],
    ["application/xml", "<a><state>1</state></a>"],
  ])("PATCH takes an index as POST does: %s %s", async (type, body) => {
    await using users = await start(false);
    expect((await users.call("tickets", "POST", { title: "x", state: 2 })).json.data).toMatchObject({ state: "later" });
    const changed = await users.call("tickets/1", "PATCH", body, { ...users.alice, "Content-Type": type });
    expect([changed.status, changed.json.data]).toMatchObject([200, { title: "x", state: "closed" }]);
  });

  it("a list is filtered by index, and by text", async () => {
    await using users = await start(false);
    for (const state of texts) await users.call("tickets", "POST", { state });
    for (const filter of ["2", "later"])
      expect(await users.list(`tickets?state=${filter}`)).toMatchObject([{ state: "later" }]);
    expect((await users.call("tickets?state=3")).json).toMatchObject({ code: "bad_filter" });
  });

  it("filters and merge patches are described by index", async () => {
    await using users = await start(false);
    const byIndex = { type: "integer", enum: [0, 1, 2], "x-enum-varnames": texts };
    expect(await described(users.app.url)).toEqual([byIndex, { anyOf: [byIndex, { type: "null" }] }]);
  });
});

describe("with enum_as_text on", () => {
  it("an index is none of the texts, by which filters and merge patches are described", async () => {
    await using users = await start(true);
    const byText = { type: "string", enum: texts };
    expect(await described(users.app.url)).toEqual([byText, { anyOf: [byText, { type: "null" }] }]);
    await users.call("tickets", "POST", { state: "closed" });
    expect((await users.call("tickets/1", "PATCH", { state: 1 })).status).toBe(400);
    expect((await users.call("tickets?state=1")).json).toMatchObject({ code: "bad_filter" });
  });
});
