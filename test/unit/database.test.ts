import { join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openDatabase } from "../../server/store/database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

it.each([
  ["full", 2],
  ["normal", 1],
  [undefined, 2],
] as const)("waits for the disk as the setting durability says: %s", async (durability, expected) => {
  using folder = temporaryFolder();
  const db = await openDatabase(join(folder.path, "a.db"), {}, { writes: 0 }, durability);
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
  await db.destroy();
  expect(rows).toEqual([{ synchronous: expected }]);
});
