/** Sub-merchants: an order that a service provider places for one names both. */
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import type { Ledger, Order, OrderKey } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchant, Merchants } from "../merchants/merchants.ts";

/** The part of an order that a service provider adds. The order is stored under the provider's own number. */
export interface SubMerchant {
  readonly sub_mchid: string;
  readonly sub_appid?: string | undefined;
  /** The buyer in the sub-merchant's app, if the order names one. */
  readonly sub_openid?: string | undefined;
}

/** The sub-merchant of a call of version 2; undefined for a merchant's own call. */
export function subMerchantInV2(fields: FieldsV2): SubMerchant | undefined {
  const { sub_mch_id: sub_mchid, sub_appid, sub_openid } = fields;
  if (!sub_mchid) return undefined;
  return { sub_mchid, ...(sub_appid && { sub_appid }), ...(sub_openid && { sub_openid }) };
}

/** The sub-merchant as replies and notifications of version 2 name it. */
export const subMerchantFields = (sub: SubMerchant | undefined): FieldsV2 =>
  sub ? { ...(sub.sub_appid && { sub_appid: sub.sub_appid }), sub_mch_id: sub.sub_mchid } : {};

interface WithExtra {
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Undefined for an order of a direct merchant. */
export const subMerchantOf = ({ extra }: WithExtra) => extra["sub_merchant"] as SubMerchant | undefined;

/** Whether an order is of that sub-merchant; undefined: of a direct merchant. */
export const isOfSub = (order: WithExtra, subMchId: string | undefined): boolean =>
  subMerchantOf(order)?.sub_mchid === subMchId;

/** The merchant whose money an order is: the sub-merchant, where a service provider placed it. */
export function ownerOf({ mch_id, extra }: { readonly mch_id: string; readonly extra: string }): string {
  if (!extra.includes('"sub_merchant"')) return mch_id; // most texts need no parsing
  return subMerchantOf({ extra: JSON.parse(extra) as WithExtra["extra"] })?.sub_mchid ?? mch_id;
}

/** Reads an order of that sub-merchant; undefined: of a direct merchant. @throws PaymentRefusal ORDERNOTEXIST for another */
export async function orderOfSub(
  ledger: Pick<Ledger, "get">,
  key: OrderKey,
  subMchId: string | undefined,
): Promise<Order> {
  const order = await ledger.get(key);
  if (!isOfSub(order, subMchId)) throw refusal("ORDERNOTEXIST");
  return order;
}

/** The sub-merchant of a service provider. @throws PaymentRefusal NOAUTH for a merchant that is not bound to it */
export async function boundMerchant(
  merchants: Pick<Merchants, "get">,
  { mchId }: Pick<Merchant, "mchId">,
  subMchId: string,
): Promise<Merchant> {
  const bound = await merchants.get(subMchId);
  if (bound?.serviceProvider === mchId) return bound;
  throw refusal("NOAUTH", `The sub-merchant ${subMchId} is not bound to the service provider ${mchId}.`);
}

/**
 * Checks whether a service provider may accept payments for a sub-merchant.
 * @throws PaymentRefusal NOAUTH, APPID_MCHID_NOT_MATCH
 */
export async function checkBinding(
  merchants: Pick<Merchants, "get">,
  provider: Merchant,
  { sub_mchid, sub_appid }: SubMerchant,
  tradeType: TradeType,
): Promise<void> {
  const bound = await boundMerchant(merchants, provider, sub_mchid);
  if (!bound.products.includes(tradeType)) throw refusal("NOAUTH", `特约商户未开通${tradeType}`);
  if (sub_appid !== undefined && !bound.appIds.includes(sub_appid)) throw refusal("APPID_MCHID_NOT_MATCH");
}
