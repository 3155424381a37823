/** The ledger of the simulated payment provider: refunds, and the balance that they are taken from. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RefundRequest } from "../../../server/provider/payments/ledger/ledger.ts";
import {
  codeOf,
  keyOf,
  mchId,
  openTestLedger,
  orderRequest,
  refundRequest,
  type TestLedger,
} from "../../support/payments/open-ledger.ts";

let test: TestLedger;
beforeAll(async () => void (test = await openTestLedger()));
afterAll(() => test[Symbol.asyncDispose]());

const days = 24 * 3_600_000;
const refund = (outTradeNo: string, outRefundNo: string, changed: Partial<RefundRequest> = {}) =>
  test.ledger.refund(keyOf(outTradeNo), refundRequest(outRefundNo, changed));
const refusal = (...given: Parameters<typeof refund>) => codeOf(refund(...given));

describe("a refund", () => {
  it("is PROCESSING with a number of 28 digits, moves the order to REFUND once, and ends with the given status", async () => {
    await test.paid("FIRST");
    const { refund: made, order } = await refund("FIRST", "FIRST-1", { reason: "broken" });
    expect(made).toMatchObject({ status: "PROCESSING", refund: 10, total: 100, reason: "broken", orderId: order.id });
    expect(made.refundId).toMatch(/^50000\d{23}$/);
    expect(order).toMatchObject({ tradeState: "REFUND", refunded: 10 });
    await refund("FIRST", "FIRST-2", { refund: 90 });
    expect(test.path("FIRST")).toEqual(["- NOTPAY", "NOTPAY SUCCESS", "SUCCESS REFUND"]);
    const finished = await test.ledger.finishRefund(made.refundId, "SUCCESS");
    expect(finished).toEqual({ ...made, status: "SUCCESS", finishedAt: test.clock.now });
    expect(await test.ledger.orderOf(finished)).toMatchObject({ outTradeNo: "FIRST", refunded: 100 });
    expect(await test.ledger.finishRefund(made.refundId, "SUCCESS")).toEqual(finished);
    expect(await codeOf(test.ledger.finishRefund(made.refundId, "CLOSED"))).toBe("TRADE_ERROR");
    expect(await codeOf(test.ledger.finishRefund("1", "SUCCESS"))).toBe("REFUNDNOTEXIST");
  });

  it("is found by its numbers or with all others of its order", async () => {
    const all = await test.ledger.refunds(keyOf("FIRST"));
    const [first, second] = all;
    expect(all.map(({ outRefundNo }) => outRefundNo)).toEqual(["FIRST-1", "FIRST-2"]);
    expect(await test.ledger.refunds({ mchId, outRefundNo: "FIRST-2" })).toEqual([second]);
    expect(await test.ledger.refunds({ mchId, outRefundNo: "FIRST-2", refundId: first?.refundId })).toEqual([first]);
    expect(await test.ledger.refunds({ mchId, outRefundNo: "NONE" })).toEqual([]);
    expect(await test.ledger.refunds(keyOf("NONE-SUCH"))).toEqual([]);
    expect(await test.ledger.refunds({ mchId: "1900000110", outRefundNo: "FIRST-2" })).toEqual([]);
  });

  it("is made once under one number: a repeat is the same refund, another amount or order is refused", async () => {
    await test.paid("TWICE");
    const made = await refund("TWICE", "TWICE-1");
    expect(await refund("TWICE", "TWICE-1")).toEqual(made);
    expect(await refusal("TWICE", "TWICE-1", { refund: 11 })).toBe("REFUND_FEE_MISMATCH");
    expect(await refusal("TWICE", "TWICE-1", { total: 101 })).toBe("REFUND_FEE_MISMATCH");
    expect(await refusal("FIRST", "TWICE-1")).toBe("INVALID_REQUEST");
    expect(await test.ledger.refunds(keyOf("TWICE"))).toHaveLength(1);
    expect(await test.ledger.get(keyOf("TWICE"))).toMatchObject({ refunded: 10 });
  });

  it("never returns more than was paid, and names the order's amount", async () => {
    await test.paid("LIMIT");
    expect(await refusal("LIMIT", "LIMIT-1", { total: 99 })).toBe("PARAM_ERROR");
    expect(await refusal("LIMIT", "LIMIT-1", { currency: "USD" })).toBe("PARAM_ERROR");
    expect(await refusal("LIMIT", "LIMIT-1", { refund: 101 })).toBe("ERROR");
    expect(await refusal("LIMIT", "LIMIT-1", { refund: 60 })).toBe("done");
    expect(await refusal("LIMIT", "LIMIT-2", { refund: 41 })).toBe("ERROR");
    expect(await refusal("LIMIT", "LIMIT-2", { refund: 40 })).toBe("done");
  });

  it("that is closed gives its amount back to the order; one that is abnormal does not", async () => {
    await test.paid("BACK");
    const { refund: closed } = await refund("BACK", "BACK-1", { refund: 60 });
    const { refund: stuck } = await refund("BACK", "BACK-2", { refund: 40 });
    await test.ledger.finishRefund(stuck.refundId, "ABNORMAL");
    expect(await refusal("BACK", "BACK-3", { refund: 1 })).toBe("ERROR");
    await test.ledger.finishRefund(closed.refundId, "CLOSED");
    expect(await refusal("BACK", "BACK-3", { refund: 60 })).toBe("done");
    expect(await test.ledger.get(keyOf("BACK"))).toMatchObject({ tradeState: "REFUND", refunded: 100 });
  });

  it("is the 50th of its order at the most", async () => {
    await test.paid("FIFTY");
    for (let number = 1; number <= 50; number++) await refund("FIFTY", `FIFTY-${String(number)}`, { refund: 1 });
    expect(await refusal("FIFTY", "FIFTY-51", { refund: 1 })).toBe("ERROR");
    expect(await test.ledger.get(keyOf("FIFTY"))).toMatchObject({ refunded: 50 });
  });

  it("needs a paid order, which is no older than a year and was not reversed", async () => {
    await test.placed("UNPAID");
    expect(await refusal("UNPAID", "UNPAID-1")).toBe("ORDERNOTEXIST");
    expect(await refusal("NONE-SUCH", "UNPAID-1")).toBe("ORDERNOTEXIST");
    await test.ledger.payByCode(orderRequest("REVERSED", { tradeType: "MICROPAY" }), "130000000000000001");
    await test.ledger.reverse(keyOf("REVERSED"));
    expect(await refusal("REVERSED", "REVERSED-1")).toBe("ERROR");
    await test.paid("YEAR-OLD");
    test.clock.now += 365 * days;
    expect(await refusal("YEAR-OLD", "YEAR-1", { refund: 1 })).toBe("done");
    test.clock.now += 1;
    expect(await refusal("YEAR-OLD", "YEAR-2", { refund: 1 })).toBe("TRADE_OVERDUE");
  });

  it("has to wait for a minute after the one before it only where the setting says so", async () => {
    await test.paid("INTERVAL");
    test.settings.refund_interval_seconds = 60;
    try {
      expect(await refusal("INTERVAL", "INTERVAL-1")).toBe("done");
      test.clock.now += 59_999;
      expect(await refusal("INTERVAL", "INTERVAL-2")).toBe("FREQUENCY_LIMITED");
      expect(await refusal("INTERVAL", "INTERVAL-1")).toBe("done"); // a repeat is no second refund
      test.clock.now += 1;
      expect(await refusal("INTERVAL", "INTERVAL-2")).toBe("done");
    } finally {
      test.settings.refund_interval_seconds = 0;
    }
  });
});

describe("a merchant's balance", () => {
  it("is as much as it takes until it is set; then a refund that it does not cover changes nothing", async () => {
    await test.paid("BALANCE");
    expect(await test.ledger.balance(mchId)).toBeUndefined();
    await test.ledger.setBalance(mchId, 15);
    expect(await refusal("BALANCE", "BALANCE-1", { refund: 16 })).toBe("NOTENOUGH");
    expect(await test.ledger.get(keyOf("BALANCE"))).toMatchObject({ tradeState: "SUCCESS", refunded: 0 });
    expect(await refusal("BALANCE", "BALANCE-2", { refund: 10 })).toBe("done");
    expect(await test.ledger.balance(mchId)).toBe(5);
    await test.ledger.setBalance(mchId, 16);
    const { refund: made } = await refund("BALANCE", "BALANCE-1", { refund: 16 });
    expect(await test.ledger.balance(mchId)).toBe(0);
    await test.ledger.finishRefund(made.refundId, "CLOSED");
    expect(await test.ledger.balance(mchId)).toBe(16);
    await test.ledger.setBalance(mchId, undefined);
    expect(await refusal("BALANCE", "BALANCE-3", { refund: 90 })).toBe("done");
  });
});
