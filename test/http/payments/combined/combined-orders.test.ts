/** Combined orders of version 3: one payment for orders of several merchants. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { unseal } from "../../../../server/payment-wire/sealed-v3.ts";
import { miniProgramV3 } from "../../../support/payments/client-payment.ts";
import { combinedProducts, createCombiner, type Combiner } from "../../../support/payments/combiner.ts";
import { encryptToPlatform } from "../../../support/payments/encrypt-to-platform.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { orderDetails } from "../../../support/payments/order-details.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
let combiner: Combiner;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { bills_at_once: true });
  merchant = await createMerchantV3(provider.url);
  combiner = await createCombiner(provider, merchant);
});
afterAll(() => provider[Symbol.asyncDispose]());

const pay = (number: string, body: object = {}) => provider.control("POST", `/orders/${number}/pay`, body);
const result = ({ status, json }: { status: number; json?: { code?: string } }) => [status, json?.code];
const states = async (number: string) =>
  (await combiner.query(number)).json.sub_orders.map((part: { trade_state: string }) => part.trade_state);

it("are placed in every trade type, each with its reply, and the reply is signed", async () => {
  const replies = await Promise.all(combinedProducts.map((product) => combiner.place(product, `PLACE_${product}`)));
  expect(replies.map(({ status, json, isSigned }) => [status, Object.keys(json), isSigned])).toEqual([
    [200, ["prepay_id"], true],
    [200, ["prepay_id"], true],
    [200, ["code_url"], true],
    [200, ["h5_url"], true],
  ]);
});

it("are paid in one act by the combined number, and are found with both parts and their own numbers", async () => {
  await combiner.place("jsapi", "PAID_AT_ONCE", { scene_info: { device_id: "POS", payer_client_ip: "127.0.0.1" } });
  const before = await combiner.query("PAID_AT_ONCE");
  expect(before.json).toMatchObject({ sub_orders: [{ trade_state: "NOTPAY" }, { trade_state: "NOTPAY" }] });
  expect(before.json.combine_transaction_id).toBeUndefined();
  await pay("PAID_AT_ONCE");
  const { json } = await combiner.query("PAID_AT_ONCE");
  expect(json).toMatchObject({
    combine_mchid: merchant.credentials.mch_id,
    combine_payer_info: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" },
    scene_info: { device_id: "POS" },
    sub_orders: [
      { out_trade_no: "PAID_AT_ONCE_A", trade_state: "SUCCESS", amount: { total_amount: 100, payer_amount: 100 } },
      { mchid: combiner.secondMchId, out_trade_no: "PAID_AT_ONCE_B", trade_state: "SUCCESS", attach: "shop" },
    ],
  });
  const idsOfParts = json.sub_orders.map((part: { transaction_id: string }) => part.transaction_id);
  const ids = [json.combine_transaction_id, ...idsOfParts];
  expect(new Set(ids).size).toBe(3);
  expect((await merchant.query("PAID_AT_ONCE_A")).json).toMatchObject({
    trade_state: "SUCCESS",
    transaction_id: ids[1],
  });
});

it("notify once, with all parts, the merchant that combines", async () => {
  await using receiver = await notificationReceiver();
  await combiner.place("native", "NOTIFIED", { notify_url: `${receiver.url}/paid` });
  await pay("NOTIFIED", { coupon_fen: 10 });
  const { event_type, resource } = JSON.parse((await receiver.at("/paid")).body);
  const told = JSON.parse(unseal(resource, merchant.credentials.api_v3_key));
  expect([event_type, told]).toEqual(["TRANSACTION.SUCCESS", (await combiner.query("NOTIFIED")).json]);
  expect(told.sub_orders.map((part: { amount: object }) => part.amount)).toMatchObject([
    { total_amount: 100, payer_amount: 94 },
    { total_amount: 50, payer_amount: 46 },
  ]);
  const { notifications } = await orderDetails(provider, "NOTIFIED");
  expect([notifications.length, (await orderDetails(provider, "NOTIFIED_A")).notifications]).toEqual([1, []]);
});

it("have parts that are refunded by the ordinary call of their merchant, and that are in its bill", async () => {
  await combiner.place("native", "REFUNDED");
  const paid = await pay("REFUNDED");
  const second = await createMerchantV3(provider.url, combiner.secondMchId);
  expect((await second.refund("REFUNDED_B", "R_PART", 20, 50)).status).toBe(200);
  expect(result(await merchant.refund("REFUNDED", "R_WHOLE", 20, 150))).toEqual([404, "RESOURCE_NOT_EXISTS"]);
  expect(await states("REFUNDED")).toEqual(["SUCCESS", "REFUND"]);
  const day = new Date(Date.parse(String(paid["paid_at"])) + 8 * 3_600_000).toISOString().slice(0, 10);
  const bill = async (of: MerchantV3) => {
    const { json } = await of.call("GET", `/v3/bill/tradebill?bill_date=${day}`);
    const { pathname, search } = new URL(json.download_url);
    return (await of.fetchBytes(pathname + search)).toString();
  };
  const [own, others] = [await bill(merchant), await bill(second)];
  expect([own.includes("`REFUNDED_A,"), own.includes("`REFUNDED,"), own.includes("`REFUNDED_B,")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(others.split("\r\n").filter((line) => line.includes("`REFUNDED_B,"))).toHaveLength(2);
});

it("close with all parts named, and so again; ordinary calls and a part of the parts close nothing", async () => {
  await combiner.place("native", "CLOSED");
  const [first] = combiner.namedParts("CLOSED");
  expect(result(await combiner.close("CLOSED", { sub_orders: [first] }))).toEqual([400, "INVALID_REQUEST"]);
  expect(result(await merchant.close("CLOSED_A"))).toEqual([400, "INVALID_REQUEST"]);
  expect(result(await merchant.close("CLOSED"))).toEqual([404, "ORDER_NOT_EXIST"]);
  expect(await states("CLOSED")).toEqual(["NOTPAY", "NOTPAY"]);
  expect((await combiner.close("CLOSED")).status).toBe(204);
  expect((await combiner.close("CLOSED")).status).toBe(204);
  expect(await states("CLOSED")).toEqual(["CLOSED", "CLOSED"]);
  await combiner.place("native", "IS_PAID");
  await pay("IS_PAID");
  expect(result(await combiner.close("IS_PAID"))).toEqual([400, "ORDERPAID"]);
});

it("are refused when a part is missing, repeated, taken, of an unknown merchant or without the app", async () => {
  const { part, secondMchId, place } = combiner;
  const { mch_id } = merchant.credentials;
  const withParts = async (...sub_orders: object[]) => result(await place("native", "REFUSED", { sub_orders }));
  expect(await withParts()).toEqual([400, "PARAM_ERROR"]);
  const one = part(mch_id, "REFUSED_ONE", 1);
  expect(await withParts(one, one)).toEqual([400, "PARAM_ERROR"]);
  expect(await withParts({ ...one, attach: undefined })).toEqual([400, "PARAM_ERROR"]);
  expect(await withParts(...Array.from({ length: 51 }, (_, at) => part(mch_id, `REFUSED_${at}`, 1)))).toEqual([
    400,
    "PARAM_ERROR",
  ]);
  await merchant.place("native", "REFUSED_TAKEN");
  expect(await withParts(one, part(mch_id, "REFUSED_TAKEN", 1))).toEqual([403, "OUT_TRADE_NO_USED"]);
  expect(result(await merchant.query("REFUSED_ONE"))).toEqual([404, "ORDER_NOT_EXIST"]);
  expect((await withParts(part("1900099999", "REFUSED_NOBODY", 1)))[0]).toBeGreaterThanOrEqual(400);
  const keys = { api_v2_key: "anyOf32LettersAndDigits012345678", api_v3_key: "anyOf32LettersAndDigits012345678" };
  await provider.control("PUT", "/merchants/1900000709", { app_ids: ["wxother0000000001"], ...keys });
  expect(await withParts(part("1900000709", "REFUSED_APP", 1))).toEqual([400, "APPID_MCHID_NOT_MATCH"]);
  expect(result(await combiner.query("REFUSED"))).toEqual([404, "ORDER_NOT_EXIST"]);
  expect(result(await place("native", "REFUSED", { combine_mchid: secondMchId }))).toEqual([403, "NO_AUTH"]);
});

it("are the same when they are placed again, and refused when a part is different", async () => {
  const first = await combiner.place("jsapi", "REPEATED");
  expect((await combiner.place("jsapi", "REPEATED")).json).toEqual(first.json);
  const { part } = combiner;
  const { mch_id } = merchant.credentials;
  const others = [part(mch_id, "REPEATED_A", 99), part(combiner.secondMchId, "REPEATED_B", 51)];
  expect(result(await combiner.place("jsapi", "REPEATED", { sub_orders: others }))).toEqual([400, "INVALID_REQUEST"]);
  expect(result(await merchant.place("jsapi", "REPEATED_A", { payer: { openid: "o" } }))).toEqual([
    403,
    "OUT_TRADE_NO_USED",
  ]);
});

it("take the identity that the payer must have, encrypted to the platform", async () => {
  const { credentials } = merchant;
  const identity = (name: string) => ({
    type: "IDCARD",
    number: encryptToPlatform(credentials, "110101199001011234"),
    name: encryptToPlatform(credentials, name),
  });
  const placeBy = (number: string, one: object) =>
    combiner.place("native", number, { combine_payer_info: { identity: one } }, credentials.platform_serial);
  expect((await placeBy("IDENTITY", identity("Ada"))).status).toBe(200);
  expect((await placeBy("IDENTITY", identity("Ada"))).status).toBe(200);
  expect(result(await placeBy("IDENTITY", identity("Bob")))).toEqual([400, "INVALID_REQUEST"]);
  const plain = { ...identity("Ada"), name: "QWRh" };
  expect(result(await placeBy("IDENTITY_PLAIN", plain))).toEqual([400, "PARAM_ERROR"]);
});

it("have parts of sub-merchants, which a service provider refunds by sub_mchid", async () => {
  const partner = await createPartner(provider, merchant);
  const { subMchId: sub_mchid, subAppId: sub_appid } = partner;
  const { mch_id } = merchant.credentials;
  const sub_orders = [combiner.part(mch_id, "SUB_PART", 30, { sub_mchid, sub_appid })];
  expect((await combiner.place("native", "SUB_WHOLE", { sub_orders })).status).toBe(200);
  await pay("SUB_WHOLE");
  const { json } = await combiner.query("SUB_WHOLE");
  expect(json.sub_orders).toMatchObject([{ mchid: mch_id, sub_mchid, sub_appid, trade_state: "SUCCESS" }]);
  const refund = {
    ...{ out_trade_no: "SUB_PART", out_refund_no: "R_SUB_PART", sub_mchid },
    amount: { refund: 10, total: 30, currency: "CNY" },
  };
  expect((await merchant.call("POST", "/v3/refund/domestic/refunds", refund)).status).toBe(200);
  const loose = [combiner.part(mch_id, "SUB_LOOSE", 30, { sub_mchid: "1900000909" })];
  expect(result(await combiner.place("native", "LOOSE_WHOLE", { sub_orders: loose }))).toEqual([403, "NO_AUTH"]);
});

it("are paid in the client by their prepay id, and on the payment page, which shows the sum and each part", async () => {
  const { json } = await combiner.place("jsapi", "IN_CLIENT", {
    combine_payer_info: { openid: (await provider.user("ada")).openid },
  });
  const { app_id, merchant_private_key } = merchant.credentials;
  const parameters = miniProgramV3(app_id, json.prepay_id, merchant_private_key);
  expect(await provider.control("POST", "/users/ada/payments", parameters)).toEqual({ errMsg: "requestPayment:ok" });
  expect(await states("IN_CLIENT")).toEqual(["SUCCESS", "SUCCESS"]);

  const { h5_url } = (await combiner.place("h5", "ON_PAGE")).json;
  const page = await (await fetch(h5_url, { headers: { "Accept-Language": "zh-CN" } })).text();
  for (const text of ["¥1.50", "ON_PAGE_A) ¥1.00", "ON_PAGE_B) ¥0.50", combiner.secondMchId])
    expect(page).toContain(text);
  await fetch(h5_url, { method: "POST", body: new URLSearchParams({ outcome: "pay" }), redirect: "manual" });
  expect(await states("ON_PAGE")).toEqual(["SUCCESS", "SUCCESS"]);
});

it("are shown by the control routes with their parts, which are neither paid nor expired alone", async () => {
  await combiner.place("native", "CONTROLLED");
  const { order } = await orderDetails(provider, "CONTROLLED");
  expect(order).toMatchObject({ total: 150, sub_orders: [{ out_trade_no: "CONTROLLED_A" }, { total: 50 }] });
  const part = (await orderDetails(provider, "CONTROLLED_A")).order;
  expect(part).toMatchObject({ combine_out_trade_no: "CONTROLLED", combine_mch_id: merchant.credentials.mch_id });
  expect([part.pay_page, part.code_url, part.prepay_id]).toEqual([undefined, undefined, undefined]);
  for (const action of ["pay", "expire", "fail", "ask-password"]) {
    const refused = await provider.control("POST", `/orders/CONTROLLED_A/${action}`, {});
    expect([action, refused["code"]]).toEqual([action, "invalid_request"]);
  }
  await provider.control("POST", "/orders/CONTROLLED/expire");
  expect((await orderDetails(provider, "CONTROLLED")).attempts).toEqual([]);
  expect(await pay("CONTROLLED")).toMatchObject({ code: "order_expired" });
});

it("close together once their time is over", async () => {
  await provider.control("PATCH", "/settings", { autoCloseAfterExpire: true });
  await combiner.place("native", "TIMED_OUT");
  await provider.control("POST", "/orders/TIMED_OUT/expire");
  expect(await states("TIMED_OUT")).toEqual(["CLOSED", "CLOSED"]);
  await provider.control("PATCH", "/settings", { autoCloseAfterExpire: false });
});

it("keep their parts in a saved state, and are paid after it is loaded", async () => {
  await combiner.place("native", "SAVED_WHOLE");
  const document = await provider.control("GET", "/state");
  await combiner.close("SAVED_WHOLE");
  await provider.control("PUT", "/state", document);
  await pay("SAVED_WHOLE");
  expect(await states("SAVED_WHOLE")).toEqual(["SUCCESS", "SUCCESS"]);
});

it("obey faults: a query lies about every part, and a notification is wrong about the amount of one", async () => {
  await using receiver = await notificationReceiver();
  await combiner.place("native", "FAULTED", { notify_url: `${receiver.url}/wrong` });
  await provider.control("POST", "/faults", {
    kind: "trade_state",
    scope: { out_trade_no: "FAULTED" },
    params: { state: "CLOSED" },
  });
  expect(await states("FAULTED")).toEqual(["CLOSED", "CLOSED"]);
  await provider.control("POST", "/faults", {
    kind: "wrong_amount",
    scope: { out_trade_no: "FAULTED" },
    params: { by: -1, where: "notification" },
  });
  await pay("FAULTED");
  const { resource } = JSON.parse((await receiver.at("/wrong")).body);
  const told = JSON.parse(unseal(resource, merchant.credentials.api_v3_key));
  expect(told.sub_orders.map((part: { amount: { total_amount: number } }) => part.amount.total_amount)).toEqual([
    99, 50,
  ]);
});
