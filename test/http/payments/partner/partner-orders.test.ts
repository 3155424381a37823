/** Orders that a service provider places for a sub-merchant, in version 3. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { unseal } from "../../../../server/payment-wire/sealed-v3.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
let partner: Awaited<ReturnType<typeof createPartner>>;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { bills_at_once: true });
  merchant = await createMerchantV3(provider.url);
  partner = await createPartner(provider, merchant);
});
afterAll(() => provider[Symbol.asyncDispose]());

const pay = (outTradeNo: string) => provider.control("POST", `/orders/${outTradeNo}/pay`);
const result = ({ status, json }: { status: number; json?: { code?: string } }) => [status, json?.code];
const refund = (outTradeNo: string, changed: object = {}) =>
  merchant.call("POST", "/v3/refund/domestic/refunds", {
    ...{ out_trade_no: outTradeNo, out_refund_no: `R_${outTradeNo}` },
    ...{ amount: { refund: 40, total: 101, currency: "CNY" } },
    ...changed,
  });

it("are placed in every trade type, each with its reply, and the reply is signed", async () => {
  const replies = [
    await partner.place("jsapi", "PLACE_JSAPI"),
    await partner.place("app", "PLACE_APP"),
    await partner.place("native", "PLACE_NATIVE"),
    await partner.place("h5", "PLACE_H5"),
  ];
  expect(replies.map(({ status, json, isSigned }) => [status, Object.keys(json), isSigned])).toEqual([
    [200, ["prepay_id"], true],
    [200, ["prepay_id"], true],
    [200, ["code_url"], true],
    [200, ["h5_url"], true],
  ]);
});

it("are found by either number, with the ids of both merchants and the buyer of the sub-merchant's app", async () => {
  const { subAppId, both } = partner;
  const buyer = { sub_appid: subAppId, payer: { sub_openid: "oSubMerchantBuyer0000000001" } };
  await partner.place("jsapi", "QUERIED", buyer);
  await pay("QUERIED");
  const { json } = await partner.query("out-trade-no/QUERIED");
  expect(json).toMatchObject({ ...both, ...buyer, sp_appid: merchant.credentials.app_id, trade_state: "SUCCESS" });
  expect(Object.keys(json)).not.toContain("mchid");
  expect((await partner.query(`id/${json.transaction_id}`)).json).toEqual(json);
});

it("are 404 for another sub-merchant and for the provider's own calls, which do not close or refund them", async () => {
  await partner.place("native", "HIDDEN");
  const other = { sub_mchid: "1900000309" };
  expect(result(await partner.query("out-trade-no/HIDDEN", other))).toEqual([404, "ORDER_NOT_EXIST"]);
  expect(result(await merchant.query("HIDDEN"))).toEqual([404, "ORDER_NOT_EXIST"]);
  expect(result(await partner.close("HIDDEN", other))).toEqual([404, "ORDER_NOT_EXIST"]);
  expect(result(await merchant.close("HIDDEN"))).toEqual([404, "ORDER_NOT_EXIST"]);
  await pay("HIDDEN");
  expect(result(await refund("HIDDEN"))).toEqual([404, "RESOURCE_NOT_EXISTS"]);
});

it("are refused with 403 NO_AUTH for a sub-merchant that is not bound or lacks the product", async () => {
  const loose = await createPartner(provider, merchant, "1900000409");
  await loose.bind(undefined);
  expect(result(await loose.place("native", "NOT_BOUND"))).toEqual([403, "NO_AUTH"]);
  expect(result(await loose.place("native", "NOBODY", { sub_mchid: "1900000509" }))).toEqual([403, "NO_AUTH"]);
  await loose.bind(merchant.credentials.mch_id, { products: ["JSAPI"] });
  expect(result(await loose.place("native", "NO_NATIVE"))).toEqual([403, "NO_AUTH"]);
  expect((await loose.place("jsapi", "WITH_JSAPI")).status).toBe(200);
});

it("are refused with 400 for an app of another merchant, and for a buyer without the app", async () => {
  const wrongApp = { sub_appid: "wxother0000000001" };
  expect(result(await partner.place("native", "WRONG_APP", wrongApp))).toEqual([400, "APPID_MCHID_NOT_MATCH"]);
  const noBuyer = { payer: {} };
  expect(result(await partner.place("jsapi", "NO_BUYER", noBuyer))).toEqual([400, "PARAM_ERROR"]);
  const noApp = { payer: { sub_openid: "oSubMerchantBuyer0000000001" } };
  expect(result(await partner.place("jsapi", "NO_APP", noApp))).toEqual([400, "PARAM_ERROR"]);
});

it("close with 204, and so again; a paid order is 400 ORDERPAID", async () => {
  await partner.place("native", "CLOSED");
  expect((await partner.close("CLOSED")).status).toBe(204);
  expect((await partner.close("CLOSED")).status).toBe(204);
  await partner.place("native", "IS_PAID");
  await pay("IS_PAID");
  expect(result(await partner.close("IS_PAID"))).toEqual([400, "ORDERPAID"]);
});

it("refund by sub_mchid, and the refund is found by it alone", async () => {
  const { subMchId } = partner;
  await partner.place("native", "REFUNDED");
  await pay("REFUNDED");
  const { status, json } = await refund("REFUNDED", { sub_mchid: subMchId });
  expect(status).toBe(200);
  const query = (fields: string) => merchant.call("GET", `/v3/refund/domestic/refunds/R_REFUNDED${fields}`);
  expect((await query(`?sub_mchid=${subMchId}`)).json.refund_id).toBe(json.refund_id);
  expect(result(await query(""))).toEqual([404, "RESOURCE_NOT_EXISTS"]);
});

it("notify the provider, encrypted with its key, of the payment with both merchants' ids", async () => {
  await using receiver = await notificationReceiver();
  await partner.place("native", "NOTIFIED", { notify_url: `${receiver.url}/paid` });
  await pay("NOTIFIED");
  const { resource } = JSON.parse((await receiver.at("/paid")).body);
  const transaction = JSON.parse(unseal(resource, merchant.credentials.api_v3_key));
  expect(transaction).toMatchObject({ ...partner.both, out_trade_no: "NOTIFIED", trade_state: "SUCCESS" });
  expect(transaction.mchid).toBeUndefined();
});

it("are in the provider's bill with the sub-merchant's id, which a bill can be limited to", async () => {
  await merchant.place("native", "OWN_ORDER");
  await pay("OWN_ORDER");
  await partner.place("native", "BILLED");
  const paid = await pay("BILLED");
  const day = new Date(Date.parse(String(paid["paid_at"])) + 8 * 3_600_000).toISOString().slice(0, 10);
  const bill = async (fields: string) => {
    const { json } = await merchant.call("GET", `/v3/bill/tradebill?bill_date=${day}${fields}`);
    const { pathname, search } = new URL(json.download_url);
    return (await merchant.fetchBytes(pathname + search)).toString();
  };
  const all = await bill("");
  expect([all.includes("`OWN_ORDER"), all.includes("`BILLED")]).toEqual([true, true]);
  expect(all.split("\r\n").find((line) => line.includes("`BILLED"))).toContain(`\`${partner.subMchId}`);
  const limited = await bill(`&sub_mchid=${partner.subMchId}`);
  expect([limited.includes("`OWN_ORDER"), limited.includes("`BILLED")]).toEqual([false, true]);
});
