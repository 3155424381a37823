/** An export of all data while others write. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { createDataTransfer } from "../../../server/app/data-transfer/data-transfer.ts";
import { createTurns } from "../../../server/process/create-turns.ts";
import { recordMigrations, type RecordTables } from "../../../server/store/records/record-tables.ts";
import { RecordTransfer } from "../../../server/store/records/record-transfer.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("an export has all collections as they were at one moment", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "hearth.db");
  const { db, close } = await openDatabase<RecordTables>({ file, migrations: recordMigrations });
  const transfer = new RecordTransfer({ db, transact: (work) => db.transaction().execute(work) }, Date.now);
  const collection = (name: string) => ({ name, input: z.object({}), secretFields: [], uniqueFields: [] });
  const data = createDataTransfer({
    transfer,
    definitions: () => ["authors", "books"].map(collection),
    uploads: { list: async () => ({ uploads: [] }) },
    now: Date.now,
    inTurn: createTurns(),
  });
  const event = { type: "data.imported", source: "/app/data" } as const;
  const add = (name: string, item: object) =>
    transfer.append(name, [{ ...item }], {}, { ...event, data: { mode: "merge", collections: 1, records: 1 } });

  let isDone = false;
  const exported = data.export({ secrets: false }).finally(() => (isDone = true));
  for (let author = 1; !isDone; author++) {
    await add("authors", {});
    await add("books", { author });
  }
  const { authors, books } = (await exported).collections;
  const known = new Set(authors?.records.map(({ id }) => id));
  expect(books?.records.map((book) => book.data["author"]).filter((id) => !known.has(Number(id)))).toEqual([]);
  await close();
});
