/** The ledger of the simulated payment provider: placing, paying, closing and reversing orders. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

const minutes = 60_000;
const days = 24 * 60 * minutes;

describe("placing", () => {
  it("gives a prepay id of wx and 34 characters, and a QR code's text that is at most 64 long and ends in it", async () => {
    const order = await test.ledger.place(orderRequest("PLACE-NATIVE", { tradeType: "NATIVE" }));
    expect(order.prepayId).toMatch(/^wx[0-9a-f]{34}$/);
    expect(order.codeUrl).toBe(`weixin://wxpay/bizpayurl?pr=${order.prepayId}`);
    expect(order.codeUrl).toHaveLength(64);
    expect(order).toMatchObject({ tradeState: "NOTPAY", couponFee: 0, refunded: 0, transactionId: undefined });
    expect(await test.ledger.byPrepayId(order.prepayId)).toEqual(order);
    expect(await test.ledger.byPrepayId("wx")).toBeUndefined();
  });

  it("answers the same request again with the same order, and any other value with INVALID_REQUEST", async () => {
    const first = await test.ledger.place(orderRequest("REPEATED", { extra: { detail: "a", goods: [1] } }));
    const again = (changed: object) =>
      test.ledger.place(orderRequest("REPEATED", { extra: { goods: [1], detail: "a" }, ...changed }));
    expect(await again({})).toEqual(first);
    // When the order ends was settled by the first request.
    expect(await again({ expiresAt: 1 })).toEqual(first);
    for (const changed of [{ total: 101 }, { description: "other" }, { attach: "x" }, { extra: { detail: "b" } }])
      expect(await codeOf(again(changed))).toBe("INVALID_REQUEST");
  });

  it("refuses a number that another product or version has used, before anything else", async () => {
    await test.paid("PRODUCT");
    const other = (changed: object) => codeOf(test.ledger.place(orderRequest("PRODUCT", changed)));
    expect(await other({ tradeType: "NATIVE" })).toBe("OUT_TRADE_NO_USED");
    expect(await other({ version: "v3" })).toBe("OUT_TRADE_NO_USED");
    expect(await other({ sandbox: true })).toBe("OUT_TRADE_NO_USED");
    expect(await codeOf(test.paidByCode("PRODUCT"))).toBe("OUT_TRADE_NO_USED");
    expect(await other({ mchId: "1900000110" })).toBe("done");
  });

  it("refuses a paid number with ORDERPAID and a closed one with ORDERCLOSED, whatever the other values are", async () => {
    await test.paid("PAID-BEFORE");
    await test.ledger.close(await test.placed("CLOSED-BEFORE"));
    expect(await codeOf(test.placed("PAID-BEFORE"))).toBe("ORDERPAID");
    expect(await codeOf(test.placed("PAID-BEFORE", { total: 7 }))).toBe("ORDERPAID");
    expect(await codeOf(test.placed("CLOSED-BEFORE"))).toBe("ORDERCLOSED");
  });

  it("gives a new prepay id when the first one is two hours old", async () => {
    const first = await test.ledger.place(orderRequest("PREPAY"));
    test.clock.now += 119 * minutes;
    expect((await test.ledger.place(orderRequest("PREPAY"))).prepayId).toBe(first.prepayId);
    test.clock.now += minutes;
    const second = await test.ledger.place(orderRequest("PREPAY"));
    expect(second.prepayId).not.toBe(first.prepayId);
    expect(second.id).toBe(first.id);
    expect(await test.ledger.byPrepayId(first.prepayId)).toBeUndefined();
    expect(await test.ledger.byPrepayId(second.prepayId)).toEqual(second);
  });

  it("refuses an unknown openid only where the setting says so", async () => {
    const stranger = { openid: "oStranger" };
    await test.placed("STRANGER-1", stranger);
    await test.withSettings({ strict_openid: true }, async () => {
      expect(await codeOf(test.placed("STRANGER-2", stranger))).toBe("OPENID_MISMATCH");
      expect(await codeOf(test.placed("STRANGER-3"))).toBe("done");
    });
  });
});

describe("paying", () => {
  it("gives a transaction id of 28 digits that begin with 42000, a time and who paid; both numbers find the order", async () => {
    const key = await test.paid("PAY-ONCE");
    const order = await test.ledger.get(key);
    expect(order.transactionId).toMatch(/^42000\d{5}2026\d{4}\d{10}$/);
    expect(order).toMatchObject({
      tradeState: "SUCCESS",
      paidAt: test.clock.now,
      payer: order.openid,
      bankType: "OTHERS",
    });
    const { transactionId } = order;
    expect(await test.ledger.get({ mchId, transactionId, outTradeNo: "REPEATED" })).toEqual(order);
    expect(await codeOf(test.ledger.get({ mchId: "1900000110", transactionId }))).toBe("ORDERNOTEXIST");
    expect(await test.ledger.find(keyOf("NO-SUCH-ORDER"))).toBeUndefined();
  });

  it("takes who and which bank from the caller where the order does not say", async () => {
    const key = await test.placed("PAYER", { openid: undefined, tradeType: "NATIVE" });
    const order = await test.ledger.pay(key, { payer: "oSomebody", bankType: "ICBC_DEBIT" });
    expect(order).toMatchObject({ payer: "oSomebody", bankType: "ICBC_DEBIT", openid: undefined });
  });

  it("is refused with ORDERPAID, ORDERCLOSED or ORDERNOTEXIST where it cannot be", async () => {
    expect(await codeOf(test.ledger.pay(keyOf("PAY-ONCE")))).toBe("ORDERPAID");
    expect(await codeOf(test.ledger.pay(keyOf("CLOSED-BEFORE")))).toBe("ORDERCLOSED");
    expect(await codeOf(test.ledger.pay(keyOf("NO-SUCH-ORDER")))).toBe("ORDERNOTEXIST");
  });

  it("is possible for seven days, or until the order's own time; after it the order stays NOTPAY", async () => {
    const long = await test.placed("SEVEN-DAYS");
    const short = await test.placed("ONE-MINUTE", { expiresAt: test.clock.now + minutes });
    test.clock.now += minutes;
    expect(await codeOf(test.ledger.pay(short))).toBe("ORDER_EXPIRED");
    expect((await test.ledger.get(short)).tradeState).toBe("NOTPAY");
    test.clock.now += 7 * days - minutes - 1;
    expect(await codeOf(test.ledger.pay(long))).toBe("done");
    expect(await codeOf(test.ledger.close(short))).toBe("done");
  });

  it("is over at once for an order that is made to expire, which is closed where the setting says so", async () => {
    const stays = await test.placed("EXPIRE-STAYS");
    expect((await test.ledger.expire(stays)).tradeState).toBe("NOTPAY");
    expect(await codeOf(test.ledger.pay(stays))).toBe("ORDER_EXPIRED");
    const closes = await test.placed("EXPIRE-CLOSES");
    await test.withSettings({ autoCloseAfterExpire: true }, async () => {
      expect((await test.ledger.expire(closes)).tradeState).toBe("CLOSED");
      expect((await test.ledger.get(stays)).tradeState).toBe("CLOSED");
      expect(test.path("EXPIRE-STAYS")).toEqual(["- NOTPAY", "NOTPAY CLOSED"]);
    });
    expect(await codeOf(test.ledger.expire(closes))).toBe("ORDERCLOSED");
  });

  it("that fails leaves an order as it is, where no payment code was shown", async () => {
    const key = await test.placed("FAILS");
    expect((await test.ledger.failPayment(key, "bank")).tradeState).toBe("NOTPAY");
    expect((await test.ledger.failPayment(key, "cancel")).tradeState).toBe("NOTPAY");
    expect(test.path("FAILS")).toEqual(["- NOTPAY"]);
    expect(await codeOf(test.ledger.failPayment(keyOf("PAY-ONCE"), "bank"))).toBe("ORDERPAID");
  });
});

describe("closing", () => {
  it("says what keeps it from closing in the documented order: paid, closed, being paid, too young", async () => {
    await test.withSettings({ closeMinAgeSeconds: 300 }, async () => {
      const young = await test.placed("CLOSE-YOUNG");
      expect(await codeOf(test.ledger.close(young))).toBe("FREQUENCY_LIMITED");
      await test.paid("CLOSE-PAID");
      expect(await codeOf(test.ledger.close(keyOf("CLOSE-PAID")))).toBe("ORDERPAID");
      expect(await codeOf(test.paidByCode("CLOSE-ASKED", 100_001))).toBe("USERPAYING");
      expect(await codeOf(test.ledger.close(keyOf("CLOSE-ASKED")))).toBe("USERPAYING");
      expect(await codeOf(test.ledger.close(keyOf("NO-SUCH-ORDER")))).toBe("ORDERNOTEXIST");
      test.clock.now += 300_000;
      expect(await test.ledger.close(young)).toMatchObject({ tradeState: "CLOSED", endedAt: test.clock.now });
      expect(await codeOf(test.ledger.close(young))).toBe("ORDERCLOSED");
    });
  });

  it("is refused for refunded, reversed and failed orders", async () => {
    await test.ledger.refund(await test.paid("CLOSE-REFUNDED"), refundRequest("CLOSE-R1"));
    expect(await codeOf(test.ledger.close(keyOf("CLOSE-REFUNDED")))).toBe("ORDERPAID");
    await test.paidByCode("CLOSE-REVERSED");
    await test.ledger.reverse(keyOf("CLOSE-REVERSED"));
    expect(await codeOf(test.ledger.close(keyOf("CLOSE-REVERSED")))).toBe("ORDERPAID");
    expect(await codeOf(test.paidByCode("CLOSE-FAILED", 100_001))).toBe("USERPAYING");
    await test.ledger.failPayment(keyOf("CLOSE-FAILED"), "bank");
    expect(await codeOf(test.ledger.close(keyOf("CLOSE-FAILED")))).toBe("TRADE_ERROR");
  });
});

describe("listing and telling", () => {
  it("lists the newest first, by merchant, by state and from where a page ended", async () => {
    const of = { mchId: "1900000200" };
    for (const number of ["LIST-1", "LIST-2", "LIST-3"]) await test.placed(number, of);
    await test.ledger.pay({ ...of, outTradeNo: "LIST-2" });
    const numbers = async (filter: object) =>
      (await test.ledger.list({ ...of, limit: 10, ...filter })).map(({ outTradeNo }) => outTradeNo);
    expect(await numbers({})).toEqual(["LIST-3", "LIST-2", "LIST-1"]);
    expect(await numbers({ limit: 2 })).toEqual(["LIST-3", "LIST-2"]);
    expect(await numbers({ tradeState: "NOTPAY" })).toEqual(["LIST-3", "LIST-1"]);
    const [newest] = await test.ledger.list({ ...of, limit: 1 });
    expect(await numbers({ before: newest?.id ?? 0 })).toEqual(["LIST-2", "LIST-1"]);
  });

  it("notifies every subscriber of each change once, even if one throws, until it unsubscribes", async () => {
    const received: string[] = [];
    const stop = [
      test.ledger.subscribe(() => {
        throw new Error("a listener of the test");
      }),
      test.ledger.subscribe((change) => void received.push(`${change.kind} ${change.order.tradeState}`)),
    ];
    const key = await test.paid("TOLD");
    await test.ledger.refund(key, refundRequest("TOLD-R1"));
    for (const end of stop) end();
    await test.ledger.refund(key, refundRequest("TOLD-R2"));
    expect(received).toEqual(["order NOTPAY", "order SUCCESS", "order REFUND", "refund REFUND"]);
    expect(test.reported).toHaveLength(4);
  });

  it("knows all of it after a restart", async () => {
    const before = await test.ledger.get(keyOf("PAY-ONCE"));
    await test.restart();
    expect(await test.ledger.get(keyOf("PAY-ONCE"))).toEqual(before);
  });
});
