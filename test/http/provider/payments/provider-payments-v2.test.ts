/** Version 2 of the simulated payment API as a merchant sees it: every call, with the shape of its reply. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2, type ReplyV2 } from "../../../support/payments/merchant-v2.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
  await provider.control("PATCH", "/settings", { refund_seconds: 0 });
});
afterAll(() => provider[Symbol.asyncDispose]());

const head = ["return_code", "return_msg", "appid", "mch_id", "nonce_str", "sign", "result_code"];
/** The names of the call's own fields, in the order in which they came behind those that all replies have. */
function ownFields(reply: ReplyV2): string[] {
  const names = Object.keys(reply.fields);
  expect(reply.isSigned).toBe(true);
  expect(names.slice(0, head.length)).toEqual(head);
  expect(reply.fields).toMatchObject({
    return_code: "SUCCESS",
    return_msg: "OK",
    result_code: "SUCCESS",
    appid: provider.app.appid,
    mch_id: "1900000109",
    nonce_str: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  return names.slice(head.length);
}

const refundSettled = (outRefundNo: string) =>
  expect
    .poll(async () => (await merchant.refundQuery({ out_refund_no: outRefundNo })).fields["refund_status_0"])
    .toBe("SUCCESS");

describe("unified order", () => {
  it("answers 200 with a prepay id, for NATIVE with the QR code's text too, for MWEB with the page's address", async () => {
    const jsapi = await merchant.place("UNIFIED_JSAPI");
    expect(jsapi.status).toBe(200);
    expect(ownFields(jsapi)).toEqual(["trade_type", "prepay_id"]);
    expect(jsapi.fields).toMatchObject({ trade_type: "JSAPI", prepay_id: expect.stringMatching(/^wx[0-9a-f]{34}$/) });
    expect(ownFields(await merchant.place("UNIFIED_APP", { trade_type: "APP" }))).toEqual(["trade_type", "prepay_id"]);
    const native = await merchant.place("UNIFIED_NATIVE", { trade_type: "NATIVE" });
    expect(ownFields(native)).toEqual(["trade_type", "prepay_id", "code_url"]);
    expect(native.fields["code_url"]).toMatch(/^weixin:\/\/wxpay\/bizpayurl\?pr=\w{36}$/);
    const mweb = await merchant.place("UNIFIED_MWEB", { trade_type: "MWEB" });
    expect(ownFields(mweb)).toEqual(["trade_type", "prepay_id", "mweb_url"]);
    expect(mweb.fields["mweb_url"]).toContain(`prepay_id=${mweb.fields["prepay_id"] ?? ""}`);
  });

  it("answers a repeat in the last minute of an order, and after it, by what became of that", async () => {
    await using own = await startTestProvider();
    const other = createMerchantV2(own);
    const [time_expire = ""] = new Date(own.clock.now() + 8 * 3_600_000 + 120_000).toISOString().split(".");
    const limited = { time_expire: time_expire.replaceAll(/\D/g, "") };
    const all = ["LATE_OPEN", "LATE_PAID", "LATE_CLOSED"];
    for (const outTradeNo of all) await other.place(outTradeNo, limited);
    await other.micropay("LATE_CODE", limited);
    await other.pay("LATE_PAID");
    await other.close("LATE_CLOSED");
    for (const offsetMs of [90_000, 150_000]) {
      own.clock.offsetMs = offsetMs;
      const replies = await Promise.all(all.map((outTradeNo) => other.place(outTradeNo, limited)));
      expect(replies.map(outcomeOf)).toEqual(["SUCCESS", "ORDERPAID", "ORDERCLOSED"]);
      expect(outcomeOf(await other.micropay("LATE_CODE", limited))).toBe("ORDERPAID");
      expect(outcomeOf(await other.place("LATE_NEW", limited))).toBe("INVALID_REQUEST");
      expect(outcomeOf(await other.micropay("LATE_NEW", limited))).toBe("PARAM_ERROR");
    }
  });

  it("answers a repeat with the same prepay id, and signs as the request did", async () => {
    const signed = { signType: "HMAC-SHA256" } as const;
    const first = await merchant.place("UNIFIED_HMAC", {}, signed);
    const again = await merchant.place("UNIFIED_HMAC", {}, signed);
    expect([first.isSigned, again.isSigned]).toEqual([true, true]);
    expect(first.fields["sign"]).toHaveLength(64);
    expect(again.fields["prepay_id"]).toBe(first.fields["prepay_id"]);
    expect((await merchant.query("UNIFIED_HMAC")).fields["sign"]).toHaveLength(32);
  });

  it("keeps the fields that it does not use, and refuses a repeat that changes one", async () => {
    expect(outcomeOf(await merchant.place("UNIFIED_EXTRA", { goods_tag: "值 & <more>" }))).toBe("SUCCESS");
    expect(outcomeOf(await merchant.place("UNIFIED_EXTRA", { goods_tag: "other" }))).toBe("INVALID_REQUEST");
  });
});

describe("query order", () => {
  it("returns only the state of an unpaid order", async () => {
    await merchant.place("QUERY_OPEN", { attach: "table 7" });
    const open = await merchant.query("QUERY_OPEN");
    expect(ownFields(open)).toEqual(["trade_state", "trade_state_desc", "out_trade_no", "attach"]);
    expect(open.fields).toMatchObject({ trade_state: "NOTPAY", trade_state_desc: "订单未支付", attach: "table 7" });
  });

  it("returns payer, amount and time of a paid order, by either number; the platform's takes precedence", async () => {
    await merchant.paid("QUERY_PAID");
    const paid = await merchant.query("QUERY_PAID");
    expect(ownFields(paid)).toEqual([
      ...["trade_state", "trade_state_desc", "out_trade_no", "openid", "is_subscribe", "trade_type", "bank_type"],
      ...["total_fee", "fee_type", "cash_fee", "cash_fee_type", "transaction_id", "time_end"],
    ]);
    expect(paid.fields).toMatchObject({
      trade_state: "SUCCESS",
      openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
      is_subscribe: "N",
      trade_type: "JSAPI",
      total_fee: "100",
      cash_fee: "100",
      fee_type: "CNY",
      transaction_id: expect.stringMatching(/^42000\d{23}$/),
      time_end: expect.stringMatching(/^20\d{12}$/),
    });
    const transaction_id = paid.fields["transaction_id"] ?? "";
    const byId = await merchant.call("/pay/orderquery", { transaction_id, out_trade_no: "QUERY_OPEN" });
    expect(byId.fields["out_trade_no"]).toBe("QUERY_PAID");
  });
});

describe("close order", () => {
  it("closes an unpaid order; the query then says CLOSED and payments are refused", async () => {
    await merchant.place("CLOSE_OPEN");
    const closed = await merchant.close("CLOSE_OPEN");
    expect(ownFields(closed)).toEqual(["result_msg"]);
    expect((await merchant.query("CLOSE_OPEN")).fields["trade_state"]).toBe("CLOSED");
    expect(outcomeOf(await merchant.place("CLOSE_OPEN"))).toBe("ORDERCLOSED");
  });
});

describe("refunds", () => {
  it("are accepted first and done later; the order is REFUND from the first one on", async () => {
    await merchant.paid("REFUND_PARTS");
    const accepted = await merchant.refund("REFUND_PARTS", "REFUND_PART_1");
    expect(ownFields(accepted)).toEqual([
      ...["transaction_id", "out_trade_no", "out_refund_no", "refund_id", "refund_fee", "settlement_refund_fee"],
      ...["total_fee", "cash_fee", "cash_refund_fee", "coupon_refund_fee", "coupon_refund_count"],
    ]);
    expect(accepted.fields).toMatchObject({ refund_fee: "10", total_fee: "100", out_refund_no: "REFUND_PART_1" });
    expect((await merchant.query("REFUND_PARTS")).fields["trade_state"]).toBe("REFUND");
    const again = await merchant.refund("REFUND_PARTS", "REFUND_PART_1");
    expect(again.fields["refund_id"]).toBe(accepted.fields["refund_id"]);
    await merchant.refund("REFUND_PARTS", "REFUND_PART_2", { refund_fee: "90" });
    await refundSettled("REFUND_PART_1");
    await refundSettled("REFUND_PART_2");
  });

  it("are found one by one by their own numbers and together by the order's", async () => {
    const one = await merchant.refundQuery({ out_refund_no: "REFUND_PART_2", out_trade_no: "REFUND_PARTS" });
    const perRefund = (index: number) =>
      [
        ...["out_refund_no", "refund_id", "refund_channel", "refund_fee", "refund_status", "refund_account"],
        ...["refund_recv_accout", "refund_success_time"],
      ].map((name) => `${name}_${String(index)}`);
    const order = ["transaction_id", "out_trade_no", "total_fee", "cash_fee", "refund_count"];
    expect(ownFields(one)).toEqual([...order, ...perRefund(0)]);
    expect(one.fields).toMatchObject({
      refund_count: "1",
      out_refund_no_0: "REFUND_PART_2",
      refund_fee_0: "90",
      refund_channel_0: "ORIGINAL",
      refund_success_time_0: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    const both = await merchant.refundQuery({ out_trade_no: "REFUND_PARTS" });
    expect(ownFields(both)).toEqual([...order, ...perRefund(0), ...perRefund(1)]);
    const refund_id = both.fields["refund_id_0"] ?? "";
    const first = await merchant.refundQuery({ refund_id, out_refund_no: "REFUND_PART_2" });
    expect(first.fields["out_refund_no_0"]).toBe("REFUND_PART_1");
  });

  it("come ten at a time, from the offset on", async () => {
    await merchant.paid("REFUND_MANY");
    for (let number = 0; number < 12; number++)
      await merchant.refund("REFUND_MANY", `REFUND_MANY_${String(number)}`, { refund_fee: "1" });
    const page = await merchant.refundQuery({ out_trade_no: "REFUND_MANY" });
    expect(page.fields).toMatchObject({ refund_count: "10", out_refund_no_9: "REFUND_MANY_9" });
    const rest = await merchant.refundQuery({ out_trade_no: "REFUND_MANY", offset: "10" });
    expect(rest.fields).toMatchObject({
      total_refund_count: "12",
      refund_count: "2",
      out_refund_no_0: "REFUND_MANY_10",
    });
  });

  it("that failed are CHANGE or REFUNDCLOSE, in the words of this version", async () => {
    await provider.control("PATCH", "/settings", { refund_seconds: 3_600 });
    await merchant.paid("REFUND_ENDS");
    for (const [number, status, word] of [
      ["REFUND_ABNORMAL", "ABNORMAL", "CHANGE"],
      ["REFUND_CLOSED", "CLOSED", "REFUNDCLOSE"],
    ] as const) {
      const { fields } = await merchant.refund("REFUND_ENDS", number);
      expect((await merchant.refundQuery({ out_refund_no: number })).fields["refund_status_0"]).toBe("PROCESSING");
      await provider.control("POST", `/refunds/${fields["refund_id"] ?? ""}/finish`, { status });
      expect((await merchant.refundQuery({ out_refund_no: number })).fields["refund_status_0"]).toBe(word);
    }
    await provider.control("PATCH", "/settings", { refund_seconds: 0 });
  });
});

describe("payments by code", () => {
  it("answer as a paid query does, without a state, and are reversed with recall N", async () => {
    const paid = await merchant.micropay("CODE_PAID");
    expect(ownFields(paid)).toEqual([
      ...["openid", "is_subscribe", "trade_type", "bank_type", "total_fee", "fee_type", "cash_fee", "cash_fee_type"],
      ...["transaction_id", "out_trade_no", "time_end"],
    ]);
    const bob = await provider.control("GET", "/users/bob");
    expect(paid.fields).toMatchObject({ trade_type: "MICROPAY", openid: bob["openid"] });
    const reversed = await merchant.reverse("CODE_PAID");
    expect(ownFields(reversed)).toEqual(["recall"]);
    expect(reversed.fields["recall"]).toBe("N");
    expect((await merchant.query("CODE_PAID")).fields["trade_state"]).toBe("REVOKED");
    expect((await merchant.reverse("CODE_PAID")).fields["recall"]).toBe("N");
  });

  it("over 1000 CNY are USERPAYING until the buyer confirms, cannot be reversed meanwhile, and then are SUCCESS", async () => {
    const asked = await merchant.micropay("CODE_ASKED", { total_fee: "100001" });
    expect([outcomeOf(asked), asked.isSigned]).toEqual(["USERPAYING", true]);
    expect((await merchant.query("CODE_ASKED")).fields["trade_state"]).toBe("USERPAYING");
    const refused = await merchant.reverse("CODE_ASKED");
    expect([outcomeOf(refused), refused.fields["recall"]]).toEqual(["USERPAYING", "Y"]);
    await merchant.pay("CODE_ASKED");
    expect((await merchant.query("CODE_ASKED")).fields["trade_state"]).toBe("SUCCESS");
  });

  it("ask for the password after ten of a day that needed none, and need none again the next day", async () => {
    const codeOf = async () => String((await provider.control("POST", "/users/carol/payment-codes", {}))["auth_code"]);
    const pay = async (number: number, fields = {}) =>
      outcomeOf(await merchant.micropay(`CODE_FREE_${String(number)}`, { auth_code: await codeOf(), ...fields }));
    expect(await pay(1)).toBe("SUCCESS");
    expect(await pay(2, { total_fee: "100001" })).toBe("USERPAYING");
    await merchant.pay("CODE_FREE_2"); // with the password: it does not count
    for (let number = 3; number <= 11; number++) expect(await pay(number)).toBe("SUCCESS");
    expect(await pay(12)).toBe("USERPAYING");
    expect(outcomeOf(await merchant.micropay("CODE_FREE_BOB"))).toBe("SUCCESS");
    provider.clock.offsetMs += 24 * 3_600_000;
    expect(await pay(13)).toBe("SUCCESS");
    await provider.control("PATCH", "/settings", { free_payments_a_day: 1 });
    expect(await pay(14)).toBe("USERPAYING");
    await provider.control("PATCH", "/settings", { free_payments_a_day: 10 });
  });

  it("are PAYERROR when the bank refuses, and NOTPAY when the buyer lets 45 seconds pass", async () => {
    await merchant.micropay("CODE_REFUSED", { total_fee: "100001" });
    await provider.control("POST", "/orders/CODE_REFUSED/fail?how=bank");
    expect((await merchant.query("CODE_REFUSED")).fields["trade_state"]).toBe("PAYERROR");
    await merchant.micropay("CODE_SLOW", { total_fee: "100001" });
    provider.clock.offsetMs += 45_000;
    expect((await merchant.query("CODE_SLOW")).fields["trade_state"]).toBe("NOTPAY");
    for (const outTradeNo of ["CODE_REFUSED", "CODE_SLOW"]) {
      expect((await merchant.reverse(outTradeNo)).fields["recall"]).toBe("N");
      expect((await merchant.query(outTradeNo)).fields["trade_state"]).toBe("REVOKED");
    }
  });
});
