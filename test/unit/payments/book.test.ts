/** The double-entry book under all payment products. */
import { join } from "node:path";
import type { Transaction } from "kysely";
import { expect, it } from "vitest";
import { availableOf, Book, frozenOf, type Line } from "../../../server/provider/payments/book/book.ts";
import { bookStored } from "../../../server/provider/payments/book/book-stored.ts";
import { createLedger } from "../../../server/provider/payments/ledger/create-ledger.ts";
import { ledgerMigrations, type LedgerTables } from "../../../server/provider/payments/ledger/ledger-tables.ts";
import { defaultSimSettings } from "../../../server/provider/identity/sim-settings.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { mchId, orderRequest, refundRequest } from "../../support/payments/open-ledger.ts";
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

it("books stored orders and refunds exactly as when they happened", async () => {
  await using test = await openBook();
  let now = Date.parse("2026-01-01T12:00:00+08:00");
  const ledger = createLedger({
    ...test,
    now: () => now,
    settings: () => ({ ...defaultSimSettings, refund_interval_seconds: 0, reverse_min_age_seconds: 0 }),
    knowsOpenId: async () => true,
    readAuthCode: async () => ({ openid: "oBuyer", outcome: "paid" }),
    onError: () => undefined,
  });
  await ledger.place(orderRequest("A", { total: 10_000 }));
  await ledger.pay({ mchId, outTradeNo: "A" }, { couponFee: 333 });
  await ledger.payByCode(orderRequest("B", { tradeType: "MICROPAY", total: 5_000 }), "13");
  await ledger.place(orderRequest("UNPAID"));
  for (const number of ["R1", "R2", "R3"]) {
    now += 1_000;
    await ledger.refund({ mchId, outTradeNo: "A" }, refundRequest(number, { total: 10_000, refund: 1_234 }));
  }
  await ledger.reverse({ mchId, outTradeNo: "B" });
  const [postings, accounts, booked] = [
    await test.postings(),
    await test.accounts(),
    await ledger.booked(mchId, 0, now + 1),
  ];
  expect(Object.values(accounts).reduce((sum, fen) => sum + fen, 0)).toBe(0);
  await test.db.deleteFrom("pay_postings").execute();
  await test.db.deleteFrom("pay_accounts").execute();

  await bookStored(test.db);
  await bookStored(test.db);

  const content = ({ kind, subject, lines, at }: (typeof postings)[number]) =>
    `${kind} ${subject} ${lines} ${String(at)}`;
  expect((await test.postings()).map(content).toSorted()).toEqual(postings.map(content).toSorted());
  expect(await test.accounts()).toEqual(accounts);
  expect((await ledger.booked(mchId, 0, now + 1)).length).toBe(booked.length);
});

it("books the orders of a database that an older Hearth has made", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "provider.db");
  const { "020_book": _newest, ...older } = ledgerMigrations;
  const before = await openDatabase<LedgerTables>({ file, migrations: older });
  await before.db
    .insertInto("pay_orders")
    .values({
      ...{ mch_id: mchId, app_id: "wx48656172746854a1", out_trade_no: "OLD", trade_type: "JSAPI", version: "v2" },
      ...{
        sign_type: "MD5",
        description: "Tea",
        total: 1_000,
        currency: "CNY",
        expires_at: 9,
        sandbox: 0,
        extra: "{}",
      },
      ...{ trade_state: "SUCCESS", created_at: 1, prepay_id: "wx1", prepay_expires_at: 9, transaction_id: "42" },
      ...{ paid_at: 5, coupon_fee: 0, refunded: 0, refund_count: 0 },
    })
    .execute();
  await before.close();

  const after = await openDatabase<LedgerTables>({ file, migrations: ledgerMigrations });
  const [posting] = await after.db.selectFrom("pay_postings").selectAll().execute();
  await after.close();

  expect(posting).toMatchObject({ kind: "payment", subject: "42", at: 5 });
  const lines = [
    ["buyers", -1_000],
    [available, 1_000],
    [available, -6],
    ["fees", 6],
  ];
  expect(JSON.parse(posting?.lines ?? "")).toEqual(lines);
});
