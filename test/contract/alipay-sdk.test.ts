/** npm `alipay-sdk`, unmodified, in two versions and in both key modes, against the simulated gateway. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAlipayScene, type AlipayScene } from "../support/payments/alipay-scene.ts";

let scene: AlipayScene;
beforeAll(async () => {
  scene = await startAlipayScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const clients = [
  ["alipay-sdk", "key"],
  ["alipay-sdk", "certificate"],
  ["alipay-sdk-before", "key"],
  ["alipay-sdk-before", "certificate"],
] as const;

const checked = { validateSign: true };
let count = 0;
const newNumber = () => `ALIPAY_${String(++count)}`;
const buyer_id = "2088102177846880";

/** The methods that place an order, with how the buyer comes to it. */
const kinds = [
  ["alipay.trade.create", { buyer_id }],
  ["alipay.trade.precreate", {}],
  ["alipay.trade.app.pay", { product_code: "QUICK_MSECURITY_PAY" }],
] as const;

describe.each(clients)("%s in %s mode", (name, mode) => {
  const open = () => scene.sdk({ name, mode });
  const query = async (out_trade_no: string) =>
    (await open()).exec("alipay.trade.query", { bizContent: { out_trade_no } }, checked);

  async function place(method: string, out_trade_no: string, more: object = {}) {
    const bizContent = { out_trade_no, total_amount: "12.34", subject: "一杯茶", ...more };
    return (await open()).exec(method, { notify_url: scene.notifyUrl(out_trade_no), bizContent }, checked);
  }

  it.each(kinds)("takes an order of %s from its placing over its payment to a full refund", async (method, more) => {
    const sdk = await open();
    const out_trade_no = newNumber();
    expect(await place(method, out_trade_no, more)).toMatchObject({ code: "10000", outTradeNo: out_trade_no });
    await scene.act(out_trade_no, "pay");
    expect(await query(out_trade_no)).toMatchObject({
      ...{ code: "10000", tradeStatus: "TRADE_SUCCESS", totalAmount: "12.34", receiptAmount: "12.34" },
      fundBillList: [{ fundChannel: "ALIPAYACCOUNT", amount: "12.34" }],
    });
    const paid = await scene.noticeOf(out_trade_no);
    expect(paid).toMatchObject({
      trade_status: "TRADE_SUCCESS",
      total_amount: "12.34",
      subject: "一杯茶",
      out_trade_no,
    });
    expect(sdk.checkNotifySignV2(paid)).toBe(true);
    expect(sdk.checkNotifySignV2({ ...paid, total_amount: "0.01" })).toBe(false);

    const part = { out_trade_no, refund_amount: "2.34", out_request_no: "1" };
    const first = await sdk.exec("alipay.trade.refund", { bizContent: part }, checked);
    expect(first).toMatchObject({ code: "10000", fundChange: "Y", refundFee: "2.34" });
    const again = await sdk.exec("alipay.trade.refund", { bizContent: part }, checked);
    expect(again).toMatchObject({ code: "10000", fundChange: "N", refundFee: "2.34" });
    const asked = await sdk.exec("alipay.trade.fastpay.refund.query", { bizContent: part }, checked);
    expect(asked).toMatchObject({ refundStatus: "REFUND_SUCCESS", refundAmount: "2.34", outRequestNo: "1" });
    expect(await query(out_trade_no)).toMatchObject({ tradeStatus: "TRADE_SUCCESS" });
    const partial = await scene.noticeOf(out_trade_no, (fields) => fields["out_biz_no"] === "1");
    expect(partial).toMatchObject({ trade_status: "TRADE_SUCCESS", refund_fee: "2.34" });
    expect(sdk.checkNotifySignV2(partial)).toBe(true);

    const rest = { out_trade_no, refund_amount: 10, out_request_no: "2" };
    expect(await sdk.exec("alipay.trade.refund", { bizContent: rest }, checked)).toMatchObject({ refundFee: "12.34" });
    expect(await query(out_trade_no)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
  });

  it.each(["page", "wap"])("leads the buyer of a %s order over the cashier back to the merchant", async (product) => {
    const sdk = await open();
    const out_trade_no = newNumber();
    const address = sdk.pageExecute(`alipay.trade.${product}.pay`, "GET", {
      bizContent: { out_trade_no, total_amount: "8.00", subject: "Tea", product_code: "FAST_INSTANT_TRADE_PAY" },
      notify_url: scene.notifyUrl(out_trade_no),
      return_url: "https://shop.invalid/back?from=alipay",
    });
    const cashier = await fetch(address, { headers: { "Accept-Language": "zh-CN", "Sec-Fetch-Site": "cross-site" } });
    expect(cashier.status).toBe(200);
    expect(await cashier.text()).toContain("¥8.00");
    expect(await query(out_trade_no)).toMatchObject({ tradeStatus: "WAIT_BUYER_PAY" });
    const done = await fetch(cashier.url, {
      ...{ method: "POST", redirect: "manual", body: new URLSearchParams({ outcome: "pay" }) },
      headers: { Origin: new URL(cashier.url).origin },
    });
    const back = new URL(done.headers.get("Location") ?? "");
    expect(back.origin).toBe("https://shop.invalid");
    const { from, ...returned } = Object.fromEntries(back.searchParams);
    expect([from, returned]).toMatchObject(["alipay", { out_trade_no, total_amount: "8.00" }]);
    expect(sdk.checkNotifySignV2(returned)).toBe(true);
    expect(sdk.checkNotifySignV2({ ...returned, total_amount: "0.01" })).toBe(false);
    expect(sdk.checkNotifySignV2(await scene.noticeOf(out_trade_no))).toBe(true);
  });

  it("closes an order that nobody has paid, and is told that", async () => {
    const sdk = await open();
    const out_trade_no = newNumber();
    await place("alipay.trade.create", out_trade_no, { buyer_id });
    expect(await query(out_trade_no)).toMatchObject({ tradeStatus: "WAIT_BUYER_PAY", buyerUserId: buyer_id });
    const close = () => sdk.exec("alipay.trade.close", { bizContent: { out_trade_no } }, checked);
    expect(await close()).toMatchObject({ code: "10000", outTradeNo: out_trade_no });
    expect(await query(out_trade_no)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
    expect(await close()).toMatchObject({ code: "40004", subCode: "ACQ.TRADE_STATUS_ERROR" });
    expect(await scene.noticeOf(out_trade_no)).toMatchObject({ trade_status: "TRADE_CLOSED" });
  });

  it("finds no trade behind a payment code until its buyer pays it", async () => {
    const out_trade_no = newNumber();
    const { qrCode } = await place("alipay.trade.precreate", out_trade_no);
    expect(qrCode).toMatch(/^https:\/\/qr\.alipay\.com\/bax\w+$/);
    expect(await query(out_trade_no)).toMatchObject({ code: "40004", subCode: "ACQ.TRADE_NOT_EXIST" });
    await scene.act(out_trade_no, "pay");
    expect(await query(out_trade_no)).toMatchObject({ code: "10000", tradeStatus: "TRADE_SUCCESS" });
  });
});
