/** Profit sharing by version 3, with a client of our own. */
import { constants, privateDecrypt } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readBill } from "../../../support/payments/bill-lines.ts";
import { encryptToPlatform } from "../../../support/payments/encrypt-to-platform.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

const path = "/v3/profitsharing";
const shop = { type: "MERCHANT_ID", account: "1900000300" };
const staff = { type: "PERSONAL_OPENID", account: "oStaffOfTheShop" };

let provider: TestProvider;
let merchant: MerchantV3;
let count = 0;
let no: string;
let appid: string;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 60 });
  merchant = await createMerchantV3(provider.url);
  appid = merchant.credentials.app_id;
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(() => {
  no = `SHARED_${String(++count)}`;
});

const post = (address: string, body: unknown, changed?: Parameters<MerchantV3["call"]>[3]) =>
  merchant.call("POST", `${path}/${address}`, body, changed);
const get = (address: string) => merchant.call("GET", `${path}/${address}`);
const serial = () => ({ headers: { "Wechatpay-Serial": merchant.credentials.platform_serial } });

async function addReceivers(): Promise<void> {
  const name = encryptToPlatform(merchant.credentials, "Shop");
  expect((await post("receivers/add", { appid, ...shop, name, relation_type: "STORE" }, serial())).status).toBe(200);
  expect((await post("receivers/add", { appid, ...staff, relation_type: "STAFF" })).status).toBe(200);
}

/** A paid order of 10 yuan, of which 6 fen are the fee. Returns the platform's number. */
async function paid(settle_info: object | undefined = { profit_sharing: true }): Promise<string> {
  await merchant.place("native", no, { amount: { total: 1000, currency: "CNY" }, settle_info });
  await provider.control("POST", `/orders/${no}/pay`);
  return (await merchant.query(no)).json.transaction_id;
}

const request = (transaction_id: string, changed: object = {}) => ({
  ...{ appid, transaction_id, out_order_no: `P${no}`, unfreeze_unsplit: false },
  receivers: [
    { ...shop, amount: 200, description: "shop" },
    { ...staff, amount: 50, description: "tip" },
  ],
  ...changed,
});
const query = (id: string, outOrderNo = `P${no}`) => get(`orders/${outOrderNo}?transaction_id=${id}`);
const unsplit = async (id: string) => (await get(`transactions/${id}/amounts`)).json.unsplit_amount as number;
const pass = (seconds: number) => {
  provider.clock.offsetMs += seconds * 1000;
};

it("a receiver is added with an encrypted name, which comes back encrypted to the merchant, and is deleted", async () => {
  const name = encryptToPlatform(merchant.credentials, "示例商户");
  const body = { appid, ...shop, name, relation_type: "CUSTOM", custom_relation: "agent" };
  const { status, json, isSigned } = await post("receivers/add", body, serial());
  expect([status, isSigned]).toEqual([200, true]);
  const { name: sealed, ...others } = json;
  expect(others).toEqual({ ...shop, relation_type: "CUSTOM", custom_relation: "agent" });
  const key = { key: merchant.credentials.merchant_private_key, padding: constants.RSA_PKCS1_OAEP_PADDING };
  expect(privateDecrypt(key, Buffer.from(sealed, "base64")).toString()).toBe("示例商户");
  expect((await post("receivers/delete", { appid, ...shop })).json).toEqual(shop);

  const refused = async (changed: object, headers = serial()) => {
    const reply = await post("receivers/add", { ...body, ...changed }, headers);
    return [reply.status, reply.json.code];
  };
  expect(await refused({}, { headers: { "Wechatpay-Serial": "" } })).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ name: "plain" })).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ name: undefined })).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ custom_relation: undefined })).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ appid: "wxunknown" })).toEqual([400, "APPID_MCHID_NOT_MATCH"]);
  expect(await refused({ sub_mchid: "1900000999" })).toEqual([403, "NO_AUTH"]);
  expect(await refused({ type: "PERSONAL_SUB_OPENID" })).toEqual([400, "INVALID_REQUEST"]);
});

