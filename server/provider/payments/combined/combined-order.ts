/** Combined orders: one payment for orders of several merchants, each of which stays an order of its own. */
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { Ledger, Order, OrderRequest } from "../ledger/ledger.ts";
import { PaymentRefusal } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { checkBinding } from "../partner/sub-merchant.ts";
import { checkProduct, expiryOf } from "../v3/order-request-v3.ts";
import type { PayerIdentity } from "../v3/payer-fields-v3.ts";
import type { CombinedOrderBody } from "./combined-requests-v3.ts";

/** The combined order that an order is a part of, as the part stores it. */
interface CombinedBy {
  readonly mchid: string;
  readonly out_trade_no: string;
}

interface WithExtra {
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Undefined for an order that is not a part. */
export const combinedByOf = ({ extra }: WithExtra) => extra["combined_by"] as CombinedBy | undefined;

type PartBody = CombinedOrderBody["sub_orders"][number];

interface Placed {
  readonly body: CombinedOrderBody;
  readonly tradeType: TradeType;
  readonly from: string | undefined;
  /** The identity that the payer must have, decrypted. */
  readonly identity: PayerIdentity;
  /** Unix ms. */
  readonly now: number;
}

const filled = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Members that all orders of the payment share. */
function sharedOf({ body, tradeType, from, now }: Placed) {
  const { openid, sub_openid } = body.combine_payer_info ?? {};
  return {
    appId: body.combine_appid,
    tradeType,
    version: "v3",
    signType: "MD5", // version 2 only
    notifyFrom: from,
    openid: tradeType === "JSAPI" ? (openid ?? sub_openid) : undefined,
    expiresAt: expiryOf(body.time_expire, now),
  } as const;
}

/** The order that has no money of its own: the sum of its parts. */
export function toCombinedOrder(placed: Placed): OrderRequest {
  const { body, identity } = placed;
  const { scene_info, limit_pay, time_start, subsidy_info } = body;
  return {
    ...sharedOf(placed),
    mchId: body.combine_mchid,
    outTradeNo: body.combine_out_trade_no,
    description: body.sub_orders[0]?.description ?? "",
    total: body.sub_orders.reduce((sum, { amount }) => sum + amount.total_amount, 0),
    currency: "CNY",
    notifyUrl: body.notify_url,
    extra: filled({ scene_info, limit_pay, time_start, subsidy_info, identity }),
  };
}

/** It has no address for notifications: its merchant is notified of the whole. */
export function toPart(placed: Placed, part: PartBody): OrderRequest {
  const { body } = placed;
  const { profit_sharing, detail, goods_tag } = part;
  const settle_info = profit_sharing === undefined ? part.settle_info : { ...part.settle_info, profit_sharing };
  return {
    ...sharedOf(placed),
    mchId: part.mchid,
    outTradeNo: part.out_trade_no,
    description: part.description,
    total: part.amount.total_amount,
    currency: part.amount.currency,
    attach: part.attach,
    extra: filled({
      combined_by: { mchid: body.combine_mchid, out_trade_no: body.combine_out_trade_no },
      sub_merchant: subMerchantIn(part, body.combine_payer_info?.sub_openid),
      ...{ detail, goods_tag, settle_info },
    }),
  };
}

const subMerchantIn = ({ sub_mchid, sub_appid }: PartBody, sub_openid: string | undefined) =>
  sub_mchid === undefined ? undefined : filled({ sub_mchid, sub_appid, sub_openid });

/**
 * Checks whether the merchants may accept the payment: the one that combines, and each part's.
 * @throws PaymentRefusal MCHID_NOT_EXIST, NOAUTH, APPID_MCHID_NOT_MATCH
 */
export async function checkMerchants(
  merchants: Pick<Merchants, "get">,
  { combine_mchid, combine_appid, sub_orders }: CombinedOrderBody,
  tradeType: TradeType,
): Promise<void> {
  for (const mchId of [combine_mchid, ...sub_orders.map(({ mchid }) => mchid)]) {
    const merchant = await merchants.get(mchId);
    if (!merchant) throw refusal("MCHID_NOT_EXIST");
    checkProduct(merchant, combine_appid, tradeType);
  }
  for (const { mchid, sub_mchid, sub_appid } of sub_orders) {
    const provider = await merchants.get(mchid);
    if (provider && sub_mchid !== undefined && sub_mchid !== mchid)
      await checkBinding(merchants, provider, { sub_mchid, sub_appid }, tradeType);
  }
}

interface NamedPart {
  readonly mchid: string;
  readonly out_trade_no: string;
  readonly sub_mchid?: string | undefined;
}

/**
 * Closes a combined order, which the request must name with all of its parts; a repeated close succeeds like the first.
 * @throws PaymentRefusal ORDERNOTEXIST, APPID_MCHID_NOT_MATCH, INVALID_REQUEST, ORDERPAID …
 */
export async function closeCombined(
  ledger: Pick<Ledger, "get" | "close">,
  key: { readonly mchId: string; readonly outTradeNo: string; readonly combined: true },
  { combine_appid, sub_orders }: { readonly combine_appid: string; readonly sub_orders: readonly NamedPart[] },
): Promise<Order> {
  const order = await ledger.get(key);
  if (order.appId !== combine_appid) throw refusal("APPID_MCHID_NOT_MATCH");
  const numberOf = (mchid: string, no: string) => `${mchid} ${no}`;
  const named = new Set(sub_orders.map(({ mchid, out_trade_no }) => numberOf(mchid, out_trade_no)));
  const parts = order.parts ?? [];
  if (parts.length !== named.size || !parts.every((part) => named.has(numberOf(part.mchId, part.outTradeNo))))
    throw refusal("INVALID_REQUEST", "子单与合单下单时不一致，不支持关闭部分子单");
  try {
    return await ledger.close(key);
  } catch (error) {
    if (error instanceof PaymentRefusal && error.code === "ORDERCLOSED") return order;
    throw error;
  }
}
