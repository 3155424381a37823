/** The simulated gateway of Alipay beside the usual life of an order: refusals, control routes, bills. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alipaySignText } from "../../../server/payment-wire/sign-alipay.ts";
import { signV3 } from "../../../server/payment-wire/signature-v3.ts";
import { startAlipayMerchant, type AlipayMerchant } from "../../support/payments/alipay-merchant.ts";

let scene: AlipayMerchant;
beforeAll(async () => {
  scene = await startAlipayMerchant("GATEWAY");
});
afterAll(() => scene[Symbol.asyncDispose]());

/** A request as a client without an SDK sends it. */
async function send(changed: Record<string, string> = {}, method = "POST") {
  const { app_id, merchant_private_key } = scene.credentials;
  const params: Record<string, string> = {
    ...{ app_id, method: "alipay.trade.query", charset: "utf-8", sign_type: "RSA2", version: "1.0" },
    ...{ timestamp: "2026-11-20 12:00:00", biz_content: JSON.stringify({ out_trade_no: "NOBODYS_1" }), ...changed },
  };
  const key = `-----BEGIN PRIVATE KEY-----\n${merchant_private_key}\n-----END PRIVATE KEY-----`;
  const sign = "sign" in changed ? {} : { sign: await signV3(alipaySignText(params, ["sign"]), key) };
  const form = new URLSearchParams({ ...params, ...sign });
  const response = await (method === "GET"
    ? fetch(`${scene.gateway}?${String(form)}`)
    : fetch(scene.gateway, { method, body: form }));
  return { status: response.status, text: await response.text() };
}

describe("a request of no known sender", () => {
  it.each([
    [{ method: "" }, "40001", "isv.missing-method"],
    [{ app_id: "" }, "40001", "isv.missing-app-id"],
    [{ app_id: "2021000000000009" }, "40002", "isv.invalid-app-id"],
    [{ sign_type: "" }, "40001", "isv.missing-signature-type"],
    [{ sign: "" }, "40001", "isv.missing-signature"],
    [{ timestamp: "" }, "40001", "isv.missing-timestamp"],
    [{ version: "" }, "40001", "isv.missing-version"],
    [{ sign_type: "RSA" }, "40002", "isv.invalid-signature-type"],
    [{ timestamp: "now" }, "40002", "isv.invalid-timestamp"],
    [{ charset: "gbk" }, "40002", "isv.invalid-charset"],
    [{ format: "xml" }, "40002", "isv.invalid-format"],
    [{ sign: "AAAA" }, "40002", "isv.invalid-signature"],
    [{ app_cert_sn: "0", alipay_root_cert_sn: "0" }, "40001", "isv.missing-signature-config"],
    [{ method: "query" }, "40002", "isv.invalid-method"],
    [{ biz_content: "{" }, "40002", "isv.invalid-parameter"],
  ])("with %j is 200 and %s %s", async (changed, code, sub_code) => {
    const { status, text } = await send(changed);
    expect([status, Object.values(JSON.parse(text))[0]]).toMatchObject([200, { code, sub_code }]);
  });

  it("is answered the same by GET and by POST", async () => {
    for (const method of ["GET", "POST"])
      expect((await send({}, method)).text).toContain('"sub_code":"ACQ.TRADE_NOT_EXIST"');
  });
});

describe("a call that is refused", () => {
  it("is 40004 NOT_SIMULATED, signed, for another method, and 501 for the protocol after the gateway", async () => {
    expect(await scene.call("alipay.fund.trans.uni.transfer", {})).toMatchObject({
      code: "40004",
      subCode: "NOT_SIMULATED",
    });
    const response = await fetch(`${scene.provider.url}/v3/alipay/trade/query`, { method: "POST", body: "{}" });
    expect([response.status, await response.json()]).toMatchObject([501, { code: "NOT_SIMULATED" }]);
  });

  it.each([
    [{ subject: "" }, "subject"],
    [{ total_amount: "1.001" }, "total_amount"],
    [{ total_amount: "0" }, "total_amount"],
    [{ buyer_id: undefined }, "buyer_id"],
    [{ out_trade_no: "A-1" }, "out_trade_no"],
    [{ seller_id: "2088999999999999" }, "seller_id"],
  ])("is 40004 ACQ.INVALID_PARAMETER for %j, and names the field", async (changed, field) => {
    const { code, subCode, subMsg } = await scene.create(changed);
    expect([code, subCode, subMsg]).toEqual(["40004", "ACQ.INVALID_PARAMETER", expect.stringContaining(field)]);
  });

  it("is 40004 for an order that was placed otherwise, that is paid, and for more than was paid", async () => {
    const { outTradeNo: out_trade_no } = await scene.create();
    const again = { out_trade_no, total_amount: "10.00", subject: "Tea", buyer_id: "2088102177846880" };
    expect(await scene.call("alipay.trade.create", again)).toMatchObject({ code: "10000" });
    const other = { ...again, total_amount: "11.00" };
    expect(await scene.call("alipay.trade.create", other)).toMatchObject({ subCode: "ACQ.CONTEXT_INCONSISTENT" });
    const refund = { out_trade_no, refund_amount: "10.01", out_request_no: "1" };
    expect(await scene.call("alipay.trade.refund", refund)).toMatchObject({ subCode: "ACQ.TRADE_STATUS_ERROR" });
    await scene.act(out_trade_no, "pay");
    expect(await scene.call("alipay.trade.create", again)).toMatchObject({ subCode: "ACQ.TRADE_HAS_SUCCESS" });
    expect(await scene.call("alipay.trade.refund", refund)).toMatchObject({
      subCode: "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL",
    });
    const part = { out_trade_no, refund_amount: "1.00" };
    expect(await scene.call("alipay.trade.refund", part)).toMatchObject({ subCode: "ACQ.INVALID_PARAMETER" });
    await scene.call("alipay.trade.refund", { ...part, out_request_no: "1" });
    const changed = { ...part, out_request_no: "1", refund_amount: "2.00" };
    expect(await scene.call("alipay.trade.refund", changed)).toMatchObject({
      subCode: "ACQ.DISCORDANT_REPEAT_REQUEST",
    });
  });

  it("keeps the same number of a refund apart for two trades", async () => {
    for (const subject of ["Tea", "Milk"]) {
      const { outTradeNo: out_trade_no } = await scene.create({ subject });
      await scene.act(out_trade_no, "pay");
      const refund = { out_trade_no, refund_amount: "1.00", out_request_no: "R1" };
      expect(await scene.call("alipay.trade.refund", refund)).toMatchObject({ fundChange: "Y", refundFee: "1.00" });
      expect(await scene.provider.control("GET", `/orders/${out_trade_no}`)).toMatchObject({
        refunds: [{ out_refund_no: "R1", refund: 100, status: "SUCCESS", version: "alipay" }],
      });
    }
  });

  it("takes the form that a merchant's page submits in the buyer's browser", async () => {
    const bizContent = { out_trade_no: scene.newNumber(), total_amount: "3.00", subject: "Tea" };
    const html: string = scene.client.pageExecute("alipay.trade.wap.pay", "POST", { bizContent });
    const action = /action="([^"]+)"/.exec(html)?.[1] ?? "";
    const headers = { Origin: "https://shop.invalid", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };
    const body = new URLSearchParams({ biz_content: JSON.stringify(bizContent), alipay_sdk: scene.client.version });
    const response = await fetch(action, { method: "POST", headers, body });
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("¥3.00")]);
  });

  it("shows the buyer of a page a page", async () => {
    const address = scene.client.pageExecute("alipay.trade.page.pay", "GET", {
      bizContent: { out_trade_no: scene.newNumber() },
    });
    const response = await fetch(address);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("ACQ.INVALID_PARAMETER")]);
  });
});