it("an order's money is frozen until it is shared by the clock, returned, and unfrozen", async () => {
  await addReceivers();
  const id = await paid();
  expect(await unsplit(id)).toBe(994);

  const asked = await post("orders", request(id));
  expect(asked.json).toMatchObject({ transaction_id: id, out_order_no: `P${no}`, state: "PROCESSING" });
  expect(asked.json.receivers.map(({ result }: { result: string }) => result)).toEqual(["PENDING", "PENDING"]);
  expect((await post("orders", request(id))).json).toEqual(asked.json);
  expect(await unsplit(id)).toBe(744);
  const giveBack = { out_order_no: `P${no}`, out_return_no: `R${no}`, return_mchid: shop.account };
  const asReturn = { ...giveBack, amount: 150, description: "refund" };
  expect((await post("return-orders", asReturn)).json.code).toBe("INVALID_REQUEST");

  pass(60);
  const { json } = await query(id);
  expect([json.state, json.order_id]).toEqual(["FINISHED", asked.json.order_id]);
  expect(json.receivers).toMatchObject([
    { ...shop, amount: 200, result: "SUCCESS", description: "shop" },
    { ...staff, amount: 50, result: "SUCCESS" },
  ]);

  const returned = await post("return-orders", asReturn);
  expect(returned.json).toMatchObject({ ...asReturn, order_id: json.order_id, result: "SUCCESS" });
  expect((await post("return-orders", asReturn)).json).toEqual(returned.json);
  expect((await get(`return-orders/R${no}?out_order_no=P${no}`)).json).toEqual(returned.json);
  expect((await post("return-orders", { ...asReturn, out_return_no: `S${no}` })).json.message).toBe(
    "剩余可回退的金额不足",
  );

  const body = { transaction_id: id, out_order_no: `U${no}`, description: "done" };
  const unfrozen = await post("orders/unfreeze", body);
  const own = { type: "MERCHANT_ID", account: merchant.credentials.mch_id, amount: 744, description: "done" };
  expect(unfrozen.json.receivers).toMatchObject([own]);
  expect(await unsplit(id)).toBe(0);
  const again = await post("orders/unfreeze", { ...body, out_order_no: `V${no}` });
  expect([again.status, again.json.code]).toEqual([403, "NOT_ENOUGH"]);
  const { calls } = (await provider.control("GET", `/orders/${no}`)) as { calls: { name: string }[] };
  const names = new Set(calls.map(({ name }) => name));
  expect([...names].filter((name) => name.startsWith("profitsharing")).toSorted()).toEqual([
    ...["profitsharing", "profitsharingfinish", "profitsharingorderamountquery", "profitsharingquery"],
  ]);
});

it("unfreeze_unsplit shares and gives the rest to the merchant; a relation that has ended closes its part", async () => {
  await addReceivers();
  const id = await paid();
  const { json } = await post("orders", request(id, { unfreeze_unsplit: true }));
  expect(json.receivers.map(({ amount }: { amount: number }) => amount)).toEqual([200, 50, 744]);
  await post("receivers/delete", { appid, ...staff });
  pass(60);
  const results = (await query(id)).json.receivers.map((one: { result: string; fail_reason?: string }) => [
    one.result,
    one.fail_reason,
  ]);
  expect(results).toEqual([
    ["SUCCESS", undefined],
    ["CLOSED", "NO_RELATION"],
    ["SUCCESS", undefined],
  ]);
});

