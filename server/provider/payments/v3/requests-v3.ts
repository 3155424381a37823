/**
 * The fields of bodies, paths and queries in version 3, with the published limits. Others are ignored, as by the real
 * one.
 */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";
import { fen, outRefundNo, outTradeNo } from "../../../contract/provider/payment-terms.ts";
import { utf8Length, isStorableV3, maxDescriptionBytes } from "../../../payment-wire/text-v3.ts";
import { isDay } from "../../../payment-wire/provider-time.ts";
import { billTypes } from "../bills/bill-rows.ts";
import { accountTypes } from "../bills/bills.ts";
import { fundsOfRefunds } from "../ledger/refund-accounts.ts";
import { identity, subsidyInfo } from "./payer-fields-v3.ts";
import { paramError, type ValueLocation } from "./refusal-v3.ts";

/** A text of version 3 is limited in bytes. A refusal for its length shows their number in the place of the text. */
const bytesUpTo = (max: number) =>
  z
    .string()
    .refine((text) => text.isWellFormed(), "an unpaired surrogate is not valid text")
    .refine(isStorableV3, "only UTF-8 characters of one to three bytes are accepted")
    .superRefine((text, context) => {
      const bytes = utf8Length(text);
      if (bytes <= max) return;
      const message = `${String(bytes)} bytes in UTF-8 are too long: at most ${String(max)} are accepted`;
      context.addIssue({ code: "custom", message, params: { value: bytes } });
    });
const text = (max: number) => bytesUpTo(max).refine((value) => value !== "", "is empty");
const optionalText = (max: number) => bytesUpTo(max).optional();
export { optionalText as optionalTextV3, text as textV3 };
export const orderNo = bytesUpTo(32).pipe(outTradeNo);
const refundNo = bytesUpTo(64).pipe(outRefundNo);

