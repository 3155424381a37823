/** Schemas and replies of profit sharing and of transfers, to compare with the published description. */
import * as shares from "../../../server/provider/payments/profit-sharing/share-requests-v3.ts";
import * as transfers from "../../../server/provider/payments/transfers/transfer-requests-v3.ts";
import { transactionNumber } from "../../../server/provider/payments/v3/requests-v3.ts";
import { encryptToPlatform } from "./encrypt-to-platform.ts";
import type { MerchantV3, ReplyV3 } from "./merchant-v3.ts";
import type { TestProvider } from "./test-provider.ts";

const sharing = "/v3/profitsharing";
const moving = "/v3/fund-app/mch-transfer";

export const sharesAndTransfers = {
  [`POST ${sharing}/receivers/add`]: { body: shares.addReceiverBody },
  [`POST ${sharing}/receivers/delete`]: { body: shares.deleteReceiverBody },
  [`POST ${sharing}/orders`]: { body: shares.shareBody },
  [`POST ${sharing}/orders/unfreeze`]: { body: shares.unfreezeBody },
  [`GET ${sharing}/orders/{out_order_no}`]: { path: shares.shareNumber, query: shares.shareQuery },
  [`GET ${sharing}/transactions/{transaction_id}/amounts`]: { path: transactionNumber },
  [`GET ${sharing}/merchant-configs/{sub_mchid}`]: { path: shares.subMerchantNumber },
  [`GET ${sharing}/bills`]: { query: shares.shareBillQuery },
  [`POST ${sharing}/return-orders`]: { body: shares.returnBody },
  [`GET ${sharing}/return-orders/{out_return_no}`]: { path: shares.returnNumber, query: shares.returnQuery },
  [`POST ${moving}/transfer-bills`]: { body: transfers.transferBody },
  [`GET ${moving}/transfer-bills/out-bill-no/{out_bill_no}`]: { path: transfers.outBillNumber },
  [`GET ${moving}/transfer-bills/transfer-bill-no/{transfer_bill_no}`]: { path: transfers.transferBillNumber },
  [`POST ${moving}/transfer-bills/out-bill-no/{out_bill_no}/cancel`]: { path: transfers.outBillNumber },
  [`POST ${moving}/elecsign/out-bill-no`]: { body: transfers.outBillNumber },
  [`GET ${moving}/elecsign/out-bill-no/{out_bill_no}`]: { path: transfers.outBillNumber },
  [`POST ${moving}/elecsign/transfer-bill-no`]: { body: transfers.transferBillNumber },
  [`GET ${moving}/elecsign/transfer-bill-no/{transfer_bill_no}`]: { path: transfers.transferBillNumber },
};

type Collected = (readonly [operation: string, reply: ReplyV3])[];

async function shareReplies(provider: TestProvider, merchant: MerchantV3): Promise<Collected> {
  const { app_id: appid, platform_serial } = merchant.credentials;
  const serial = { headers: { "Wechatpay-Serial": platform_serial } };
  const shop = { type: "MERCHANT_ID", account: "1900000300" };
  const collected: Collected = [];
  const post = async (path: string, body: object) => {
    const reply = await merchant.call("POST", `${sharing}${path}`, body, serial);
    collected.push([`POST ${sharing}${path}`, reply]);
    return reply;
  };
  const get = async (path: string, target: string) =>
    collected.push([`GET ${sharing}${path}`, await merchant.call("GET", `${sharing}${target}`)]);

  const name = encryptToPlatform(merchant.credentials, "Shop");
  await post("/receivers/add", { appid, ...shop, name, relation_type: "CUSTOM", custom_relation: "agent" });
  await merchant.place("native", "DESC_SHARED", { settle_info: { profit_sharing: true } });
  await provider.control("POST", "/orders/DESC_SHARED/pay");
  const { transaction_id } = (await merchant.query("DESC_SHARED")).json;
  const receivers = [{ ...shop, amount: 20, description: "shop" }];
  const request = { appid, transaction_id, out_order_no: "DESC_P", receivers, unfreeze_unsplit: false };
  const { order_id } = (await post("/orders", request)).json;
  await provider.control("POST", `/shares/${order_id}/finish`, {
    failures: [{ account: shop.account, reason: "ACCOUNT_ABNORMAL" }],
  });
  await get("/orders/{out_order_no}", `/orders/DESC_P?transaction_id=${transaction_id}`);
  const { order_id: second } = (
    await merchant.call("POST", `${sharing}/orders`, {
      ...request,
      out_order_no: "DESC_Q",
      receivers: [{ ...receivers[0], amount: 5 }],
    })
  ).json;
  await provider.control("POST", `/shares/${second}/finish`, {});
  const giveBack = { order_id: second, out_return_no: "DESC_B", return_mchid: shop.account };
  const returned = await post("/return-orders", { ...giveBack, amount: 5, description: "back" });
  await get("/return-orders/{out_return_no}", "/return-orders/DESC_B?out_order_no=DESC_Q");
  await get("/merchant-configs/{sub_mchid}", `/merchant-configs/${merchant.credentials.mch_id}`);
  await get("/transactions/{transaction_id}/amounts", `/transactions/${transaction_id}/amounts`);
  await post("/orders/unfreeze", { transaction_id, out_order_no: "DESC_U", description: "done" });
  await get("/bills", `/bills?bill_date=${String(returned.json.create_time).slice(0, 10)}`);
  await post("/receivers/delete", { appid, ...shop });
  return collected;
}

async function transferReplies(provider: TestProvider, merchant: MerchantV3): Promise<Collected> {
  const collected: Collected = [];
  const call = async (method: string, path: string, target: string, body?: object) => {
    const reply = await merchant.call(method, `${moving}${target}`, body);
    collected.push([`${method} ${moving}${path}`, reply]);
    return reply;
  };
  const body = (out_bill_no: string) => ({
    ...{ appid: merchant.credentials.app_id, out_bill_no, transfer_scene_id: "1000", openid: "oReceiver" },
    ...{ transfer_amount: 500, transfer_remark: "prize" },
    transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }],
  });
  await call("POST", "/transfer-bills", "/transfer-bills", body("descA"));
  await call("POST", "/transfer-bills/out-bill-no/{out_bill_no}/cancel", "/transfer-bills/out-bill-no/descA/cancel");
  const { transfer_bill_no: id } = (await merchant.call("POST", `${moving}/transfer-bills`, body("descB"))).json;
  await provider.control("POST", `/transfers/${id}/confirm`);
  provider.clock.offsetMs += 3_600_000;
  const byOut = "out-bill-no/{out_bill_no}";
  const byId = "transfer-bill-no/{transfer_bill_no}";
  await call("GET", `/transfer-bills/${byOut}`, "/transfer-bills/out-bill-no/descB");
  await call("GET", `/transfer-bills/${byId}`, `/transfer-bills/transfer-bill-no/${id}`);
  await call("POST", "/elecsign/out-bill-no", "/elecsign/out-bill-no", { out_bill_no: "descB" });
  await call("POST", "/elecsign/transfer-bill-no", "/elecsign/transfer-bill-no", { transfer_bill_no: id });
  provider.clock.offsetMs += 3_600_000;
  await call("GET", `/elecsign/${byOut}`, "/elecsign/out-bill-no/descB");
  await call("GET", `/elecsign/${byId}`, `/elecsign/transfer-bill-no/${id}`);
  return collected;
}

/** One reply of each call. */
export const repliesOfSharesAndTransfers = async (provider: TestProvider, merchant: MerchantV3): Promise<Collected> => [
  ...(await shareReplies(provider, merchant)),
  ...(await transferReplies(provider, merchant)),
];
