/** Orders that a service provider places for a sub-merchant, in version 2. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import { fieldsOfXml, type Fields } from "../../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
let sub: { readonly sub_mch_id: string; readonly sub_appid: string };
const buyer = { openid: "", sub_openid: "oSubMerchantBuyer0000000001" };
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
  const { subMchId, subAppId } = await createPartner(provider, await createMerchantV3(provider.url));
  sub = { sub_mch_id: subMchId, sub_appid: subAppId };
});
afterAll(() => provider[Symbol.asyncDispose]());

const place = (outTradeNo: string, changed: Fields = {}) =>
  merchant.place(outTradeNo, { ...sub, ...buyer, ...changed });
const call = (path: string, fields: Fields) => merchant.call(path, { ...sub, ...fields });

it("are placed, queried, refunded and closed with the numbers of both, and name the buyer of the sub-merchant's app", async () => {
  expect((await place("V2_SUB")).fields).toMatchObject({ ...sub, result_code: "SUCCESS" });
  await merchant.pay("V2_SUB");
  const query = await call("/pay/orderquery", { out_trade_no: "V2_SUB" });
  expect(query).toMatchObject({ isSigned: true });
  expect(query.fields).toMatchObject({ ...sub, trade_state: "SUCCESS", sub_openid: buyer.sub_openid });
  const refund = { out_trade_no: "V2_SUB", out_refund_no: "V2_SUB_R", total_fee: "100", refund_fee: "1" };
  expect((await call("/secapi/pay/refund", refund)).fields).toMatchObject({ ...sub, result_code: "SUCCESS" });
  expect((await call("/pay/refundquery", { out_refund_no: "V2_SUB_R" })).fields).toMatchObject({ refund_count: "1" });
  await place("V2_SUB_CLOSED");
  expect(outcomeOf(await call("/pay/closeorder", { out_trade_no: "V2_SUB_CLOSED" }))).toBe("SUCCESS");
});

it("are paid by the buyer's code, and reversed", async () => {
  const paid = await merchant.micropay("V2_SUB_CODE", sub);
  expect(paid.fields).toMatchObject({ ...sub, trade_type: "MICROPAY" });
  expect(outcomeOf(await merchant.reverse("V2_SUB_CODE"))).toBe("ORDERNOTEXIST");
  expect(outcomeOf(await call("/secapi/pay/reverse", { out_trade_no: "V2_SUB_CODE" }))).toBe("SUCCESS");
});

it("are not found without the sub-merchant's number, nor by another one's", async () => {
  await place("V2_SUB_HIDDEN");
  await merchant.pay("V2_SUB_HIDDEN");
  expect(outcomeOf(await merchant.query("V2_SUB_HIDDEN"))).toBe("ORDERNOTEXIST");
  const other = { sub_mch_id: "1900000309", out_trade_no: "V2_SUB_HIDDEN" };
  expect(outcomeOf(await merchant.call("/pay/orderquery", other))).toBe("ORDERNOTEXIST");
  expect(outcomeOf(await merchant.refund("V2_SUB_HIDDEN", "V2_SUB_NONE"))).toBe("ORDERNOTEXIST");
  expect(outcomeOf(await merchant.close("V2_SUB_HIDDEN"))).toBe("ORDERNOTEXIST");
});

it("are refused for a sub-merchant that is not bound, and for an app that is not its own", async () => {
  expect(outcomeOf(await place("V2_SUB_LOOSE", { sub_mch_id: "1900000509" }))).toBe("NOAUTH");
  expect(outcomeOf(await place("V2_SUB_APP", { sub_appid: "wxother0000000001" }))).toBe("APPID_MCHID_NOT_MATCH");
  expect(outcomeOf(await place("V2_SUB_BUYER", { sub_openid: "" }))).toBe("缺少参数openid");
});

it("are told of with the numbers of both", async () => {
  await using receiver = await notificationReceiver();
  await place("V2_SUB_TOLD", { notify_url: `${receiver.url}/paid` });
  await merchant.pay("V2_SUB_TOLD");
  const told = fieldsOfXml((await receiver.at("/paid")).body);
  expect(told).toMatchObject({ ...sub, sub_openid: buyer.sub_openid, out_trade_no: "V2_SUB_TOLD" });
});
