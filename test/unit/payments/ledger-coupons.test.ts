/** The ledger of the simulated payment provider: what of refunds is the buyer's money, and what is coupons. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { couponPart } from "../../../server/provider/payments/ledger/coupon-parts.ts";
import type { Refund } from "../../../server/provider/payments/ledger/ledger.ts";
import { keyOf, mchId, openTestLedger, refundRequest, type TestLedger } from "../../support/payments/open-ledger.ts";

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
});
