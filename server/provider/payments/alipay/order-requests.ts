/** Reads what the calls that place orders have in common. */
import { z } from "zod";
import { pageAddress } from "../../../contract/provider/sim-client.ts";
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { OrderRequest } from "../ledger/ledger.ts";
import { alipayAccount } from "./alipay-account.ts";
import { amount, invalidParameter, tradeNumber, type RequestAlipay } from "./call-alipay.ts";

const minuteMs = 60_000;
const unitMs = { m: minuteMs, h: 60 * minuteMs, d: 24 * 60 * minuteMs, c: 0 } as const;
const longestMs = 15 * unitMs.d;
/** How long a payment code is valid. */
const codeMs = 2 * unitMs.h;

export const orderFields = z.looseObject({
  out_trade_no: tradeNumber,
  total_amount: amount,
  subject: z.string().min(1).max(256),
  body: z.string().max(1_024).optional(),
  seller_id: z.string().optional(),
  buyer_id: z.string().max(28).optional(),
  buyer_open_id: z.string().max(128).optional(),
  /** Where the buyer leaves the cashier to. */
  quit_url: pageAddress.optional(),
  passback_params: z.string().max(512).optional(),
  timeout_express: z
    .string()
    .regex(/^\d{1,5}[mhdc]$/)
    .optional(),
  time_expire: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?$/)
    .optional(),
  qr_code_timeout_express: z
    .string()
    .regex(/^\d{1,5}[mhdc]$/)
    .optional(),
});
export type OrderFields = z.output<typeof orderFields>;

/** Fields for which the ledger has its own columns. */
const known = new Set([
  ...["out_trade_no", "total_amount", "subject", "seller_id", "buyer_id", "buyer_open_id"],
  ...["passback_params", "timeout_express", "time_expire", "qr_code_timeout_express", "auth_code"],
]);

/** `1c`: until the end of the day at the platform. @param now Unix ms */
function lengthOf(express: string, now: number): number {
  const unit = express.slice(-1) as keyof typeof unitMs;
  if (unit === "c") return unitMs.d - ((now + 8 * unitMs.h) % unitMs.d);
  return Math.min(Number(express.slice(0, -1)) * unitMs[unit], longestMs);
}

/** @param now Unix ms @throws RefusalAlipay for a time that is over */
function endOf(fields: OrderFields, tradeType: TradeType, now: number): number {
  const { time_expire, timeout_express, qr_code_timeout_express } = fields;
  const express = timeout_express ?? qr_code_timeout_express;
  if (express !== undefined) return now + lengthOf(express, now);
  if (time_expire === undefined) return now + (tradeType === "NATIVE" ? codeMs : longestMs);
  const end = Date.parse(`${time_expire.replace(" ", "T")}+08:00`);
  if (Number.isNaN(end) || end <= now) throw invalidParameter("time_expire 已过期");
  return end;
}

/** @param more other members to keep with the order @throws RefusalAlipay */
export function toOrderRequest(
  { params, from }: RequestAlipay,
  fields: OrderFields,
  tradeType: TradeType,
  now: number,
  more: Readonly<Record<string, unknown>> = {},
): OrderRequest {
  if (fields.seller_id !== undefined && fields.seller_id !== "" && fields.seller_id !== alipayAccount.sellerId)
    throw invalidParameter("seller_id 不是该应用的收款账号");
  const others = Object.entries(fields).filter(([name]) => !known.has(name));
  return {
    mchId: alipayAccount.sellerId,
    appId: alipayAccount.appId,
    outTradeNo: fields.out_trade_no,
    tradeType,
    version: "alipay",
    signType: "MD5",
    description: fields.subject,
    total: fields.total_amount,
    currency: "CNY",
    notifyUrl: params["notify_url"] || undefined,
    notifyFrom: from,
    openid: fields.buyer_open_id || fields.buyer_id || undefined,
    attach: fields.passback_params,
    expiresAt: endOf(fields, tradeType, now),
    extra: { ...Object.fromEntries(others), ...more },
  };
}
