/** What version 3 says of fields that are missing, too long or of another kind. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV3, type MerchantV3, type ReplyV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

/** A signed 400 PARAM_ERROR that names the place and the value. */
function expectParamError(reply: ReplyV3, location: string, field: string, value?: string) {
  expect([reply.status, reply.json.code, reply.isSigned]).toEqual([400, "PARAM_ERROR", true]);
  expect(reply.json.detail).toEqual({
    field,
    value: value ?? expect.anything(),
    issue: expect.stringMatching(/./),
    location,
  });
  expect(reply.json.message).toContain(reply.json.detail.issue);
}

const scene = { payer_client_ip: "127.0.0.1" };
const goods = { merchant_goods_id: "g", quantity: 1, unit_price: 1 };

describe("an order", () => {
  it.each([
    ["native", "/appid", { appid: undefined }],
    ["native", "/appid", { appid: "w".repeat(33) }],
    ["native", "/mchid", { mchid: undefined }],
    ["native", "/description", { description: "" }],
    ["native", "/description", { description: "d".repeat(128) }],
    ["native", "/description", { description: "\ud800" }],
    ["native", "/out_trade_no", { out_trade_no: "short" }],
    ["native", "/out_trade_no", { out_trade_no: "n".repeat(33) }],
    ["native", "/out_trade_no", { out_trade_no: "with space" }],
    ["native", "/notify_url", { notify_url: undefined }],
    ["native", "/notify_url", { notify_url: "ftp://127.0.0.1/" }],
    ["native", "/notify_url", { notify_url: "http://127.0.0.1/a?b=c" }],
    ["native", "/notify_url", { notify_url: `http://127.0.0.1/${"p".repeat(240)}` }],
    ["native", "/amount", { amount: undefined }],
    ["native", "/amount/total", { amount: {} }],
    ["native", "/amount/total", { amount: { total: 0 } }],
    ["native", "/amount/total", { amount: { total: 1.5 } }],
    ["native", "/amount/total", { amount: { total: "101" } }],
    ["native", "/amount/currency", { amount: { total: 1, currency: "USD" } }],
    ["native", "/attach", { attach: "a".repeat(129) }],
    ["native", "/goods_tag", { goods_tag: "g".repeat(33) }],
    ["native", "/time_expire", { time_expire: "2026-01-01 08:00:00" }],
    ["native", "/time_expire", { time_expire: "2026-13-01T08:00:00+08:00" }],
    ["native", "/time_expire", { time_expire: "2027-02-31T08:00:00+08:00" }],
    ["native", "/time_expire", { time_expire: "2027-02-28T24:00:00+08:00" }],
    ["native", "/support_fapiao", { support_fapiao: "yes" }],
    ["native", "/limit_pay", { limit_pay: "no_credit" }],
    ["native", "/limit_pay/0", { limit_pay: ["cash"] }],
    ["native", "/settle_info/profit_sharing", { settle_info: { profit_sharing: 1 } }],
    ["native", "/detail/goods_detail/1/quantity", { detail: { goods_detail: [goods, { ...goods, quantity: 0 }] } }],
    ["native", "/scene_info/payer_client_ip", { scene_info: {} }],
    ["native", "/scene_info/store_info/id", { scene_info: { ...scene, store_info: {} } }],
    ["jsapi", "/payer", {}],
    ["jsapi", "/payer/openid", { payer: {} }],
    ["jsapi", "/payer/openid", { payer: { openid: "o".repeat(129) } }],
    ["h5", "/scene_info", {}],
    ["h5", "/scene_info/h5_info", { scene_info: scene }],
    ["h5", "/scene_info/h5_info/type", { scene_info: { ...scene, h5_info: {} } }],
  ])("of %s is refused for %s in %j", async (product, field, changed) => {
    expectParamError(await merchant.place(product, "FIELDS_1", changed), "body", field);
  });

  it("is accepted at the limits, with every known field and unknown ones", async () => {
    const full = {
      description: "d".repeat(127),
      attach: "a".repeat(128),
      goods_tag: "g".repeat(32),
      time_expire: "2030-01-01T00:00:00+08:00",
      support_fapiao: true,
      limit_pay: ["no_credit"],
      settle_info: { profit_sharing: false },
      detail: { cost_price: 101, invoice_id: "i", goods_detail: [{ ...goods, goods_name: "Tea" }] },
      scene_info: { ...scene, device_id: "013467007045764", store_info: { id: "0001", name: "Shop" } },
      something_new: { deep: [1] },
    };
    const number = "N".repeat(32);
    expect((await merchant.place("native", number, full)).status).toBe(200);
    await provider.control("POST", `/orders/${number}/pay`);
    expect((await merchant.query(number)).json).toMatchObject({
      attach: full.attach,
      scene_info: { device_id: "013467007045764" },
    });
  });

  it.each(["", "no JSON", "[]", "null", '"text"', "{"])("is refused whose body is %j", async (body) => {
    expectParamError(await merchant.call("POST", "/v3/pay/transactions/native", body), "body", "");
  });

  it("longer than a megabyte is refused before its sender is verified", async () => {
    const long = await merchant.call("POST", "/v3/pay/transactions/native", "x".repeat(1024 * 1024 + 1));
    expect([long.status, long.json.code, long.isSigned]).toEqual([400, "INVALID_REQUEST", false]);
  });
});

