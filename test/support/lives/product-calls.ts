/** What a merchant and its users do with the other products: sharing, transfers, shipping, complaints. */
import { shop, subMchId } from "./life-accounts.ts";
import type { KnownOrder, KnownShare, KnownTransfer, LifeWorld } from "./life-world.ts";
import { callV3, control, notifyUrl, openid, sendV3, type Platform } from "./merchant.ts";
import { encryptToPlatform } from "../payments/encrypt-to-platform.ts";

const shopAccount = { type: "MERCHANT_ID", account: shop.mchId };
const staff = { type: "PERSONAL_OPENID", account: "oStaffOfTheShop" };

/** Everything that lives need and do not change: a sub-merchant, receivers of shares, an address for complaints. */
export async function prepareProducts(platform: Platform): Promise<void> {
  const { credentials } = platform;
  const merchant = (id: string, changed: object) =>
    control(platform, "PUT", `/merchants/${id}`, {
      ...{ app_ids: [`wx0000${id}`], api_v2_key: "a".repeat(32), api_v3_key: shop.apiV3Key },
      ...changed,
    });
  const receivers = "/v3/profitsharing/receivers/add";
  const name = encryptToPlatform(credentials, "Shop");
  const answers = [
    await control(platform, "PATCH", "/settings", { bills_at_once: true }),
    await control(platform, "PATCH", "/trade-management", { managed: true }),
    await merchant(subMchId, { service_provider: credentials.mch_id }),
    await merchant(shop.mchId, { app_ids: [credentials.app_id] }),
    await control(platform, "PUT", `/merchants/${shop.mchId}/share-settings`, { notify_url: notifyUrl }),
    await callV3(platform, "POST", receivers, {
      ...{ appid: credentials.app_id, ...shopAccount, name, relation_type: "STORE" },
    }),
    await callV3(platform, "POST", receivers, { appid: credentials.app_id, ...staff, relation_type: "STAFF" }),
    await callV3(platform, "POST", "/v3/merchant-service/complaint-notifications", { url: notifyUrl }),
  ];
  if (answers.some((one) => !one || ("status" in one ? one.status >= 300 : one.code !== "SUCCESS")))
    throw new Error(`the products of lives could not be prepared: ${JSON.stringify(answers)}`);
}

/** Asks to share an order, and learns the platform's number. */
export async function share(world: LifeWorld, known: KnownShare) {
  const outcome = await callV3(world, "POST", "/v3/profitsharing/orders", known.body);
  if (outcome?.code === "SUCCESS") known.id = String(outcome.fields["order_id"]);
  return outcome;
}

/** A new request to share a part of an order between a shop and a person. */
export function newShare(world: LifeWorld, order: KnownOrder, n: number): KnownShare {
  const number = `SHARE${String(world.shares.length + 1)}`;
  const amounts = [
    1 + (n % Math.max(1, Math.floor(order.total / 5))),
    1 + (n % Math.max(1, Math.ceil(order.total / 50))),
  ];
  const body = {
    ...{ appid: world.credentials.app_id, transaction_id: order.paidAs, out_order_no: number },
    ...{ unfreeze_unsplit: n % 4 === 0 },
    receivers: [
      { ...shopAccount, amount: amounts[0], description: "shop" },
      { ...staff, amount: amounts[1], description: "tip" },
    ],
  };
  const fen = amounts.reduce((sum, one) => sum + one, 0);
  const known: KnownShare = { number, order, body, fen, id: undefined, returned: new Map() };
  world.shares.push(known);
  return known;
}

export const unfreeze = (world: LifeWorld, { paidAs }: KnownOrder, number: string) =>
  callV3(world, "POST", "/v3/profitsharing/orders/unfreeze", {
    ...{ transaction_id: paidAs, out_order_no: number, description: "done" },
  });

export async function returnShare(world: LifeWorld, known: KnownShare, fen: number) {
  const number = `${known.number}R${String(known.returned.size)}`;
  const outcome = await callV3(world, "POST", "/v3/profitsharing/return-orders", {
    ...{ out_order_no: known.number, out_return_no: number, return_mchid: shop.mchId },
    ...{ amount: fen, description: "back" },
  });
  if (outcome?.code === "SUCCESS") known.returned.set(number, fen);
  return outcome;
}

export async function transfer(world: LifeWorld, known: KnownTransfer) {
  const outcome = await callV3(world, "POST", "/v3/fund-app/mch-transfer/transfer-bills", {
    ...{ appid: world.credentials.app_id, out_bill_no: known.number, transfer_scene_id: "1000", openid },
    ...{ transfer_amount: known.fen, transfer_remark: "prize", notify_url: "https://example.com/transfers" },
    transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }],
  });
  if (outcome?.code === "SUCCESS") known.id = String(outcome.fields["transfer_bill_no"]);
  return outcome;
}

export const cancelTransfer = (world: LifeWorld, { number }: KnownTransfer) =>
  callV3(world, "POST", `/v3/fund-app/mch-transfer/transfer-bills/out-bill-no/${number}/cancel`, {});

/** Uploads shipping information of an order. @param express otherwise the goods are virtual */
export async function ship(world: LifeWorld, { number }: KnownOrder, express: boolean): Promise<string> {
  const { app_id, app_secret, mch_id } = world.credentials;
  const asked = { grant_type: "client_credential", appid: app_id, secret: app_secret };
  const token = await world.call({ method: "GET", path: `/cgi-bin/token?${String(new URLSearchParams(asked))}` });
  const { access_token } = JSON.parse(token?.body ?? "{}") as { access_token?: string };
  if (access_token === undefined) return "no answer";
  const answer = await world.call({
    ...{ method: "POST", path: `/wxa/sec/order/upload_shipping_info?access_token=${access_token}` },
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      order_key: { order_number_type: 1, mchid: mch_id, out_trade_no: number },
      ...{ logistics_type: express ? 1 : 3, delivery_mode: 1 },
      shipping_list: [{ tracking_no: "YT1", express_company: "YTO", item_desc: "tea*1" }],
      ...{ upload_time: new Date(Date.now()).toISOString(), payer: { openid } },
    }),
  });
  return answer ? String((JSON.parse(answer.body) as { errcode?: number }).errcode) : "no answer";
}

export async function complain(world: LifeWorld, { number }: KnownOrder): Promise<string> {
  const answer = await control(world, "POST", "/complaints", { out_trade_no: number, detail: "Cold." });
  const id = answer?.json["complaint_id"];
  if (typeof id === "string") world.complaints.push(id);
  return String(answer?.status ?? "no answer");
}

export const replyTo = (world: LifeWorld, id: string, isLast: boolean) =>
  callV3(world, "POST", `/v3/merchant-service/complaints-v2/${id}/${isLast ? "complete" : "response"}`, {
    complainted_mchid: world.credentials.mch_id,
    ...(!isLast && { response_content: "Sorry." }),
  });

/** The balance under today's bill of the merchant's account, in fen; undefined where it has no movement. */
export async function balanceInBill(world: LifeWorld): Promise<number | undefined> {
  const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const offer = await callV3(world, "GET", `/v3/bill/fundflowbill?bill_date=${day}`);
  if (offer?.code !== "SUCCESS") return undefined;
  const { pathname, search } = new URL(String(offer.fields["download_url"]));
  const file = await sendV3(world, "GET", pathname + search);
  const last = file?.body.trimEnd().split("\r\n").at(-3)?.split(",`")[7];
  return last === undefined ? undefined : Math.round(Number(last) * 100);
}
