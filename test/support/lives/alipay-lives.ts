/** The merchant's calls at Alipay. */
import { createSign } from "node:crypto";
import { alipaySignText } from "../../../server/payment-wire/sign-alipay.ts";
import { pem } from "./alipay-notices.ts";
import type { KnownOrder, LifeWorld } from "./life-world.ts";

const notifyUrl = "http://127.0.0.1:9/notifications";
const yuan = (fen: number) => (fen / 100).toFixed(2);

/** A signed call, and what it has come to: SUCCESS or a code; undefined when no answer came. */
async function callAlipay(world: LifeWorld, method: string, content: object) {
  const params: Record<string, string> = {
    ...{ app_id: world.alipay.app_id, method, charset: "utf-8", sign_type: "RSA2", version: "1.0" },
    ...{ timestamp: "2026-11-20 12:00:00", notify_url: notifyUrl, biz_content: JSON.stringify(content) },
  };
  const key = pem(world.alipay.merchant_private_key, "PRIVATE KEY");
  const sign = createSign("RSA-SHA256")
    .update(alipaySignText(params, ["sign"]))
    .sign(key, "base64");
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const body = String(new URLSearchParams({ ...params, sign }));
  const answer = await world.call({ method: "POST", path: "/gateway.do", headers, body });
  if (!answer) return undefined;
  if (answer.status !== 200) return { code: String(answer.status), fields: {} };
  const [fields = {}] = Object.values(JSON.parse(answer.body) as Record<string, Record<string, string>>);
  return { code: fields["code"] === "10000" ? "SUCCESS" : (fields["sub_code"] ?? fields["code"] ?? ""), fields };
}

/** @param authCode of the buyer, for an order by code */
export function placeAtAlipay(world: LifeWorld, { number, type, total }: KnownOrder, authCode: string) {
  const order = { out_trade_no: number, total_amount: yuan(total), subject: "Tea" };
  if (type === "MICROPAY") return callAlipay(world, "alipay.trade.pay", { ...order, auth_code: authCode });
  if (type === "NATIVE") return callAlipay(world, "alipay.trade.precreate", order);
  return callAlipay(world, "alipay.trade.create", { ...order, buyer_id: "2088102177846880" });
}

/** The state in the words of WeChat Pay, and the platform's number. */
export async function queryAtAlipay(world: LifeWorld, { number }: KnownOrder) {
  const outcome = await callAlipay(world, "alipay.trade.query", { out_trade_no: number });
  const status = outcome?.fields["trade_status"];
  const isPaid = outcome?.fields["send_pay_date"] !== undefined;
  const fields = { trade_state: isPaid ? "SUCCESS" : status, transaction_id: outcome?.fields["trade_no"] };
  return outcome && { code: outcome.code, fields };
}

export const closeAtAlipay = (world: LifeWorld, { number }: KnownOrder) =>
  callAlipay(world, "alipay.trade.close", { out_trade_no: number });

export async function cancelAtAlipay(world: LifeWorld, { number, total, refunds }: KnownOrder) {
  const refund = refunds.get(`${number}*cancel`) ?? { fen: total, accepted: false };
  refunds.set(`${number}*cancel`, refund);
  const outcome = await callAlipay(world, "alipay.trade.cancel", { out_trade_no: number });
  if (outcome?.fields["action"] === "refund") refund.accepted = true;
  return outcome;
}

/** The number of a refund as the platform's tables have it. */
export const refundAtAlipay = ({ number }: KnownOrder, refund: string): string =>
  refund.startsWith(`${number}*`) ? refund : `${number}*${refund}`;

/** @param refund as `refundAtAlipay` returns it */
export const returnAtAlipay = (world: LifeWorld, { number }: KnownOrder, refund: string, fen: number) =>
  callAlipay(world, "alipay.trade.refund", {
    ...{ out_trade_no: number, refund_amount: yuan(fen), out_request_no: refund.slice(number.length + 1) },
  });
