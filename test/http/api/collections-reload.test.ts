import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp } from "../../support/app/test-app.ts";
import { encodedText } from "../../support/encoded-text.ts";
import { recordedLog } from "../../support/quiet-log.ts";
import { onPostgres } from "../../support/store/stored-tables.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { startUserCollections } from "../../support/app/user-collections.ts";
import { itemSchema, userFiles } from "../../support/app/user-files.ts";

let started: Awaited<ReturnType<typeof startUserCollections>>;
let files: (typeof started)["files"];
let call: (typeof started)["call"];
beforeAll(async () => void ({ files, call } = started = await startUserCollections()));
afterAll(() => started[Symbol.asyncDispose]());

describe("hot reload", () => {
  it("serves a changed schema at once, and still answers items that no longer fit it", async () => {
    await files.load("plants", itemSchema({ name: { type: "string" }, height: { type: "integer" } }));
    const { data } = (await call("plants", "POST", { name: "fern", height: 3 })).json;
    await files.load(
      "plants",
      itemSchema({ name: { type: "string" }, height: { type: "string" } }, { required: ["name", "height", "soil"] }),
    );
    expect((await call(`plants/${String(data?.id)}`)).json.data).toMatchObject({ name: "fern", height: 3 });
    expect((await call("plants", "POST", { name: "oak", height: 3 })).json.details?.map(({ field }) => field)).toEqual([
      "soil",
      "height",
    ]);
  });

  it("serves nothing of a file that is removed, and its items again when it comes back", async () => {
    await files.load("ships", itemSchema({ name: { type: "string" } }));
    const { data } = (await call("ships", "POST", { name: "Argo" })).json;
    await files.remove("ships");
    expect((await call(`ships/${String(data?.id)}`)).status).toBe(404);
    await files.load("ships", itemSchema({ name: { type: "string" } }));
    expect((await call(`ships/${String(data?.id)}`)).json.data).toMatchObject({ name: "Argo" });
  });

  it("takes a file that is renamed into place, as editors save, and ignores other files", async () => {
    files.write("trains", itemSchema({ name: { type: "string" } }));
    await expect.poll(async () => (await call("trains")).status).toBe(200);
    const draft = join(files.folder, "trains.json.tmp");
    writeFileSync(draft, JSON.stringify(itemSchema({ name: { type: "integer" } })));
    writeFileSync(join(files.folder, ".hidden.json"), "not JSON");
    await files.told("collection.loaded", () => renameSync(draft, files.pathOf("trains")));
    expect((await call("trains", "POST", { name: "text" })).status).toBe(400);
    expect((await files.events("collection.failed")).map(({ file }) => file)).not.toContain(
      join(files.folder, ".hidden.json"),
    );
  });

  it.each([
    ["utf-8", "roses"],
    ["utf-16le", "lilies"],
    ["utf-16be", "tulips"],
  ] as const)("serves a schema in %s with a byte order mark", async (encoding, name) => {
    const schema = JSON.stringify(itemSchema({ name: { type: "string" } }));
    await files.load(name, encodedText(schema, encoding));
    expect((await call(name, "POST", { name: "Grüße" })).status).toBe(201);
  });

  it("notices a folder that is removed and made again", async () => {
    await using other = await startTestApp();
    const theirs = userFiles(other);
    await theirs.load("cats", itemSchema({ name: { type: "string" } }));
    await theirs.told("collection.removed", () => rmSync(theirs.folder, { recursive: true }));
    mkdirSync(theirs.folder);
    await theirs.load("dogs", itemSchema({ name: { type: "string" } }));
    const headers = await other.loggedIn();
    expect((await fetch(`${other.url}/api/dogs`, { headers })).status).toBe(200);
    expect((await fetch(`${other.url}/api/cats`, { headers })).status).toBe(404);
  });

  it("serves what lies in the folder of the setting collections_dir before the first request is answered", async () => {
    using elsewhere = temporaryFolder();
    writeFileSync(
      join(elsewhere.path, "owls.json"),
      JSON.stringify(
        itemSchema({ name: { type: "string" } }, { hearth: { seed: [{ name: "Hedwig" }], access: "none" } }),
      ),
    );
    await using other = await startTestApp({ settings: { collections_dir: elsewhere.path } });
    expect(await (await fetch(`${other.url}/api/owls`)).json()).toEqual([expect.objectContaining({ name: "Hedwig" })]);
  });

  it("serves a file that was refused for another one as soon as that gives way, and tells of the refusal once", async () => {
    const named = (singular: string) => itemSchema({ name: { type: "string" } }, { hearth: { singular } });
    await files.load("wolves", named("beast"));
    await files.fail("lions", named("beast"));
    await files.load("bears", named("bear"));
    const refusals = async () =>
      (await files.events("collection.failed")).filter(({ file }) => file === files.pathOf("lions"));
    expect(await refusals()).toHaveLength(1);
    await files.told("collection.removed", () => rmSync(files.pathOf("wolves")));
    await expect.poll(async () => (await call("lions")).status).toBe(200);
  });

  it.skipIf(onPostgres())("serves a file whose items the database could not take, once it can", async () => {
    const { lines, log } = recordedLog();
    await using other = await startTestApp({ log });
    const headers = await other.loggedIn();
    /** Pages: none is less than there are. */
    const room = (pages: number) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(other.db);
    await room(1);
    const seed = [{ name: "x".repeat(100_000) }];
    userFiles(other).write("crows", itemSchema({ name: { type: "string" } }, { hearth: { seed } }));
    await expect.poll(() => lines.join("")).toContain("none of its routes are served");
    await room(1_000_000);
    await expect.poll(async () => (await fetch(`${other.url}/api/crows`, { headers })).status).toBe(200);
  });
});

