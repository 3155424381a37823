/** The definition of a call of Alipay's gateway. */
import { z } from "zod";
import { conditions } from "../../../contract/messages/en/conditions.ts";
import type { AlipayParams } from "../../../payment-wire/sign-alipay.ts";
import type { CallHints, CallName, PaymentCall } from "../calls/answer-call.ts";
import type { Ledger, Order, OrderKey } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import { alipayAccount } from "./alipay-account.ts";
import { fenOf } from "../../../payment-wire/yuan.ts";
import { RefusalAlipay } from "./refusal-alipay.ts";
import { isTrade } from "./trade-status.ts";

/** A request whose signature is verified. */
export interface RequestAlipay {
  /** All parameters, those of the query and of the body. */
  readonly params: AlipayParams;
  /** The content of `biz_content`. */
  readonly content: unknown;
  /** The simulator's address as the merchant reaches it, without a trailing slash. */
  readonly origin: string;
  /** The address that it came from, in the form that the ledger stores for notifications. */
  readonly from: string | undefined;
}

/** The members of a successful reply; `code` and `msg` if they are not 10000 and Success. */
export type ReplyMembers = Readonly<Record<string, unknown>>;

export interface PreparedAlipay<Value> extends Pick<PaymentCall, "outTradeNo" | "transactionId" | "outRefundNo"> {
  perform(hints: CallHints): Promise<Value>;
  view(value: Value): ReplyMembers;
  /** For a call of the buyer's browser: the page that it is led to. */
  page?(value: Value): string;
}

export interface CallAlipay {
  readonly name: CallName;
  readonly method: string;
  /** Called by the buyer's browser, which gets pages. */
  readonly isPage?: true;
  /** The name of its refusals, where it is not that of its replies. */
  readonly refusedAs?: "error_response";
  /** @throws RefusalAlipay */
  prepare(request: RequestAlipay): PreparedAlipay<unknown>;
}

/** Keeps the type of a call's value between its two halves. */
export const prepared = <Value>(call: PreparedAlipay<Value>): PreparedAlipay<unknown> => ({
  ...call,
  view: (value) => call.view(value as Value),
  ...(call.page && { page: (value: unknown) => call.page?.(value as Value) ?? "" }),
});

export const tradeNumber = z.string().regex(/^[0-9A-Za-z_]{1,64}$/, conditions["is.orderNo"]);
/** An amount in yuan, as fen. */
export const amount = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,9}(?:\.\d{1,2})?$/, "must be yuan with at most two decimals"))
  .transform(fenOf)
  .pipe(z.int().min(1).max(10_000_000_000));
/** The fields by which a call names its trade. */
export const tradeFields = { out_trade_no: tradeNumber.optional(), trade_no: z.string().max(64).optional() };
export type TradeFields = z.output<z.ZodObject<typeof tradeFields>>;

/** @throws RefusalAlipay ACQ.INVALID_PARAMETER */
export function readContent<Schema extends z.ZodType>(schema: Schema, { content }: RequestAlipay): z.output<Schema> {
  const read = schema.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw invalidParameter(`${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`);
}

export const invalidParameter = (what: string) =>
  new RefusalAlipay("ACQ.INVALID_PARAMETER", `参数有误。${what.trim()}`);

/** The trade that a call names: Alipay's number wins over the merchant's. @throws RefusalAlipay if it names none */
export function tradeKey({ out_trade_no, trade_no }: TradeFields): OrderKey {
  const [outTradeNo, transactionId] = [out_trade_no || undefined, trade_no || undefined];
  if (outTradeNo === undefined && transactionId === undefined)
    throw invalidParameter("out_trade_no和trade_no不能同时为空");
  return { mchId: alipayAccount.sellerId, outTradeNo, transactionId };
}

/** The numbers of a call, for the record of calls. */
export const namedNumbers = ({ out_trade_no, trade_no }: TradeFields) => ({
  outTradeNo: out_trade_no || undefined,
  transactionId: trade_no || undefined,
});

/** @throws PaymentRefusal ORDERNOTEXIST, also for a payment code that nobody has scanned */
export async function existingTrade(ledger: Pick<Ledger, "get">, key: OrderKey): Promise<Order> {
  const order = await ledger.get(key);
  if (!isTrade(order)) throw refusal("ORDERNOTEXIST");
  return order;
}
