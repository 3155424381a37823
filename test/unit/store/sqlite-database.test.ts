/** The database that Hearth comes with. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { itIsADatabase } from "./database-contract.ts";

itIsADatabase(() => {
  const folder = temporaryFolder();
  const file = join(folder.path, "things.db");
  return { open: (migrations) => openDatabase({ file, migrations }), dispose: () => folder[Symbol.dispose]() };
});

it("keeps results of prepared reads from the second read on, up to a limit of bytes over all queries", async () => {
  using folder = temporaryFolder();
  const { db, reads, close } = await openDatabase<{ things: { id: number; text: string } }>({
    file: join(folder.path, "things.db"),
    migrations: {
      "0001_things": {
        up: (migrating) =>
          migrating.schema.createTable("things").addColumn("id", "integer").addColumn("text", "text").execute(),
      },
    },
  });
  const ids = Array.from({ length: 24 }, (_, id) => id);
  await db
    .insertInto("things")
    .values(ids.map((id) => ({ id, text: "x".repeat(1 << 20) })))
    .execute();
  const one = reads.prepare(db.selectFrom("things").selectAll().where("id", "=", 0));
  const text = reads.prepare(db.selectFrom("things").select("text").where("id", "=", 0));
  const all = reads.prepare(db.selectFrom("things").selectAll());

  const once = await one(0);
  const first = await one(0);
  expect(first).not.toBe(once);
  expect(first).toEqual(once);
  expect(await one(0)).toBe(first);
  for (const id of [...ids.slice(0, 12), ...ids.slice(0, 12)]) await text(id);
  expect(await one(0)).toBe(first);
  // Larger than the limit: nothing else is forgotten for it.
  expect(await all()).not.toBe(await all());
  expect(await one(0)).toBe(first);
  for (const id of [...ids.slice(12), ...ids.slice(12)]) await text(id);
  expect(await one(0)).not.toBe(first);
  expect(await one(0)).toEqual(first);
  await close();
});
