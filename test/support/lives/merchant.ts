/** The merchant's calls in each version and at Alipay, and what its program learns from the answers. */
import { createPrivateKey, createSign, randomUUID, type KeyObject } from "node:crypto";
import { fieldsOfXml, signedXml, type Fields } from "../payments/payment-signatures.ts";
import {
  cancelAtAlipay,
  closeAtAlipay,
  placeAtAlipay,
  queryAtAlipay,
  refundAtAlipay,
  returnAtAlipay,
} from "./alipay-lives.ts";
import { subMchId } from "./life-accounts.ts";
import type { KnownOrder, LifeWorld } from "./life-world.ts";

/** What a call has come to: SUCCESS or a code; undefined when no answer came. */
interface Outcome {
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const notifyUrl = "http://127.0.0.1:9/notifications";
export const openid = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";

/** A platform that a merchant calls. */
export type Platform = Pick<LifeWorld, "call" | "credentials">;

async function callV2(world: Platform, path: string, fields: Fields): Promise<Outcome | undefined> {
  const { app_id: appid, mch_id, api_v2_key } = world.credentials;
  const body = signedXml({ appid, mch_id, nonce_str: randomUUID().slice(0, 8), ...fields }, api_v2_key);
  const answer = await world.call({ method: "POST", path, headers: { "Content-Type": "text/xml" }, body });
  if (!answer) return undefined;
  const read = fieldsOfXml(answer.body);
  const code = read["return_code"] === "SUCCESS" ? (read["err_code"] ?? read["result_code"]) : read["return_msg"];
  return { code: code ?? String(answer.status), fields: read };
}

const keys = new Map<string, KeyObject>();

/** The key of a text, which is read once. */
function keyOf(text: string): KeyObject {
  const key = keys.get(text) ?? createPrivateKey(text);
  keys.set(text, key);
  return key;
}

/** A signed call of version 3, whatever it answers. */
export function sendV3(world: Platform, method: string, path: string, content?: object) {
  const { mch_id, platform_serial, merchant_serial, merchant_private_key } = world.credentials;
  const body = content === undefined ? "" : JSON.stringify(content);
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID().replaceAll("-", "")];
  const message = `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`;
  const signature = createSign("RSA-SHA256").update(message).sign(keyOf(merchant_private_key), "base64");
  const pairs = { mchid: mch_id, nonce_str: nonce, timestamp, serial_no: merchant_serial, signature };
  const written = Object.entries(pairs).map(([name, value]) => `${name}="${value}"`);
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json",
    "User-Agent": "lives",
    "Wechatpay-Serial": platform_serial,
    Authorization: `WECHATPAY2-SHA256-RSA2048 ${written.join(",")}`,
  };
  return world.call({ method, path, headers, body });
}

export async function callV3(
  world: Platform,
  method: string,
  path: string,
  content?: object,
): Promise<Outcome | undefined> {
  const answer = await sendV3(world, method, path, content);
  if (!answer) return undefined;
  if (answer.status >= 500) return { code: String(answer.status), fields: {} };
  const fields = answer.body === "" ? {} : (JSON.parse(answer.body) as Record<string, unknown>);
  return { code: answer.status < 300 ? "SUCCESS" : String(fields["code"]), fields };
}

/** A control call, by which the buyer acts. */
export async function control(world: Pick<Platform, "call">, method: string, path: string, content?: object) {
  const body = content === undefined ? "" : JSON.stringify(content);
  const answer = await world.call({
    method,
    path: `/sim${path}`,
    headers: { "Content-Type": "application/json" },
    body,
  });
  if (!answer) return undefined;
  return {
    status: answer.status,
    json: (answer.body === "" ? {} : JSON.parse(answer.body)) as Record<string, unknown>,
  };
}

function placeV3(world: LifeWorld, { number, type, total, shared, partner }: KnownOrder) {
  const { app_id, mch_id } = world.credentials;
  const order = { description: "Tea", out_trade_no: number, notify_url: notifyUrl };
  const by = partner ? { sp_appid: app_id, sp_mchid: mch_id, sub_mchid: subMchId } : { appid: app_id, mchid: mch_id };
  const payer = type === "JSAPI" ? { payer: partner ? { sp_openid: openid } : { openid } } : {};
  const product = type === "JSAPI" ? "jsapi" : "native";
  return callV3(world, "POST", `/v3/pay/${partner ? "partner/" : ""}transactions/${product}`, {
    ...{ ...order, ...by, ...payer, amount: { total, currency: "CNY" } },
    ...(shared && { settle_info: { profit_sharing: true } }),
  });
}

