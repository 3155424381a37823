/** The ledger of the simulated payment provider: what of refunds is the buyer's money, and what is coupons. */
import { join } from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { couponPart } from "../../../server/provider/payments/ledger/coupon-parts.ts";
import { freshRow } from "../../../server/provider/payments/ledger/ledger-rows.ts";
import { ledgerMigrations, type LedgerTables } from "../../../server/provider/payments/ledger/ledger-tables.ts";
import type { Refund } from "../../../server/provider/payments/ledger/ledger.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import {
  keyOf,
  mchId,
  openTestLedger,
  orderRequest,
  refundRequest,
  type TestLedger,
} from "../../support/payments/open-ledger.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let test: TestLedger;
beforeAll(async () => void (test = await openTestLedger()));
afterAll(() => test[Symbol.asyncDispose]());

async function paid(outTradeNo: string, total: number, couponFee: number): Promise<void> {
  await test.placed(outTradeNo, { total });
  await test.ledger.pay(keyOf(outTradeNo), { couponFee });
}
const sum = (refunds: readonly Refund[], part: (refund: Refund) => number) =>
  refunds.reduce((all, refund) => all + part(refund), 0);

/** An order, and its refunds until nothing is left, of which some are closed before the next one. */
const life = fc.integer({ min: 2, max: 1_000_000_000 }).chain((total) =>
  fc.record({
    total: fc.constant(total),
    couponFee: fc.integer({ min: 0, max: total - 1 }),
    steps: fc.array(
      fc.record({ share: fc.double({ min: 0, max: 0.5, noNaN: true }), closes: fc.option(fc.nat(), { freq: 3 }) }),
      { maxLength: 12 },
    ),
  }),
);
let lives = 0;

describe("the coupons' parts of refunds", () => {
  it("never change, fit into their refund, and come to exactly the coupons once all is refunded", async () => {
    await fc.assert(
      fc.asyncProperty(life, async ({ total, couponFee, steps }) => {
        const outTradeNo = `COUPONS-${String(++lives)}`;
        await paid(outTradeNo, total, couponFee);
        const made: Refund[] = [];
        const refund = async (fen: number) => {
          const outRefundNo = `${outTradeNo}-${String(made.length)}`;
          const request = refundRequest(outRefundNo, { total, refund: fen });
          made.push((await test.ledger.refund(keyOf(outTradeNo), request)).refund);
        };
        const closed = new Set<string>();
        const live = () => made.filter(({ refundId }) => !closed.has(refundId));
        const left = () => total - sum(live(), (one) => one.refund);
        for (const { share, closes } of steps) {
          const fen = Math.max(1, Math.floor(total * share));
          if (fen <= left()) await refund(fen);
          const ended = closes === null ? undefined : live()[closes % Math.max(1, live().length)];
          if (ended) closed.add((await test.ledger.finishRefund(ended.refundId, "CLOSED")).refundId);
        }
        if (left() > 0) await refund(left());
        expect(sum(live(), (one) => one.couponFee)).toBe(couponFee);
        for (const one of made) {
          expect(one.couponFee).toBeGreaterThanOrEqual(0);
          expect(one.couponFee).toBeLessThanOrEqual(one.refund);
        }
        const stored = await test.ledger.refunds(keyOf(outTradeNo));
        expect(stored.map((one) => one.couponFee)).toEqual(made.map((one) => one.couponFee));
      }),
      { numRuns: 100 },
    );
  });

  it("are exact where the product of two amounts is beyond what a number holds", () => {
    const order = { total: 1_000_000_000, couponFee: 999_999_999 };
    expect(couponPart(order, { refunded: 0, couponFee: 0 }, 999_999_999)).toBe(999_999_998);
    expect(couponPart(order, { refunded: 999_999_999, couponFee: 999_999_998 }, 1)).toBe(1);
  });

  it("are not taken from the merchant's balance, nor given back to it", async () => {
    await paid("BALANCED", 100, 50);
    await test.ledger.setBalance(mchId, 40);
    const { refund } = await test.ledger.refund(keyOf("BALANCED"), refundRequest("BALANCED-1", { refund: 60 }));
    expect([refund.couponFee, await test.ledger.balance(mchId)]).toEqual([30, 10]);
    await test.ledger.finishRefund(refund.refundId, "CLOSED");
    expect(await test.ledger.balance(mchId)).toBe(40);
    await test.ledger.setBalance(mchId, undefined);
  });

  it("of refunds that an older Hearth made are those that it told their merchants", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "provider.db");
    const migrations = Object.fromEntries(
      Object.entries(ledgerMigrations).filter(([name]) => name < "0017_refunded_coupons"),
    );
    const older = await openDatabase<LedgerTables>({ file, migrations });
    const order = {
      ...freshRow(orderRequest("OLDER"), 0),
      trade_state: "REFUND",
      coupon_fee: 50,
      refunded: 100,
    } as const;
    await older.db.insertInto("pay_orders").values(order).execute();
    for (const number of ["1", "2", "3", "4"])
      await sql`
        insert into pay_refunds (mch_id, order_id, out_refund_no, refund_id, total, refund, currency, version, status, created_at)
        select mch_id, id, ${number}, ${number}, total, 25, currency, version, 'SUCCESS', 0 from pay_orders
      `.execute(older.db);
    await older.close();
    const newer = await openDatabase<LedgerTables>({ file, migrations: ledgerMigrations });
    const rows = await newer.db.selectFrom("pay_refunds").select("coupon_fee").execute();
    await newer.close();
    expect(rows.map(({ coupon_fee }) => coupon_fee)).toEqual([12, 12, 12, 12]);
  });
});
