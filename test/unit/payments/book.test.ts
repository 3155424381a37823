/** The double-entry book under all payment products. */
import { join } from "node:path";
import type { Transaction } from "kysely";
import { expect, it } from "vitest";
import { availableOf, Book, frozenOf, type Line } from "../../../server/provider/payments/book/book.ts";
import { ledgerMigrations, type LedgerTables } from "../../../server/provider/payments/ledger/ledger-tables.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { mchId } from "../../support/payments/open-ledger.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

async function openBook() {
  const folder = temporaryFolder();
  const file = join(folder.path, "provider.db");
  const database = await openDatabase<LedgerTables>({ file, migrations: ledgerMigrations });
  const { db } = database;
  const book = new Book({ ...database, now: () => 1_000 });
  const within = <Value>(work: (trx: Transaction<LedgerTables>) => Promise<Value>) => db.transaction().execute(work);
  return {
    ...database,
    book,
    post: (subject: string, lines: Line[]) => within((trx) => book.post(trx, { mchId, kind: "test", subject, lines })),
    undo: (subject: string) => within((trx) => book.undo(trx, { mchId, kind: "test", subject }, { kind: "undone" })),
    postings: () => db.selectFrom("pay_postings").selectAll().orderBy("id").execute(),
    accounts: async () =>
      Object.fromEntries(
        (await db.selectFrom("pay_accounts").selectAll().execute()).map(({ account, fen }) => [account, fen]),
      ),
    async [Symbol.asyncDispose]() {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

const [available, frozen] = [availableOf(mchId), frozenOf(mchId)];
const pair = (from: Line["account"], to: Line["account"], fen: number): Line[] => [
  { account: from, fen: -fen },
  { account: to, fen },
];

it("refuses lines that do not add up to zero", async () => {
  await using test = await openBook();
  await expect(test.post("A", [{ account: available, fen: 1 }])).rejects.toThrow("adds up to 1 fen");
  expect(await test.postings()).toEqual([]);
});

it("refuses to overdraw frozen money, and lends what is available", async () => {
  await using test = await openBook();
  await test.post("A", pair("buyers", frozen, 100));
  await expect(test.post("B", pair(frozen, "receiver:1900000110", 101))).rejects.toMatchObject({ code: "NOTENOUGH" });
  await test.post("C", pair(frozen, "receiver:1900000110", 100));
  await test.post("D", pair(available, "buyers", 7));
  expect(await test.accounts()).toEqual({
    buyers: -93,
    [frozen]: 0,
    "receiver:1900000110": 100,
    [available]: -7,
  });
  expect(await test.book.balance("receiver:1900000110")).toBe(100);
});

it("books an operation once, and undoes it by its opposite", async () => {
  await using test = await openBook();
  await test.post("A", pair("buyers", available, 100));
  await expect(test.post("A", pair("buyers", available, 100))).rejects.toThrow("UNIQUE");
  await test.undo("A");
  await test.undo("unknown");
  expect(await test.accounts()).toEqual({ buyers: 0, [available]: 0 });
  expect(await test.postings()).toMatchObject([{ kind: "test" }, { kind: "undone", subject: "A", at: 1_000 }]);
});