describe("the control routes", () => {
  it("fail and close an order of Alipay, and show the merchant's calls", async () => {
    const { outTradeNo } = await scene.create();
    expect(await scene.act(outTradeNo, "fail")).toMatchObject({ trade_state: "NOTPAY", version: "alipay" });
    expect(await scene.query(outTradeNo)).toMatchObject({ tradeStatus: "WAIT_BUYER_PAY" });
    expect(await scene.act(outTradeNo, "close")).toMatchObject({ trade_state: "CLOSED", mch_id: "2088000000000001" });
    expect(await scene.query(outTradeNo)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
    expect(await scene.provider.control("GET", `/orders/${outTradeNo}`)).toMatchObject({
      attempts: [{ result: "failed" }],
      calls: [{ name: "unifiedorder" }, { name: "orderquery", version: "alipay" }, { name: "orderquery" }],
    });
  });

  it("expire an order, which is closed then, and notify of it unless it was a payment code only", async () => {
    for (const [method, count] of [
      ["create", 1],
      ["precreate", 0],
    ] as const) {
      const out_trade_no = scene.newNumber();
      const order = { out_trade_no, ...(method === "create" && { buyer_id: "2088102177846880" }) };
      await scene.place(`alipay.trade.${method}`, order, { notify_url: scene.notifyUrl(out_trade_no) });
      await scene.act(out_trade_no, "expire");
      expect(await scene.query(out_trade_no)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
      if (count > 0) await scene.noticeOf(out_trade_no);
      const { notifications } = await scene.provider.control("GET", `/orders/${out_trade_no}`);
      expect(notifications).toHaveLength(count);
    }
  });

  it("save and load a state with orders of Alipay, whose keys stay", async () => {
    const { outTradeNo } = await scene.create();
    const state = await scene.provider.control("GET", "/state");
    await scene.provider.control("DELETE", "/state");
    expect(await scene.query(outTradeNo)).toMatchObject({ subCode: "ACQ.TRADE_NOT_EXIST" });
    await scene.provider.control("PUT", "/state", state);
    expect(await scene.query(outTradeNo)).toMatchObject({ tradeStatus: "WAIT_BUYER_PAY" });
    expect(await scene.provider.control("GET", "/alipay/credentials")).toEqual(scene.credentials);
  });

  it("print keys as one line of base64", () => {
    for (const key of [scene.credentials.merchant_private_key, scene.credentials.alipay_public_key])
      expect(key).toMatch(/^[A-Za-z0-9+/]+=*$/);
  });
});

describe("the bill of a day", () => {
  it("is a ZIP file of two tables in GBK at an address of its own, or isp.bill_not_exist", async () => {
    await scene.provider.control("PATCH", "/settings", { bills_at_once: true });
    const { outTradeNo, tradeNo } = await scene.create({ subject: "一杯茶" });
    await scene.act(outTradeNo, "pay");
    const day = new Date(scene.provider.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    const method = "alipay.data.dataservice.bill.downloadurl.query";
    const { billDownloadUrl } = await scene.call(method, { bill_type: "trade", bill_date: day });
    const text = new TextDecoder("gbk").decode(await (await fetch(billDownloadUrl)).arrayBuffer());
    expect(text).toContain(`${day.replaceAll("-", "")}_业务明细.csv`);
    expect(text).toContain(`${String(tradeNo)}\t,${outTradeNo}\t,交易,一杯茶,`);
    expect(text).toMatch(/#交易合计：\d+笔，商家实收共/);
    expect(await scene.call(method, { bill_type: "trade", bill_date: "2020-01-01" })).toMatchObject({
      ...{ code: "40004", subCode: "isp.bill_not_exist" },
    });
  });
});