/** The address of an order, and the query or the body that names its merchants. */
function addressV3(world: LifeWorld, { number, partner }: KnownOrder) {
  const { mch_id } = world.credentials;
  const path = `/v3/pay/${partner ? "partner/" : ""}transactions/out-trade-no/${number}`;
  return { path, by: partner ? { sp_mchid: mch_id, sub_mchid: subMchId } : { mchid: mch_id } };
}

export async function place(world: LifeWorld, order: KnownOrder) {
  const { number, version, type, total } = order;
  if (version === "v3") return placeV3(world, order);
  const shared = {
    ...{ body: "Tea", out_trade_no: number, total_fee: String(total), spbill_create_ip: "127.0.0.1" },
    ...(order.shared && { profit_sharing: "Y" }),
  };
  const code = type === "MICROPAY" ? await control(world, "POST", "/users/bob/payment-codes", {}) : undefined;
  const auth_code = (code?.json["auth_code"] ?? "") as string;
  if (version === "alipay") return placeAtAlipay(world, order, auth_code);
  if (type === "MICROPAY") return callV2(world, "/pay/micropay", { ...shared, auth_code });
  const own = type === "JSAPI" ? { openid } : { product_id: "1" };
  return callV2(world, "/pay/unifiedorder", { ...shared, ...own, trade_type: type, notify_url: notifyUrl });
}

function queryOf(world: LifeWorld, order: KnownOrder) {
  if (order.version === "alipay") return queryAtAlipay(world, order);
  const { path, by } = addressV3(world, order);
  return order.version === "v3"
    ? callV3(world, "GET", `${path}?${String(new URLSearchParams(by))}`)
    : callV2(world, "/pay/orderquery", { out_trade_no: order.number });
}

export async function query(world: LifeWorld, order: KnownOrder) {
  const { number } = order;
  const outcome = await queryOf(world, order);
  const state = outcome?.fields["trade_state"];
  if (
    order.paidAs !== undefined &&
    outcome?.code === "SUCCESS" &&
    !["SUCCESS", "REFUND", "REVOKED"].includes(String(state))
  )
    world.violate(`${number} was paid, and is ${String(state)}`);
  if (state === "SUCCESS" || state === "REFUND") learnPaid(world, order, String(outcome?.fields["transaction_id"]));
  return outcome && { code: `${outcome.code} ${String(state)}` };
}

function learnPaid(world: LifeWorld, order: KnownOrder, transaction: string): void {
  if (order.paidAs !== undefined && order.paidAs !== transaction)
    world.violate(`${order.number} was paid under another number`);
  order.paidAs = transaction;
}

export function close(world: LifeWorld, order: KnownOrder) {
  if (order.version === "alipay") return closeAtAlipay(world, order);
  const { path, by } = addressV3(world, order);
  return order.version === "v3"
    ? callV3(world, "POST", `${path}/close`, by)
    : callV2(world, "/pay/closeorder", { out_trade_no: order.number });
}

export const reverse = (world: LifeWorld, order: KnownOrder) =>
  order.version === "alipay"
    ? cancelAtAlipay(world, order)
    : callV2(world, "/secapi/pay/reverse", { out_trade_no: order.number });

function refundOf(world: LifeWorld, order: KnownOrder, number: string, fen: number) {
  const { number: out_trade_no, total, version } = order;
  if (version === "alipay") return returnAtAlipay(world, order, number, fen);
  const names = { out_trade_no, out_refund_no: number, notify_url: notifyUrl };
  return version === "v3"
    ? callV3(world, "POST", "/v3/refund/domestic/refunds", {
        ...{ ...names, ...(order.partner && { sub_mchid: subMchId }) },
        amount: { refund: fen, total, currency: "CNY" },
      })
    : callV2(world, "/secapi/pay/refund", { ...names, total_fee: String(total), refund_fee: String(fen) });
}

export async function refund(world: LifeWorld, order: KnownOrder, named: string, fen: number) {
  const number = order.version === "alipay" ? refundAtAlipay(order, named) : named;
  const asked = order.refunds.get(number) ?? { fen, accepted: false };
  order.refunds.set(number, asked);
  const outcome = await refundOf(world, order, number, asked.fen);
  if (outcome?.code === "SUCCESS") asked.accepted = true;
  return outcome;
}