/** The real one requires https and a public host; here a receiver may be on this machine. */
export const notifyUrl = text(256).refine(
  (url) => /^https?:\/\/[^/?#\s][^?#\s]*$/.test(url) && URL.canParse(url),
  "must be an absolute http or https address without a query",
);
export const currencyV3 = z.literal("CNY", { error: "only CNY is accepted" });
const isDayOfV3 = (day: string) => isDay(day.replaceAll("-", ""));
export const timeV3 = z
  .string()
  .regex(
    /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
    "must be a time like 2026-01-01T08:00:00+08:00",
  )
  .refine((at) => isDayOfV3(at.slice(0, 10)) && !Number.isNaN(Date.parse(at)), "this time does not exist");

const sceneInfo = z.object({
  payer_client_ip: text(45),
  device_id: optionalText(32),
  store_info: z
    .object({ id: text(32), name: optionalText(256), area_code: optionalText(32), address: optionalText(512) })
    .optional(),
});
export const h5Info = z.object({
  type: text(32),
  app_name: optionalText(64),
  app_url: optionalText(128),
  bundle_id: optionalText(128),
  package_name: optionalText(128),
});
const goods = z.object({
  merchant_goods_id: text(32),
  goods_name: optionalText(256),
  quantity: z.int().min(1),
  unit_price: z.int().min(0),
});
const detail = z.object({
  cost_price: fen.optional(),
  invoice_id: optionalText(32),
  goods_detail: list(goods.extend({ wechatpay_goods_id: optionalText(32) })).optional(),
});
const limit = z.enum(["no_balance", "no_credit", "no_debit", "balance_only"]);

const order = z.object({
  appid: text(32),
  mchid: text(32),
  description: text(maxDescriptionBytes),
  out_trade_no: orderNo,
  notify_url: notifyUrl,
  amount: z.object({ total: fen, currency: currencyV3.default("CNY") }),
  time_expire: timeV3.optional(),
  attach: optionalText(128),
  goods_tag: optionalText(32),
  support_fapiao: z.boolean().optional(),
  detail: detail.optional(),
  scene_info: sceneInfo.optional(),
  settle_info: z.object({ profit_sharing: z.boolean().optional() }).optional(),
  limit_pay: list(limit).optional(),
});
const payer = z.object({ openid: text(128), identity: identity.optional() });
const subsidized = { subsidy_info: subsidyInfo.optional() };

/** Bodies of the calls that place an order, by the last segment of their path. */
export const orderBodies = {
  jsapi: order.extend({ payer, ...subsidized }),
  native: order.extend({ payer: payer.partial().optional() }),
  app: order.extend({ payer: payer.partial().optional(), ...subsidized }),
  h5: order.extend({ payer: payer.partial().optional(), scene_info: sceneInfo.extend({ h5_info: h5Info }) }),
};
/** The buyer pays at once, so nobody is notified and nothing expires. */
export const codeOrderBody = order.omit({ notify_url: true, time_expire: true, limit_pay: true }).extend({
  detail: detail.extend({ goods_detail: list(goods.extend({ wxpay_goods_id: optionalText(32) })) }).optional(),
  payer: z.object({ auth_code: text(32) }),
  scene_info: z.object({
    device_id: optionalText(32),
    device_ip: optionalText(45),
    store_info: z.object({ id: optionalText(32), out_id: optionalText(32) }),
  }),
});
export type OrderBody =
  | z.output<(typeof orderBodies)[keyof typeof orderBodies]>
  | (Omit<z.output<typeof codeOrderBody>, "payer"> &
      Partial<Record<"notify_url" | "payer" | "time_expire" | "limit_pay" | "subsidy_info", undefined>>);

export const reverseBody = z.object({ appid: text(32), mchid: text(32) });
export const closeBody = z.object({ mchid: text(32) });

export const refundBody = z
  .object({
    sub_mchid: optionalText(32),
    transaction_id: optionalText(32),
    out_trade_no: orderNo.optional(),
    out_refund_no: refundNo,
    reason: optionalText(80),
    notify_url: notifyUrl.optional(),
    funds_account: z.enum(fundsOfRefunds.v3).optional(),
    amount: z.object({
      refund: fen,
      total: fen,
      currency: currencyV3,
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
    error: "transaction_id or out_trade_no is required",
    path: ["out_trade_no"],
  });

/** Base64 of a field that is encrypted to a key of the platform. */
export const encrypted = text(1024);
/** The banks to whose cards an abnormal refund can go. */
const cardBanks = [
  ...["CMB_DEBIT", "COMM_DEBIT", "ABC_DEBIT", "CCB_DEBIT", "ICBC_DEBIT", "BOC_DEBIT", "PAB_DEBIT", "SPDB_DEBIT"],
  ...["CITIC_DEBIT", "CEB_DEBIT", "CMBC_DEBIT", "CIB_DEBIT", "GDB_DEBIT", "PSBC_DEBIT", "NBCB_DEBIT"],
] as const;
export const abnormalRefundBody = z.discriminatedUnion("type", [
  z.object({ type: z.literal("MERCHANT_BANK_CARD"), out_refund_no: refundNo }),
  z.object({
    type: z.literal("USER_BANK_CARD"),
    out_refund_no: refundNo,
    bank_type: z.enum(cardBanks),
    bank_account: encrypted,
    real_name: encrypted,
  }),
]);

export const byMerchant = z.object({ mchid: text(32) });
export const orderNumber = z.object({ out_trade_no: orderNo });
export const transactionNumber = z.object({ transaction_id: z.string().regex(/^\d{1,32}$/, "1 to 32 digits") });
export const refundNumber = z.object({ out_refund_no: refundNo });
/** A service provider names the sub-merchant. */
export const refundQueryFields = z.object({ sub_mchid: optionalText(32) });
export const refundId = z.object({ refund_id: text(32) });

export const billQuery = z.object({
  bill_date: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, "must be a date like 2026-01-31")
    .refine(isDayOfV3, "this day does not exist"),
  tar_type: z.enum(["GZIP"]).optional(),
});
/** Bills with columns of a merchant's own, for which it needs a permission that no merchant has here. */
const specialBillTypes = ["ALL_SPECIAL", "SUC_SPECIAL", "REF_SPECIAL"] as const;
export const tradeBillQuery = billQuery.extend({
  bill_type: z.enum([...billTypes, ...specialBillTypes]).default("ALL"),
  sub_mchid: optionalText(32),
});
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
  const shown: unknown = issue?.code === "custom" ? (issue.params?.["value"] ?? at) : at;
  throw paramError(location, field, shown, at === undefined ? "is missing" : (issue?.message ?? "is not valid"));
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