describe("the other calls", () => {
  const amount = { refund: 1, total: 101, currency: "CNY" };
  it.each([
    ["/out_trade_no", { out_refund_no: "R", amount }],
    ["/out_refund_no", { out_trade_no: "FIELDS_1", amount }],
    ["/out_refund_no", { out_trade_no: "FIELDS_1", out_refund_no: "R".repeat(65), amount }],
    ["/amount/refund", { out_trade_no: "FIELDS_1", out_refund_no: "R", amount: { ...amount, refund: 0 } }],
    ["/amount/total", { out_trade_no: "FIELDS_1", out_refund_no: "R", amount: { refund: 1 } }],
    ["/amount/currency", { out_trade_no: "FIELDS_1", out_refund_no: "R", amount: { refund: 1, total: 101 } }],
    ["/amount/currency", { out_trade_no: "FIELDS_1", out_refund_no: "R", amount: { ...amount, currency: "USD" } }],
    ["/reason", { out_trade_no: "FIELDS_1", out_refund_no: "R", amount, reason: "r".repeat(81) }],
    ["/funds_account", { out_trade_no: "FIELDS_1", out_refund_no: "R", amount, funds_account: "MINE" }],
  ])("refuse a refund for %s", async (field, body) => {
    expectParamError(await merchant.call("POST", "/v3/refund/domestic/refunds", body), "body", field);
  });

  it("name what is wrong in the path and in the query", async () => {
    const { mch_id } = merchant.credentials;
    const orders = "/v3/pay/transactions/out-trade-no";
    expectParamError(await merchant.call("GET", `${orders}/FIELDS_1`), "query", "mchid", "");
    expectParamError(
      await merchant.call("GET", `${orders}/short?mchid=${mch_id}`),
      "uri_template",
      "out_trade_no",
      "short",
    );
    expectParamError(await merchant.call("GET", `${orders}/%E0%A4%A?mchid=${mch_id}`), "uri_template", "out_trade_no");
    expectParamError(
      await merchant.call("GET", `/v3/pay/transactions/id/abc?mchid=${mch_id}`),
      "uri_template",
      "transaction_id",
    );
    expectParamError(
      await merchant.call("GET", "/v3/refund/domestic/refunds/a%20b"),
      "uri_template",
      "out_refund_no",
      "a b",
    );
    expectParamError(await merchant.call("GET", "/v3/bill/tradebill"), "query", "bill_date");
    expectParamError(await merchant.call("GET", "/v3/bill/tradebill?bill_date=2026-02-30"), "query", "bill_date");
    const bill = "/v3/bill/tradebill?bill_date=2026-01-01";
    expectParamError(await merchant.call("GET", `${bill}&bill_type=SOME`), "query", "bill_type", "SOME");
    expectParamError(await merchant.call("GET", `${bill}&tar_type=ZIP`), "query", "tar_type", "ZIP");
    expectParamError(await merchant.call("POST", `${orders}/FIELDS_1/close`, {}), "body", "/mchid");
  });
});