it("a day's bill of shares has a line for each part that was paid or came back, in yuan, from nine o'clock", async () => {
  await addReceivers();
  const id = await paid();
  const asked = await post("orders", request(id));
  await provider.control("POST", `/shares/${String(asked.json.order_id)}/finish`, {
    failures: [{ account: staff.account, reason: "ACCOUNT_ABNORMAL" }],
  });
  const giveBack = { out_order_no: `P${no}`, out_return_no: `R${no}`, return_mchid: shop.account };
  const returned = await post("return-orders", { ...giveBack, amount: 150, description: "refund" });
  const day = String(returned.json.create_time).slice(0, 10);
  expect((await get(`bills?bill_date=${day}`)).json.code).toBe("STATEMENT_CREATING");

  pass(2 * 86_400);
  const { status, json } = await get(`bills?bill_date=${day}`);
  expect([status, json.hash_type]).toEqual([200, "SHA1"]);
  const { pathname, search } = new URL(json.download_url);
  const { rows, summary } = readBill((await merchant.call("GET", `${pathname}${search}`)).text);
  const mine = rows.filter((row) => row["微信订单号"] === id);
  const { mch_id } = merchant.credentials;
  const line = { 分账发起方: mch_id, 分账方: mch_id, 订单金额: "10.00", 分账接收方: shop.account, 处理状态: "成功" };
  expect(mine).toMatchObject([
    { ...line, "商户分账/回退单号": `P${no}`, 金额: "2.00", 业务类型: "分账", 备注: "shop" },
    { ...line, "商户分账/回退单号": `R${no}`, 金额: "1.50", 业务类型: "分账回退", 备注: "refund" },
  ]);
  expect(mine.map((row) => row["微信分账/回退单号"])).toEqual([asked.json.order_id, returned.json.return_id]);
  expect(Number(summary["回退总金额"])).toBeGreaterThanOrEqual(1.5);

  const ofSub = await get(`bills?bill_date=${day}&sub_mchid=1900000999`);
  expect([ofSub.status, ofSub.json.code]).toEqual([400, "NO_STATEMENT_EXIST"]);
  expect((await get("bills?bill_date=2026-02-30")).json.code).toBe("PARAM_ERROR");
});

it("refuses what cannot be shared, with the platform's codes", async () => {
  await addReceivers();
  const id = await paid();
  const refused = async (changed: object) => {
    const { status, json } = await post("orders", request(id, changed));
    return [status, json.code];
  };
  const part = (amount: number, changed: object = {}) => ({
    receivers: [{ ...shop, amount, description: "shop", ...changed }],
  });
  expect(await refused(part(301))).toEqual([403, "RULE_LIMIT"]);
  expect(await refused(part(10, { account: "1900000999" }))).toEqual([400, "INVALID_REQUEST"]);
  expect(await refused(part(10, { account: merchant.credentials.mch_id, amount: 995 }))).toEqual([403, "NOT_ENOUGH"]);
  expect(await refused({ transaction_id: "4200000000202001010000000000" })).toEqual([400, "INVALID_REQUEST"]);
  expect(await refused({ receivers: [] })).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ appid: undefined })).toEqual([400, "INVALID_REQUEST"]);
  expect(await refused({ sub_mchid: "1900000999" })).toEqual([403, "NO_AUTH"]);
  expect((await query(id)).json).toMatchObject({ code: "RESOURCE_NOT_EXISTS" });
  expect((await get(`return-orders/NONE?out_order_no=P${no}`)).status).toBe(404);

  expect((await post("orders", request(id))).status).toBe(200);
  expect(await refused(part(10))).toEqual([400, "INVALID_REQUEST"]);
});

it("an order without the flag is not shared, and the money of others is free after 30 days", async () => {
  await addReceivers();
  const plain = await paid({});
  expect((await post("orders", request(plain))).json.message).toBe("非分账订单不支持分账");
  no = `${no}_LATE`;
  const id = await paid();
  pass(30 * 86_400);
  expect(await unsplit(id)).toBe(0);
  expect((await post("orders", request(id))).json.code).toBe("NOT_ENOUGH");
});

it("a refund is paid from the frozen money, to which its part of the fee returns, and all of it once it is closed", async () => {
  const id = await paid();
  const { refund_id } = (await merchant.refund(no, `R${no}`, 300, 1000)).json;
  expect(await unsplit(id)).toBe(994 - 300 + 2);
  await provider.control("POST", `/refunds/${refund_id}/finish`, { status: "CLOSED" });
  expect(await unsplit(id)).toBe(994);
});
