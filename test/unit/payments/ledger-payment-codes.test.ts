/** The ledger of the simulated payment provider: payments by a code that the buyer shows, and their reversal. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  codeOf,
  keyOf,
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

describe("payment codes", () => {
  it("pay at once up to 1000 CNY, and ask for the password above", async () => {
    expect(await test.paidByCode("CODE-1000", 100_000)).toMatchObject({
      tradeState: "SUCCESS",
      payer: "oBuyer",
      prepayId: "",
    });
    expect(await codeOf(test.paidByCode("CODE-1001", 100_001))).toBe("USERPAYING");
    expect((await test.ledger.get(keyOf("CODE-1001"))).tradeState).toBe("USERPAYING");
    expect((await test.ledger.pay(keyOf("CODE-1001"))).tradeState).toBe("SUCCESS");
    expect(test.path("CODE-1001")).toEqual(["- USERPAYING", "USERPAYING SUCCESS"]);
  });

  it("leave PAYERROR when the bank refuses, and NOTPAY when the buyer cancels or 45 seconds pass", async () => {
    for (const outTradeNo of ["CODE-BANK", "CODE-CANCEL", "CODE-SLOW"])
      expect(await codeOf(test.paidByCode(outTradeNo, 100_001))).toBe("USERPAYING");
    expect((await test.ledger.failPayment(keyOf("CODE-BANK"), "bank")).tradeState).toBe("PAYERROR");
    expect((await test.ledger.failPayment(keyOf("CODE-CANCEL"), "cancel")).tradeState).toBe("NOTPAY");
    test.clock.now += 44_999;
    expect((await test.ledger.get(keyOf("CODE-SLOW"))).tradeState).toBe("USERPAYING");
    const waiting = async () =>
      (await test.ledger.list({ limit: 9, tradeState: "USERPAYING" })).map((o) => o.outTradeNo);
    expect(await waiting()).toContain("CODE-SLOW");
    test.clock.now += 1;
    expect(await waiting()).not.toContain("CODE-SLOW");
    expect((await test.ledger.get(keyOf("CODE-SLOW"))).tradeState).toBe("NOTPAY");
    expect(test.path("CODE-SLOW")).toEqual(["- USERPAYING", "USERPAYING NOTPAY"]);
    expect(await codeOf(test.ledger.pay(keyOf("CODE-BANK")))).toBe("TRADE_ERROR");
  });

  it("whose time is over take no room in a page of those that wait", async () => {
    expect(await codeOf(test.paidByCode("PAGE-WAITS", 100_001))).toBe("USERPAYING");
    test.clock.now += 30_000;
    expect(await codeOf(test.paidByCode("PAGE-OVER", 100_001))).toBe("USERPAYING");
    test.clock.now += 15_000;
    await test.ledger.askPassword(keyOf("PAGE-WAITS"));
    test.clock.now += 30_000;
    const [listed] = await test.ledger.list({ limit: 1, tradeState: "USERPAYING" });
    expect(listed?.outTradeNo).toBe("PAGE-WAITS");
  });

  it("go as the caller says, where it knows: refused by the bank is BANKERROR and PAYERROR", async () => {
    const micropay = (outTradeNo: string, how: object) =>
      test.ledger.payByCode(orderRequest(outTradeNo, { tradeType: "MICROPAY" }), "130000000000000001", how);
    expect(await codeOf(micropay("CODE-REFUSED", { outcome: "refused" }))).toBe("BANKERROR");
    expect(test.path("CODE-REFUSED")).toEqual(["- USERPAYING", "USERPAYING PAYERROR"]);
    expect(await micropay("CODE-COUPON", { couponFee: 30 })).toMatchObject({ tradeState: "SUCCESS", couponFee: 30 });
  });

  it("work once for a number: a repeat returns the order's state, and takes no other code", async () => {
    expect(await codeOf(test.paidByCode("CODE-1000"))).toBe("ORDERPAID");
    expect(await codeOf(test.paidByCode("CODE-BANK"))).toBe("TRADE_ERROR");
    expect(await codeOf(test.paidByCode("CODE-CANCEL"))).toBe("INVALID_REQUEST");
    expect(await codeOf(test.paidByCode("CODE-CANCEL", 100_001))).toBe("OUT_TRADE_NO_USED");
    expect(await codeOf(test.paidByCode("CODE-ASKED", 100_001))).toBe("USERPAYING");
    expect(await codeOf(test.paidByCode("CODE-ASKED", 100_001))).toBe("USERPAYING");
    expect(test.path("CODE-ASKED")).toEqual(["- USERPAYING"]);
  });

  it("that are unknown leave no order behind", async () => {
    const request = orderRequest("CODE-NOBODY", { tradeType: "MICROPAY" });
    expect(await codeOf(test.ledger.payByCode(request, "990000000000000001"))).toBe("AUTH_CODE_INVALID");
    expect(await test.ledger.find(keyOf("CODE-NOBODY"))).toBeUndefined();
  });
});

describe("reversing", () => {
  it("undoes a payment, a failed payment and an unpaid order, each once, and says so again", async () => {
    await test.paidByCode("REVERSE-PAID");
    await codeOf(test.paidByCode("REVERSE-FAILED", 100_001));
    await test.ledger.failPayment(keyOf("REVERSE-FAILED"), "bank");
    await codeOf(test.paidByCode("REVERSE-UNPAID", 100_001));
    await test.ledger.failPayment(keyOf("REVERSE-UNPAID"), "cancel");
    for (const outTradeNo of ["REVERSE-PAID", "REVERSE-FAILED", "REVERSE-UNPAID"]) {
      const reversed = await test.ledger.reverse(keyOf(outTradeNo));
      expect(reversed).toMatchObject({ tradeState: "REVOKED", endedAt: test.clock.now });
      expect(await test.ledger.reverse(keyOf(outTradeNo))).toEqual(reversed);
      expect(test.path(outTradeNo).filter((step) => step.endsWith("REVOKED"))).toHaveLength(1);
    }
    expect(await codeOf(test.paidByCode("REVERSE-PAID"))).toBe("ORDERREVERSED");
  });

  it("is refused while the buyer types, for other products, and for refunded and closed orders", async () => {
    await codeOf(test.paidByCode("REVERSE-TYPING", 100_001));
    expect(await codeOf(test.ledger.reverse(keyOf("REVERSE-TYPING")))).toBe("USERPAYING");
    expect(await codeOf(test.ledger.reverse(await test.paid("REVERSE-JSAPI")))).toBe("INVALID_REQUEST");
    await test.paidByCode("REVERSE-REFUNDED");
    await test.ledger.refund(keyOf("REVERSE-REFUNDED"), refundRequest("REVERSE-R1"));
    expect(await codeOf(test.ledger.reverse(keyOf("REVERSE-REFUNDED")))).toBe("TRADE_ERROR");
    await codeOf(test.paidByCode("REVERSE-CLOSED", 100_001));
    await test.ledger.failPayment(keyOf("REVERSE-CLOSED"), "cancel");
    await test.ledger.close(keyOf("REVERSE-CLOSED"));
    expect(await codeOf(test.ledger.reverse(keyOf("REVERSE-CLOSED")))).toBe("TRADE_ERROR");
    expect(await codeOf(test.ledger.reverse(keyOf("NO-SUCH-ORDER")))).toBe("ORDERNOTEXIST");
  });

  it("is possible within seven days, and where the setting says so not within seconds of the payment", async () => {
    await test.paidByCode("REVERSE-OLD");
    test.clock.now += 7 * days;
    await test.paidByCode("REVERSE-YOUNG");
    await test.withSettings({ reverse_min_age_seconds: 15 }, async () => {
      expect(await codeOf(test.ledger.reverse(keyOf("REVERSE-YOUNG")))).toBe("FREQUENCY_LIMITED");
      test.clock.now += 1;
      expect(await codeOf(test.ledger.reverse(keyOf("REVERSE-OLD")))).toBe("REVERSE_EXPIRE");
      test.clock.now += 15_000;
      expect(await codeOf(test.ledger.reverse(keyOf("REVERSE-YOUNG")))).toBe("done");
    });
  });
});
