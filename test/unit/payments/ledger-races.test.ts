/** Changes of one order that exclude each other, at the same time: exactly one wins, whoever asks. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ledger } from "../../../server/provider/payments/ledger/ledger.ts";
import {
  codeOf,
  mchId,
  openTestLedger,
  orderRequest,
  refundRequest,
  type TestLedger,
} from "../../support/payments/open-ledger.ts";

let test: TestLedger;
/** Ledgers over the same tables that know nothing of each other: what keeps them apart are the tables alone. */
let ledgers: Ledger[] = [];
beforeAll(async () => {
  test = await openTestLedger();
  test.settings.free_payments_a_day = 1_000; // the one buyer pays by code for every order
  ledgers = [test.ledger, test.another(), test.another(), test.another()];
});
afterAll(() => test[Symbol.asyncDispose]());

const orders = Array.from({ length: 40 }, (_, index) => `RACE-${String(index)}`);
const callers = Array.from({ length: 12 }, (_, index) => index);
const ledgerOf = (caller: number): Ledger => ledgers[caller % ledgers.length] ?? test.ledger;

/** What all callers get to hear, in the order in which they called. */
const all = (call: (ledger: Ledger, caller: number) => Promise<unknown>) =>
  Promise.all(callers.map((caller) => codeOf(call(ledgerOf(caller), caller))));
/** Lets others have so many turns first. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}
const winners = (codes: readonly string[]) => codes.filter((code) => code === "done").length;

describe("at the same time", () => {
  it("many payments of one order: one succeeds, the others are ORDERPAID, and there is one transaction", async () => {
    for (const name of orders) {
      const key = await test.placed(`PAY-${name}`);
      const codes = await all((ledger) => ledger.pay(key));
      expect(codes.toSorted()).toEqual([...callers.slice(1).map(() => "ORDERPAID"), "done"]);
    }
  });

  it("payments and closes of one order: it is paid or closed, never both, and every answer agrees with that", async () => {
    const ends = new Set<string>();
    for (const [index, name] of orders.entries()) {
      const key = await test.placed(`CLOSE-${name}`);
      // Buyers come a little later each time, so that payments fall before, between and behind the steps of a close.
      const both = async (ledger: Ledger, caller: number) => {
        if (caller % 2 !== 0) return ledger.close(key);
        await turns(index * 3);
        return ledger.pay(key);
      };
      const codes = await all(both);
      const { tradeState, transactionId } = await test.ledger.get(key);
      ends.add(tradeState);
      expect(winners(codes)).toBe(1);
      expect(tradeState === "SUCCESS").toBe(transactionId !== undefined);
      const truth = tradeState === "SUCCESS" ? "ORDERPAID" : "ORDERCLOSED";
      // The platform's word for who lost in the very moment; told again, they hear the truth.
      expect(["done", truth, "FREQUENCY_LIMITED"]).toEqual(expect.arrayContaining(codes));
      expect(await all(both)).toEqual(callers.map(() => truth));
    }
    expect([...ends].toSorted()).toEqual(["CLOSED", "SUCCESS"]);
  });

  it("orders under one number: there is one, and all who asked for the same get it", async () => {
    for (const name of orders) {
      const placed = await Promise.all(callers.map((caller) => ledgerOf(caller).place(orderRequest(`SAME-${name}`))));
      expect(new Set(placed.map(({ id, prepayId }) => `${String(id)} ${prepayId}`)).size).toBe(1);
      const codes = await all((ledger, caller) => ledger.place(orderRequest(`OTHER-${name}`, { total: caller + 1 })));
      expect(winners(codes)).toBe(1);
      expect(new Set(codes)).toEqual(new Set(["done", "INVALID_REQUEST"]));
    }
  });

  it("payments by code under one number: the buyer pays once", async () => {
    for (const name of orders) {
      const request = orderRequest(`CODE-${name}`, { tradeType: "MICROPAY" });
      const codes = await all((ledger) => ledger.payByCode(request, "130000000000000001"));
      expect([winners(codes), new Set(codes)]).toEqual([1, new Set(["done", "ORDERPAID"])]);
    }
  });

  it("refunds of one order never return more than was paid, and one number is one refund", async () => {
    for (const name of orders) {
      const key = await test.paid(`REFUND-${name}`);
      const request = (caller: number) => refundRequest(`${name}-${String(caller % 6)}`, { refund: 30 });
      for (;;) {
        const codes = await all((ledger, caller) => ledger.refund(key, request(caller)));
        // Who lost against another refund is told to come again, as real callers are.
        if (!codes.includes("FREQUENCY_LIMITED")) break;
      }
      const made = await test.ledger.refunds(key);
      expect(made).toHaveLength(3);
      expect(new Set(made.map(({ outRefundNo }) => outRefundNo)).size).toBe(3);
      expect(await test.ledger.get(key)).toMatchObject({ refunded: 90, tradeState: "REFUND" });
    }
  });

  it("a reversal and a refund of one order: one of them has the money", async () => {
    const ends = new Set<string>();
    for (const [index, name] of orders.entries()) {
      const request = orderRequest(`MONEY-${name}`, { tradeType: "MICROPAY" });
      const key = { mchId, outTradeNo: request.outTradeNo };
      await test.ledger.payByCode(request, "130000000000000001");
      await all(async (ledger, caller) => {
        if (caller % 2 === 0) return ledger.refund(key, refundRequest(`MONEY-${name}`, { refund: 100 }));
        await turns(index * 3);
        return ledger.reverse(key);
      });
      const { tradeState, refunded } = await test.ledger.get(key);
      ends.add(`${tradeState} ${String(refunded)} ${String((await test.ledger.refunds(key)).length)}`);
    }
    expect([...ends].toSorted()).toEqual(["REFUND 100 1", "REVOKED 0 0"]);
  });
});
