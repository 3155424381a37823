/** The money of all products in one book, as bills of the merchants' accounts show it. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readBill } from "../../support/payments/bill-lines.ts";
import { encryptToPlatform } from "../../support/payments/encrypt-to-platform.ts";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3, type MerchantV3 } from "../../support/payments/merchant-v3.ts";
import { createPartner } from "../../support/payments/partner.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

const shop = "1900000301";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 60, bills_at_once: true });
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());
/** Every test has a day of its own, and so a bill. */
beforeEach(() => void (provider.clock.offsetMs += 24 * 3_600_000));

/** Name and amount of each movement of today in a merchant's account. */
async function flows(
  by = createMerchantV2(provider),
  appid = merchant.credentials.app_id,
): Promise<(readonly [string, number])[]> {
  const bill_date = new Date(provider.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll("-", "");
  const fields = { appid, bill_date, account_type: "Basic" };
  const { rows } = readBill((await by.call("/pay/downloadfundflow", fields, { signType: "HMAC-SHA256" })).text);
  return rows.map((row) => {
    const fen = Math.round(Number(row["收支金额(元)"]) * 100);
    return [row["业务类型"] ?? "", row["收支类型"] === "收入" ? fen : -fen];
  });
}

async function placePaid(number: string, fields: object = {}): Promise<string> {
  await merchant.place("native", number, { amount: { total: 1000, currency: "CNY" }, ...fields });
  await provider.control("POST", `/orders/${number}/pay`);
  return (await merchant.query(number)).json.transaction_id;
}

it("a bill has the shares that a merchant paid and got back", async () => {
  const { app_id: appid, platform_serial } = merchant.credentials;
  const name = encryptToPlatform(merchant.credentials, "Shop");
  const account = { type: "MERCHANT_ID", account: shop };
  const serial = { headers: { "Wechatpay-Serial": platform_serial } };
  const receiver = { appid, ...account, name, relation_type: "STORE" };
  await merchant.call("POST", "/v3/profitsharing/receivers/add", receiver, serial);
  const transaction_id = await placePaid("BOOK_SHARED", { settle_info: { profit_sharing: true } });
  const { json } = await merchant.call("POST", "/v3/profitsharing/orders", {
    ...{ appid, transaction_id, out_order_no: "BOOK_P", unfreeze_unsplit: true },
    receivers: [{ ...account, amount: 200, description: "shop" }],
  });
  await provider.control("POST", `/shares/${json.order_id}/finish`, {});
  const back = {
    out_order_no: "BOOK_P",
    out_return_no: "BOOK_R",
    return_mchid: shop,
    amount: 150,
    description: "back",
  };
  expect((await merchant.call("POST", "/v3/profitsharing/return-orders", back)).status).toBe(200);
  expect(await flows()).toEqual([
    ["交易", 1000],
    ["扣除交易手续费", -6],
    ["分账", -200],
    ["分账回退", 150],
  ]);
});

it("a bill has the transfers that a merchant made, and what came back of them", async () => {
  const create = (out_bill_no: string) =>
    merchant.call("POST", "/v3/fund-app/mch-transfer/transfer-bills", {
      ...{ appid: merchant.credentials.app_id, out_bill_no, transfer_scene_id: "1000", openid: "oReceiverOfTheMoney" },
      ...{ transfer_amount: 500, transfer_remark: "prize" },
      transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }],
    });
  const [kept, failed] = [await create("booked1"), await create("booked2")];
  await provider.control("POST", `/transfers/${kept.json.transfer_bill_no}/confirm`);
  await provider.control("POST", `/transfers/${failed.json.transfer_bill_no}/fail`, { reason: "NAME_NOT_CORRECT" });
  provider.clock.offsetMs += 60_000;
  expect(await flows()).toEqual([
    ["商家转账", -500],
    ["商家转账", -500],
    ["商家转账", 500],
  ]);
});

it("a sub-merchant's payments and refunds are in its own account, and use its own limit", async () => {
  const partner = await createPartner(provider, merchant);
  const apiV2Key = "anyOf32LettersAndDigits012345678";
  const subMerchant = createMerchantV2(provider, { mchId: partner.subMchId, apiV2Key });
  await partner.bind(merchant.credentials.mch_id, { balance: 700 });
  await partner.place("native", "BOOK_SUB", { amount: { total: 1000, currency: "CNY" } });
  await provider.control("POST", "/orders/BOOK_SUB/pay");
  const refund = (number: string) =>
    merchant.call("POST", "/v3/refund/domestic/refunds", {
      ...{ sub_mchid: partner.subMchId, out_trade_no: "BOOK_SUB", out_refund_no: number },
      amount: { refund: 500, total: 1000, currency: "CNY" },
    });
  expect((await refund("BOOK_SUB_1")).status).toBe(200);
  expect((await refund("BOOK_SUB_2")).json.code).toBe("NOT_ENOUGH");
  await placePaid("BOOK_OWN");
  expect(await flows(subMerchant, partner.subAppId)).toEqual([
    ["交易", 1000],
    ["扣除交易手续费", -6],
    ["退款", -497],
  ]);
  expect(await flows()).toEqual([
    ["交易", 1000],
    ["扣除交易手续费", -6],
  ]);
});