describe("a format that is not checked", () => {
  const roman = { type: "string", format: "roman" };

  it("is reported with its place when the file is loaded, in the log and as an event", async () => {
    const { lines, log } = recordedLog();
    await using other = await startTestApp({ log });
    const schema = {
      $ref: "#/definitions/coin",
      definitions: {
        coin: itemSchema({
          year: roman,
          mail: { type: "string", format: "email" },
          tags: { items: { format: "tag" } },
        }),
      },
    };
    const loaded = await userFiles(other).load("coins", schema);
    expect(loaded["ignored_formats"]).toEqual([
      { format: "roman", line: 9, column: 11 },
      { format: "tag", line: 17, column: 13 },
    ]);
    const warnings = lines.filter((line) => line.includes("formats that are not checked"));
    expect(warnings).toEqual([expect.stringContaining(String.raw`: \"roman\" (9:11), \"tag\" (17:13)`)]);
    const headers = { ...(await other.loggedIn()), "Content-Type": "application/json" };
    const body = JSON.stringify({ year: "no number" });
    expect((await fetch(`${other.url}/api/coins`, { method: "POST", headers, body })).status).toBe(201);
  });

  it("is not reported where it is the kind of the item's id, nor where there is none", async () => {
    const id = { type: "string", format: "ulid" };
    const named = { name: { type: "string", format: "date" } };
    for (const schema of [itemSchema({ id, ...named }, { hearth: { id: "ulid" } }), itemSchema(named)])
      expect(await files.load("medals", schema)).not.toHaveProperty("ignored_formats");
  });

  it("is named for the first 20 places, and counted for the others", async () => {
    const { lines, log } = recordedLog();
    await using other = await startTestApp({ log });
    const many = Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`f${String(index)}`, roman]));
    const loaded = await userFiles(other).load("stamps", itemSchema(many));
    expect(loaded["ignored_formats"]).toHaveLength(20);
    expect(lines.join("")).toMatch(/formats that are not checked: .* and 3 more/);
  });
});
