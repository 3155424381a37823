/** Version 3 of the simulated payment API as a merchant sees it who signs, checks and reads with node's crypto alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noApiDocs } from "../../../support/app/no-api-docs.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";
import { standingClock } from "../../../support/standing-clock.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const pay = (outTradeNo: string) => provider.control("POST", `/orders/${outTradeNo}/pay`);
const jsapi = { payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" } };
const h5 = { scene_info: { payer_client_ip: "127.0.0.1", h5_info: { type: "Wap" } } };
const paidOrder = async (outTradeNo: string) => {
  await merchant.place("native", outTradeNo);
  await pay(outTradeNo);
};

describe("orders", () => {
  it("JSAPI and APP give a prepay id, NATIVE a code url, H5 a page; every reply is signed, with a request id and the date", async () => {
    const replies = [
      await merchant.place("jsapi", "PLACE_JSAPI", jsapi),
      await merchant.place("app", "PLACE_APP"),
      await merchant.place("native", "PLACE_NATIVE"),
      await merchant.place("h5", "PLACE_H5", h5),
    ];
    const prepay = { prepay_id: expect.stringMatching(/^wx[0-9a-f]{34}$/) };
    expect(replies.map(({ status, json, isSigned }) => [status, json, isSigned])).toEqual([
      [200, prepay, true],
      [200, prepay, true],
      [200, { code_url: expect.stringMatching(/^weixin:\/\/wxpay\/bizpayurl\?pr=\w+$/) }, true],
      [200, { h5_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/.+prepay_id=wx/) }, true],
    ]);
    for (const { headers } of replies) {
      expect(headers.get("request-id")).toMatch(/^[0-9A-F]{20,}$/);
      expect(Date.parse(headers.get("date") ?? "")).toBeGreaterThan(Date.now() - 60_000);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(headers.get("content-encoding")).toBeNull();
      expect(headers.get("wechatpay-serial")).toBe(merchant.credentials.platform_serial);
    }
  });

  it("the same order again gives the same prepay id, another amount under its number is 400 INVALID_REQUEST", async () => {
    const first = await merchant.place("jsapi", "REPEATED", jsapi);
    expect((await merchant.place("jsapi", "REPEATED", jsapi)).json).toEqual(first.json);
    const other = await merchant.place("jsapi", "REPEATED", { ...jsapi, amount: { total: 102 } });
    expect([other.status, other.json.code, other.isSigned]).toEqual([400, "INVALID_REQUEST", true]);
  });

  it("are found by either number: NOTPAY with what was ordered, then SUCCESS with what was paid", async () => {
    await merchant.place("jsapi", "QUERIED", { ...jsapi, attach: "table 7" });
    const { app_id, mch_id } = merchant.credentials;
    const ordered = { appid: app_id, mchid: mch_id, out_trade_no: "QUERIED", attach: "table 7", ...jsapi };
    const open = await merchant.query("QUERIED");
    expect(open.json).toEqual({
      ...ordered,
      trade_state: "NOTPAY",
      trade_state_desc: expect.stringMatching(/./),
      amount: { total: 101, currency: "CNY", payer_currency: "CNY" },
    });
    await pay("QUERIED");
    const paid = await merchant.query("QUERIED");
    expect(paid.json).toEqual({
      ...ordered,
      trade_state: "SUCCESS",
      trade_state_desc: expect.stringMatching(/./),
      transaction_id: expect.stringMatching(/^42000\d{23}$/),
      trade_type: "JSAPI",
      bank_type: "OTHERS",
      success_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
      amount: { total: 101, payer_total: 101, currency: "CNY", payer_currency: "CNY" },
      promotion_detail: [],
    });
    const byId = await merchant.call("GET", `/v3/pay/transactions/id/${paid.json.transaction_id}?mchid=${mch_id}`);
    expect(byId.json).toEqual(paid.json);
    expect([open.isSigned, paid.isSigned, byId.isSigned]).toEqual([true, true, true]);
  });

  it("a number with | and * may be percent-encoded in the path: the signature covers it as it was sent", async () => {
    await merchant.place("native", "A|B*C-1");
    const { mch_id } = merchant.credentials;
    const encoded = await merchant.call("GET", `/v3/pay/transactions/out-trade-no/A%7CB%2AC-1?mchid=${mch_id}`);
    expect([encoded.status, encoded.json.out_trade_no]).toEqual([200, "A|B*C-1"]);
  });

  it("closing is 204 without a body, signed, and so again; a paid order is 400 ORDERPAID, an unknown one 404", async () => {
    await merchant.place("native", "CLOSED_1");
    for (const reply of [await merchant.close("CLOSED_1"), await merchant.close("CLOSED_1")]) {
      expect([reply.status, reply.text, reply.isSigned]).toEqual([204, "", true]);
      expect(reply.headers.get("content-type")).toBeNull();
    }
    expect((await merchant.query("CLOSED_1")).json.trade_state).toBe("CLOSED");
    const again = await merchant.place("native", "CLOSED_1");
    expect([again.status, again.json.code]).toEqual([400, "ORDER_CLOSED"]);
    await paidOrder("CLOSED_2");
    const paid = await merchant.close("CLOSED_2");
    expect([paid.status, paid.json.code, paid.isSigned]).toEqual([400, "ORDERPAID", true]);
    const unknown = await merchant.close("CLOSED_3");
    expect([unknown.status, unknown.json.code]).toEqual([404, "ORDER_NOT_EXIST"]);
    expect((await merchant.query("CLOSED_3")).json.code).toBe("ORDER_NOT_EXIST");
  });

  it("an order that is too young to be closed is 429 FREQUENCY_LIMITED where that is set", async () => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/settings", { closeMinAgeSeconds: 300 });
    const strict = await createMerchantV3(own.url);
    await strict.place("native", "YOUNG_1");
    const young = await strict.close("YOUNG_1");
    expect([young.status, young.json.code, young.isSigned]).toEqual([429, "FREQUENCY_LIMITED", true]);
    own.clock.offsetMs = 301_000;
    expect((await strict.close("YOUNG_1")).status).toBe(204);
  });

  it("time_expire ends the time to pay, not the order: less than a minute is a minute", async () => {
    await using own = await startTestProvider();
    const other = await createMerchantV3(own.url);
    const soon = new Date(own.clock.now() + 1_000).toISOString();
    await other.place("native", "EXPIRING", { time_expire: soon });
    own.clock.offsetMs = 30_000;
    await other.place("native", "EXPIRING_2", { time_expire: soon });
    own.clock.offsetMs = 62_000;
    await own.control("POST", "/orders/EXPIRING/pay");
    await own.control("POST", "/orders/EXPIRING_2/pay");
    expect((await other.query("EXPIRING")).json.trade_state).toBe("NOTPAY");
    expect((await other.query("EXPIRING_2")).json.trade_state).toBe("SUCCESS");
  });
});

describe("refunds", () => {
  it("are PROCESSING at first, the order REFUND; the query returns SUCCESS and its time at the end", async () => {
    await provider.control("PATCH", "/settings", { refund_seconds: 0 });
    await paidOrder("REFUNDED");
    const made = await merchant.refund("REFUNDED", "R-1", 40);
    expect([made.status, made.isSigned]).toEqual([200, true]);
    expect(made.json).toMatchObject({
      refund_id: expect.stringMatching(/^\d{20,32}$/),
      out_refund_no: "R-1",
      out_trade_no: "REFUNDED",
      channel: "ORIGINAL",
      status: "PROCESSING",
      amount: { total: 101, refund: 40, payer_total: 101, payer_refund: 40, currency: "CNY" },
    });
    expect((await merchant.query("REFUNDED")).json.trade_state).toBe("REFUND");
    const query = () => merchant.call("GET", "/v3/refund/domestic/refunds/R-1");
    await expect.poll(async () => (await query()).json.status).toBe("SUCCESS");
    expect((await query()).json.success_time).toMatch(/\+08:00$/);
  });

  it("have ended for whoever asks once their time has come, however late a timer is", async () => {
    const withoutTimers = Object.assign(standingClock(), { wakeAt: () => () => undefined });
    await using own = await startTestProvider({}, noApiDocs, withoutTimers);
    await own.control("PATCH", "/settings", { refund_seconds: 600 });
    const other = await createMerchantV3(own.url);
    const query = async () => (await other.call("GET", "/v3/refund/domestic/refunds/R-DUE")).json.status;
    await other.place("native", "COMES_DUE");
    await own.control("POST", "/orders/COMES_DUE/pay");
    await other.refund("COMES_DUE", "R-DUE", 40);
    expect(await query()).toBe("PROCESSING");
    own.clock.offsetMs = 600_000;
    expect(await query()).toBe("SUCCESS");
  });

  it("the same number again is the same refund, with another amount 400 INVALID_REQUEST; never more than was paid", async () => {
    await paidOrder("REFUNDED_2");
    const first = await merchant.refund("REFUNDED_2", "R-2", 60);
    expect((await merchant.refund("REFUNDED_2", "R-2", 60)).json.refund_id).toBe(first.json.refund_id);
    const other = await merchant.refund("REFUNDED_2", "R-2", 61);
    expect([other.status, other.json.code]).toEqual([400, "INVALID_REQUEST"]);
    const tooMuch = await merchant.refund("REFUNDED_2", "R-3", 42);
    expect([tooMuch.status, tooMuch.json.code]).toEqual([400, "INVALID_REQUEST"]);
    expect((await merchant.refund("REFUNDED_2", "R-4", 41)).status).toBe(200);
  });

  it("take an empty transaction_id beside out_trade_no for none", async () => {
    await provider.control("POST", `/orders/${(await merchant.place("native", "REFUNDED_4"), "REFUNDED_4")}/pay`);
    const amount = { refund: 1, total: 101, currency: "CNY" };
    const body = { transaction_id: "", out_trade_no: "REFUNDED_4", out_refund_no: "R-6", amount };
    expect((await merchant.call("POST", "/v3/refund/domestic/refunds", body)).json).toMatchObject({
      out_refund_no: "R-6",
    });
  });

  it("an order that is missing or unpaid, and a refund that is, are 404 RESOURCE_NOT_EXISTS", async () => {
    await merchant.place("native", "UNPAID_1");
    const replies = [
      await merchant.refund("UNPAID_1", "R-5", 1),
      await merchant.refund("NOWHERE", "R-5", 1),
      await merchant.call("GET", "/v3/refund/domestic/refunds/R-5"),
    ];
    expect(replies.map(({ status, json, isSigned }) => [status, json.code, isSigned])).toEqual(
      Array(3).fill([404, "RESOURCE_NOT_EXISTS", true]),
    );
  });
});

describe("a payment by the buyer's code", () => {
  const payByCode = async (outTradeNo: string, total = 101, change: object = {}) => {
    const { auth_code } = await provider.control("POST", "/users/bob/payment-codes", {});
    return merchant.call("POST", "/v3/pay/transactions/codepay", {
      appid: provider.app.appid,
      mchid: merchant.credentials.mch_id,
      description: "Tea",
      out_trade_no: outTradeNo,
      amount: { total },
      payer: { auth_code },
      scene_info: { store_info: { id: "1" } },
      ...change,
    });
  };
  const reverse = (outTradeNo: string, appid: string = provider.app.appid) =>
    merchant.call("POST", `/v3/pay/transactions/out-trade-no/${outTradeNo}/reverse`, {
      appid,
      mchid: merchant.credentials.mch_id,
    });

  it("is answered at once with the paid order, and is reversed", async () => {
    const paid = await payByCode("CODE3_PAID");
    expect([paid.status, paid.isSigned]).toEqual([200, true]);
    expect(paid.json).toMatchObject({
      out_trade_no: "CODE3_PAID",
      trade_type: "MICROPAY",
      trade_state: "SUCCESS",
      transaction_id: expect.stringMatching(/^42000\d{23}$/),
      amount: { total: 101, payer_total: 101, currency: "CNY" },
    });
    const foreign = await reverse("CODE3_PAID", "wx0000000000000000");
    expect([foreign.status, foreign.json.code]).toEqual([400, "APPID_MCHID_NOT_MATCH"]);
    const reversed = await reverse("CODE3_PAID");
    expect([reversed.status, reversed.json]).toEqual([
      200,
      { appid: provider.app.appid, mchid: merchant.credentials.mch_id, out_trade_no: "CODE3_PAID" },
    ]);
    expect((await merchant.query("CODE3_PAID")).json.trade_state).toBe("REVOKED");
  });

  it("asks for the password above the limit, is refused for an unknown code, and names a missing one", async () => {
    const asked = await payByCode("CODE3_ASKED", 100_001);
    expect([asked.status, asked.json.code]).toEqual([202, "USERPAYING"]);
    expect((await merchant.query("CODE3_ASKED")).json.trade_state).toBe("USERPAYING");
    const unknown = await payByCode("CODE3_UNKNOWN", 1, { payer: { auth_code: "134567890123456789" } });
    expect([unknown.status, unknown.json.code]).toEqual([400, "AUTH_CODE_INVALID"]);
    const missing = await payByCode("CODE3_MISSING", 1, { payer: {} });
    expect([missing.status, missing.json.detail.field]).toEqual([400, "/payer/auth_code"]);
    expect((await reverse("CODE3_NOWHERE")).status).toBe(404);
  });
});
