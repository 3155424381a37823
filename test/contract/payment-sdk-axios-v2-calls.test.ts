/** npm wechatpay-axios-plugin through version 2's profit sharing, sandbox and fund bills. */
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axiosFailure, createAxiosPlugin } from "../support/payments/payment-sdks.ts";
import { startSdkScene, type SdkScene } from "../support/payments/sdk-scene.ts";

let scene: SdkScene;
beforeAll(async () => {
  scene = await startSdkScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

type Fields = Record<string, string>;
const create = (secret?: string) =>
  createAxiosPlugin(scene.provider.url, scene.credentials, secret === undefined ? {} : { secret });
const common = () => ({ appid: scene.app.appid, mch_id: scene.app.mchid });
const asStream = { responseType: "stream", transformResponse: [] };
const hmac = { sign_type: "HMAC-SHA256" };
const native = (outTradeNo: string, changed: Fields = {}) => ({
  ...{ ...common(), body: "Tea", out_trade_no: outTradeNo, total_fee: "1000", spbill_create_ip: "127.0.0.1" },
  ...{ notify_url: scene.notifyUrl(outTradeNo), trade_type: "NATIVE", product_id: "tea" },
  ...changed,
});

it("axios-plugin shares an order of version 2 with a receiver, takes a part back, and finishes it", async () => {
  const { pay, secapi } = (await create()).client.v2;
  const signed = { ...common(), ...hmac };
  const { appid: _unknownThere, ...withoutApp } = signed;
  const shop = { type: "MERCHANT_ID", account: "1900000300" };
  const receiver = JSON.stringify({ ...shop, name: "Shop", relation_type: "STORE" });
  expect((await pay.profitsharingaddreceiver.post({ ...signed, receiver })).data.receiver).toBe(receiver);
  await pay.unifiedorder.post(native("V2_SHARED", { profit_sharing: "Y" }));
  await scene.pay("V2_SHARED");
  const { transaction_id } = (await pay.orderquery.post({ ...common(), out_trade_no: "V2_SHARED" })).data;
  const asked = { ...signed, transaction_id };
  const unsplit = async () =>
    (await pay.profitsharingorderamountquery.post({ ...withoutApp, transaction_id })).data.unsplit_amount;
  const before = Number(await unsplit());

  const receivers = (amount: number) => JSON.stringify([{ ...shop, amount, description: "shop" }]);
  const many = { ...asked, out_order_no: "V2_M", receivers: receivers(30) };
  const shared = await secapi.pay.multiprofitsharing.post(many, { security: true });
  expect(shared.data).toMatchObject({ result_code: "SUCCESS", out_order_no: "V2_M", transaction_id });
  const query = async () =>
    (await pay.profitsharingquery.post({ ...withoutApp, transaction_id, out_order_no: "V2_M" })).data;
  await expect.poll(async () => (await query()).status).toBe("FINISHED");
  expect(JSON.parse((await query()).receivers)).toMatchObject([{ ...shop, amount: 30, result: "SUCCESS" }]);

  const back = { ...signed, out_order_no: "V2_M", out_return_no: "V2_R" };
  const returned = await secapi.pay.profitsharingreturn.post(
    {
      ...back,
      return_account_type: "MERCHANT_ID",
      return_account: shop.account,
      return_amount: "10",
      description: "b",
    },
    { security: true },
  );
  expect((await pay.profitsharingreturnquery.post(back)).data.return_no).toBe(returned.data.return_no);
  expect(Number(await unsplit())).toBe(before - 30);

  const finished = await secapi.pay.profitsharingfinish.post(
    { ...asked, out_order_no: "V2_F", description: "done" },
    { security: true },
  );
  expect([finished.data.result_code, await unsplit()]).toEqual(["SUCCESS", "0"]);
  const late = { ...asked, out_order_no: "V2_S", receivers: receivers(5) };
  expect(await axiosFailure(secapi.pay.profitsharing.post(late, { security: true }))).toMatchObject({
    data: { err_code: "NOTENOUGH" },
  });
  expect(
    (await pay.profitsharingremovereceiver.post({ ...signed, receiver: JSON.stringify(shop) })).data,
  ).toMatchObject({ result_code: "SUCCESS" });
});

it("axios-plugin shares an order of version 2 once, which frees the rest", async () => {
  const { pay, secapi } = (await create()).client.v2;
  const signed = { ...common(), ...hmac };
  const shop = { type: "MERCHANT_ID", account: "1900000300" };
  const receiver = JSON.stringify({ ...shop, name: "Shop", relation_type: "STORE" });
  await pay.profitsharingaddreceiver.post({ ...signed, receiver });
  await pay.unifiedorder.post(native("V2_ONCE", { profit_sharing: "Y" }));
  await scene.pay("V2_ONCE");
  const { transaction_id } = (await pay.orderquery.post({ ...common(), out_trade_no: "V2_ONCE" })).data;
  const receivers = JSON.stringify([{ ...shop, amount: 5, description: "shop" }]);
  const once = { ...signed, transaction_id, out_order_no: "V2_O", receivers };
  const { data } = await secapi.pay.profitsharing.post(once, { security: true });
  expect(data).toMatchObject({ result_code: "SUCCESS", out_order_no: "V2_O" });
  const { mch_id } = signed;
  const left = await pay.profitsharingorderamountquery.post({ mch_id, ...hmac, transaction_id });
  expect(left.data.unsplit_amount).toBe("0");
});

it("axios-plugin pays, queries, refunds and downloads in the sandbox under both prefixes, by its key", async () => {
  const { client: real } = await create();
  const asked = { mch_id: scene.app.mchid };
  const { sandbox_signkey: key } = (await real.v2.xdc.apiv2getsignkey.sign.getsignkey.post(asked)).data;
  // The client demands a signature of the older address, whose reply has none: as a stream the reply goes past it.
  const older = await real.v2.sandboxnew.pay.getsignkey.post(asked, asStream);
  expect(await text(older.data as Readable)).toContain(key);
  const { sandboxnew, xdc } = (await create(key)).client.v2;
  for (const [name, { pay }] of [
    ["OLD", sandboxnew],
    ["NEW", xdc.apiv2sandbox],
  ] as const) {
    const out_trade_no = `V2_SANDBOX_${name}`;
    const { auth_code } = await scene.provider.control("POST", "/users/ada/payment-codes", {});
    const { notify_url: _n, trade_type: _t, product_id: _p, ...order } = native(out_trade_no);
    const paid = await pay.micropay.post({ ...order, auth_code: String(auth_code) });
    const queried = await pay.orderquery.post({ ...common(), out_trade_no });
    expect(queried.data).toMatchObject({ trade_state: "SUCCESS", transaction_id: paid.data.transaction_id });
  }
  const placed = await sandboxnew.pay.unifiedorder.post(native("V2_SANDBOX_NATIVE"));
  expect(placed.data).toMatchObject({ result_code: "SUCCESS", code_url: expect.any(String) });
  const refund = { ...common(), out_trade_no: "V2_SANDBOX_OLD", out_refund_no: "V2_SR" };
  await sandboxnew.pay.refund.post({ ...refund, total_fee: "1000", refund_fee: "1" });
  const found = await sandboxnew.pay.refundquery.post({ ...common(), out_refund_no: "V2_SR" });
  expect(found.data).toMatchObject({ refund_count: "1", refund_fee_0: "1" });
  const day = queriedDay((await sandboxnew.pay.orderquery.post({ ...common(), out_trade_no: "V2_SANDBOX_OLD" })).data);
  const bill = await sandboxnew.pay.downloadbill.post({ ...common(), bill_date: day, bill_type: "ALL" }, asStream);
  expect(await text(bill.data as Readable)).toContain("总交易单数");
});

const queriedDay = ({ time_end }: { readonly time_end: string }) => time_end.slice(0, 8);

it("axios-plugin asks who shows a code, shortens the text of a QR code, reports, and reads the ratio of shares", async () => {
  const { pay, tools, payitil } = (await create()).client.v2;
  const { auth_code } = await scene.provider.control("POST", "/users/ada/payment-codes", {});
  const { openid } = await scene.provider.user("ada");
  const shown = { ...common(), auth_code: String(auth_code) };
  expect((await tools.authcodetoopenid.post(shown)).data.openid).toBe(openid);
  const long_url = "weixin://wxpay/bizpayurl?pr=tea";
  const { short_url } = (await tools.shorturl.post({ ...common(), long_url })).data;
  expect(short_url).toMatch(/^weixin:[/][/]wxpay[/]s[/][\w-]{8}$/);
  const trades = JSON.stringify([{ out_trade_no: "V2_FLOW", state: "OK" }]);
  const reported = { ...common(), interface_url: "https://api.mch.weixin.qq.com/pay", user_ip: "127.0.0.1", trades };
  const { data } = await payitil.report.post(reported, asStream);
  expect(await text(data as Readable)).toContain("<result_code><![CDATA[SUCCESS]]>");
  const { mch_id } = common();
  const ratio = await pay.profitsharingmerchantratioquery.post({ mch_id, ...hmac });
  expect(ratio.data.max_ratio).toBe("3000");
});

it("axios-plugin refunds an order by the calls for single goods, with the part of the coupon", async () => {
  const { pay, secapi } = (await create()).client.v2;
  await pay.unifiedorder.post(native("V2_GOODS"));
  await scene.provider.control("POST", "/orders/V2_GOODS/pay", { coupon_fen: 100 });
  const refund = { ...common(), out_trade_no: "V2_GOODS", out_refund_no: "V2_G", total_fee: "1000", refund_fee: "500" };
  const detail = JSON.stringify({
    goods_detail: [{ goods_id: "tea", refund_amount: 500, refund_quantity: 1, price: 500 }],
  });
  const asked = await secapi.pay.refundv2.post({ ...refund, detail }, { security: true });
  expect(JSON.parse(asked.data.promotion_detail)).toMatchObject({ promotion_detail: [{ refund_amount: 50 }] });
  const found = await pay.refundqueryv2.post({ ...common(), out_refund_no: "V2_G" });
  expect(found.data).toMatchObject({ refund_count: "1", refund_fee_0: "500", promotion_detail: expect.any(String) });
  expect(await axiosFailure(secapi.pay.refundv2.post({ ...refund, detail: "[" }, { security: true }))).toMatchObject({
    data: { err_code: "PARAM_ERROR" },
  });
});

it("axios-plugin downloads the bill of the account's money, signed by HMAC", async () => {
  const { pay } = (await create()).client.v2;
  await pay.unifiedorder.post(native("V2_FLOW"));
  await scene.pay("V2_FLOW");
  const bill_date = queriedDay((await pay.orderquery.post({ ...common(), out_trade_no: "V2_FLOW" })).data);
  const wanted = { ...common(), ...hmac, bill_date, account_type: "Basic" };
  const { data } = await pay.downloadfundflow.post(wanted, { ...asStream, security: true });
  expect(await text(data as Readable)).toContain("`V2_FLOW");
});
