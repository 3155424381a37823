/** Writes that share a commit. */
import { join } from "node:path";
import { beforeEach, afterEach, expect, it } from "vitest";
import type { Kysely } from "kysely";
import { openDatabase } from "../../../server/store/database.ts";
import { createGroupedWrites, type GroupedWrites } from "../../../server/store/grouped-writes.ts";
import { parameter } from "../../../server/store/prepared-statement.ts";
import { openPreparedReads } from "../../../server/store/prepared-reads.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface Tables {
  things: { id: number; name: string };
}

let folder: ReturnType<typeof temporaryFolder>;
let db: Kysely<Tables>;
let writes: GroupedWrites;
const count = { writes: 0 };

beforeEach(async () => {
  folder = temporaryFolder();
  const schema = async (made: Kysely<unknown>) => {
    const table = made.schema.createTable("things").addColumn("id", "integer", (c) => c.primaryKey());
    await table.addColumn("name", "text", (c) => c.notNull().unique()).execute();
  };
  db = await openDatabase<Tables>(join(folder.path, "things.db"), { "0001_things": { up: schema } }, count);
  writes = createGroupedWrites(db, count);
});

afterEach(async () => {
  await db.destroy();
  folder[Symbol.dispose]();
});

const preparedInsert = () =>
  writes.prepare(
    db
      .insertInto("things")
      .values({ id: parameter("id"), name: parameter("name") })
      .returning("id"),
  );
const names = async () =>
  (await db.selectFrom("things").select("name").orderBy("id").execute()).map(({ name }) => name);

it("undoes the whole of what throws, and nothing of the others in the group", async () => {
  const insert = preparedInsert();
  const outcomes = await Promise.allSettled([
    writes.write(() => insert({ id: 1, name: "tea" })),
    writes.write(() => [insert({ id: 2, name: "milk" }), insert({ id: 3, name: "tea" })]),
    writes.write(() => insert({ id: 4, name: "cake" })),
  ]);
  expect(outcomes).toMatchObject([
    { status: "fulfilled", value: [{ id: 1 }] },
    { status: "rejected", reason: { code: "SQLITE_CONSTRAINT_UNIQUE" } },
    { status: "fulfilled", value: [{ id: 4 }] },
  ]);
  expect(await names()).toEqual(["tea", "cake"]);
});

it("is on disk, and seen by every reader, when it is told as done", async () => {
  const reads = openPreparedReads(join(folder.path, "things.db"), count);
  try {
    const all = reads.prepare(db.selectFrom("things").selectAll());
    const insert = preparedInsert();
    expect(all()).toEqual([]);
    await writes.write(() => insert({ id: 1, name: "tea" }));
    expect(all()).toEqual([{ id: 1, name: "tea" }]);
  } finally {
    reads.close();
  }
});

it("comes after what was asked of the database before, and before what is asked after", async () => {
  const before = db.transaction().execute(async (trx) => {
    await trx.insertInto("things").values({ id: 1, name: "tea" }).execute();
    await trx.insertInto("things").values({ id: 2, name: "milk" }).execute();
  });
  const rename = db.updateTable("things").set({ name: "old" }).where("id", "=", 1).returning("id");
  const write = writes.write(() => writes.run(rename));
  const after = names();
  expect(await write).toEqual([{ id: 1 }]);
  expect(await after).toEqual(["old", "milk"]);
  await before;
});

it("fails, rather than waiting for good, when the database is closed", async () => {
  await db.destroy();
  await expect(writes.write(() => preparedInsert()({ id: 1, name: "tea" }))).rejects.toThrow();
});
