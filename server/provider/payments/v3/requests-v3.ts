/**
 * The fields of bodies, paths and queries in version 3, with the published limits. Others are ignored, as by the real
 * one.
 */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";
import { fen, outRefundNo, outTradeNo } from "../../../contract/provider/payment-terms.ts";
import { isDay } from "../../../payment-wire/provider-time.ts";
import { accountTypes } from "../bills/bills.ts";
import { fundsOfRefunds } from "../ledger/refund-accounts.ts";
import { paramError, type ValueLocation } from "./refusal-v3.ts";

const wellFormed = z.string().refine((text) => text.isWellFormed(), "an unpaired surrogate is no text");
const text = (max: number) => wellFormed.min(1).max(max);
const optionalText = (max: number) => wellFormed.max(max).optional();

/** The real one requires https and a public host; here a receiver may be on this machine. */
const notifyUrl = text(256).refine(
  (url) => /^https?:\/\/[^/?#\s][^?#\s]*$/.test(url) && URL.canParse(url),
  "an absolute http or https address without a query is needed",
);
const currency = z.literal("CNY", { error: "only CNY is taken" });
const isDayOfV3 = (day: string) => isDay(day.replaceAll("-", ""));
const time = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
    "a time like 2026-01-01T08:00:00+08:00 is needed",
  )
  .refine((at) => isDayOfV3(at.slice(0, 10)) && !Number.isNaN(Date.parse(at)), "there is no such time");

const sceneInfo = z.object({
  payer_client_ip: text(45),
  device_id: optionalText(32),
  store_info: z
    .object({ id: text(32), name: optionalText(256), area_code: optionalText(32), address: optionalText(512) })
    .optional(),
});
const h5Info = z.object({
  type: text(32),
  app_name: optionalText(64),
  app_url: optionalText(128),
  bundle_id: optionalText(128),
  package_name: optionalText(128),
});
const detail = z.object({
  cost_price: fen.optional(),
  invoice_id: optionalText(32),
  goods_detail: list(
    z.object({
      merchant_goods_id: text(32),
      wechatpay_goods_id: optionalText(32),
      goods_name: optionalText(256),
      quantity: z.int().min(1),
      unit_price: z.int().min(0),
    }),
  ).optional(),
});

const order = z.object({
  appid: text(32),
  mchid: text(32),
  description: text(127),
  out_trade_no: outTradeNo,
  notify_url: notifyUrl,
  amount: z.object({ total: fen, currency: currency.default("CNY") }),
  time_expire: time.optional(),
  attach: optionalText(128),
  goods_tag: optionalText(32),
  support_fapiao: z.boolean().optional(),
  detail: detail.optional(),
  scene_info: sceneInfo.optional(),
  settle_info: z.object({ profit_sharing: z.boolean().optional() }).optional(),
  limit_pay: list(text(32)).optional(),
});
const payer = z.object({ openid: text(128) });

/** Bodies of the calls that place an order, by the last segment of their path. */
export const orderBodies = {
  jsapi: order.extend({ payer }),
  native: order.extend({ payer: payer.partial().optional() }),
  app: order.extend({ payer: payer.partial().optional() }),
  h5: order.extend({ payer: payer.partial().optional(), scene_info: sceneInfo.extend({ h5_info: h5Info }) }),
};
/** The buyer pays at once, so nobody is notified. */
export const codeOrderBody = order.omit({ notify_url: true }).extend({
  payer: z.object({ auth_code: text(32) }),
  scene_info: z.object({
    device_id: optionalText(32),
    device_ip: optionalText(45),
    store_info: z.object({ id: optionalText(32), out_id: optionalText(32) }),
  }),
});
export type OrderBody =
  | z.output<(typeof orderBodies)[keyof typeof orderBodies]>
  | (Omit<z.output<typeof codeOrderBody>, "payer"> & { readonly notify_url?: undefined; readonly payer: undefined });

export const reverseBody = z.object({ appid: text(32), mchid: text(32) });
export const closeBody = z.object({ mchid: text(32) });

export const refundBody = z
  .object({
    transaction_id: optionalText(32),
    out_trade_no: outTradeNo.optional(),
    out_refund_no: outRefundNo,
    reason: optionalText(80),
    notify_url: notifyUrl.optional(),
    funds_account: z.enum(fundsOfRefunds.v3).optional(),
    amount: z.object({
      refund: fen,
      total: fen,
      currency,
      from: list(z.object({ account: text(32), amount: fen })).optional(),
    }),
    goods_detail: list(
      z.object({
        merchant_goods_id: text(32),
        wechatpay_goods_id: optionalText(32),
        goods_name: optionalText(256),
        unit_price: fen,
        refund_amount: fen,
        refund_quantity: z.int().min(1),
      }),
    ).optional(),
  })
  .refine(({ transaction_id, out_trade_no }) => Boolean(transaction_id) || out_trade_no !== undefined, {
    error: "transaction_id or out_trade_no is needed",
    path: ["out_trade_no"],
  });

const encrypted = text(1024);
export const abnormalRefundBody = z.discriminatedUnion("type", [
  z.object({ type: z.literal("MERCHANT_BANK_CARD"), out_refund_no: outRefundNo }),
  z.object({
    type: z.literal("USER_BANK_CARD"),
    out_refund_no: outRefundNo,
    bank_type: text(16),
    bank_account: encrypted,
    real_name: encrypted,
  }),
]);

export const byMerchant = z.object({ mchid: text(32) });
export const orderNumber = z.object({ out_trade_no: outTradeNo });
export const transactionNumber = z.object({ transaction_id: z.string().regex(/^\d{1,32}$/, "1 to 32 digits") });
export const refundNumber = z.object({ out_refund_no: outRefundNo });
export const refundId = z.object({ refund_id: text(32) });

const billQuery = z.object({
  bill_date: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, "a date like 2026-01-31 is needed")
    .refine(isDayOfV3, "there is no such day"),
  tar_type: z.enum(["GZIP"]).optional(),
});
export const tradeBillQuery = billQuery.extend({ bill_type: z.enum(["ALL", "SUCCESS", "REFUND"]).default("ALL") });
export const flowBillQuery = billQuery.extend({ account_type: z.enum(accountTypes).default("BASIC") });
export const billFileQuery = z.object({ token: text(256) });

/** @throws RefusalV3 PARAM_ERROR naming the first wrong field, its value and the problem */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  location: ValueLocation,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  let at: unknown = value;
  for (const step of path) at = (at as Record<PropertyKey, unknown> | undefined)?.[step];
  const field = location === "body" ? path.map((step) => `/${String(step)}`).join("") : path.map(String).join(".");
  throw paramError(location, field, at, at === undefined ? "is missing" : (issue?.message ?? "is not valid"));
}

/** @throws RefusalV3 PARAM_ERROR if it is no JSON object */
export function readBodyV3(body: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw paramError("body", "", "", "the body is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw paramError("body", "", "", "the body must be a JSON object");
  return value;
}
