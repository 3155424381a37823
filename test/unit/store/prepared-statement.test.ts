/** Statements that are compiled once and run with other values each time. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase, type Migrations } from "../../../server/store/database.ts";
import { createGroupedWrites } from "../../../server/store/grouped-writes.ts";
import { parameter, parameterRow } from "../../../server/store/prepared-statement.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface Tables {
  things: { id: number; name: string; price: number | null };
}

it("takes each value by its name wherever it stands, keeps constants, and stores what gets no value as null", async () => {
  using folder = temporaryFolder();
  const count = { writes: 0 };
  const migrations: Migrations = {
    "0001_things": {
      async up(schema) {
        await schema.schema
          .createTable("things")
          .addColumn("id", "integer", (c) => c.primaryKey())
          .addColumn("name", "text", (c) => c.notNull())
          .addColumn("price", "integer")
          .execute();
      },
    },
  };
  const db = await openDatabase<Tables>(join(folder.path, "things.db"), migrations, count);
  const writes = createGroupedWrites(db, count);
  try {
    const columns = ["price", "name", "id"] as const;
    const insert = writes.prepare(db.insertInto("things").values(parameterRow(columns)).returning("id"));
    expect(await writes.write(() => insert({ id: 1, name: "tea", price: 7 }))).toEqual([{ id: 1 }]);
    expect(await writes.write(() => insert({ name: "'; drop table things", id: 2 }))).toEqual([{ id: 2 }]);
    const raise = writes.prepare(
      db
        .updateTable("things")
        .set({ price: parameter<number>("id") })
        .where("id", "=", parameter<number>("id"))
        .where("name", "!=", "tea")
        .returningAll(),
    );
    expect(await writes.write(() => raise({ id: 1 }))).toEqual([]);
    expect(await writes.write(() => raise({ id: 2 }))).toEqual([{ id: 2, name: "'; drop table things", price: 2 }]);
    expect(await db.selectFrom("things").selectAll().orderBy("id").execute()).toMatchObject([
      { price: 7 },
      { price: 2 },
    ]);
  } finally {
    await db.destroy();
  }
});
