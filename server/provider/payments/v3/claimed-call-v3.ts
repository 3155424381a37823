/** Reads the call and the order that a version 3 request names, before its signature and form are verified. */
import type { IncomingMessage } from "node:http";
import { readAuthorization } from "../../../payment-wire/signature-v3.ts";
import type { PaymentCall } from "../calls/answer-call.ts";

type Members = Readonly<Record<string, unknown>>;

function membersOf(body: string): Members {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Members) : {};
  } catch {
    return {};
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** @param params of the path, as they were written */
export function claimedCall(
  name: PaymentCall["name"],
  req: IncomingMessage,
  params: Members,
  body: string,
): PaymentCall {
  const named: Members = { ...membersOf(body), ...params };
  const query = new URLSearchParams(req.url?.split(/\?(.*)/s)[1]);
  const sender = readAuthorization(req.headers.authorization);
  return {
    name,
    version: "v3",
    mchId: sender?.mchid ?? text(named["mchid"]) ?? query.get("mchid") ?? "",
    outTradeNo: text(named["out_trade_no"]) ?? text(named["combine_out_trade_no"]),
    transactionId: text(named["transaction_id"]),
    outRefundNo: text(named["out_refund_no"]),
    method: req.method ?? "",
    target: req.url ?? "",
    body,
  };
}
