/** Converts a version 3 order for the ledger, and checks whether the merchant may place it. */
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { OrderRequest } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchant } from "../merchants/merchants.ts";
import type { PayerIdentity } from "./payer-fields-v3.ts";
import type { OrderBody } from "./requests-v3.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Payable for 7 days by default; at least a minute, at most 90 days. */
export const expiryOf = (timeExpire: string | undefined, now: number): number =>
  timeExpire === undefined
    ? now + 7 * dayMs
    : Math.min(Math.max(Date.parse(timeExpire), now + minuteMs), now + 90 * dayMs);

/** The fields stored as received, to distinguish a repeat from another order. */
function extraOf(body: OrderBody, identity: PayerIdentity): Record<string, unknown> {
  const { goods_tag, support_fapiao, detail, scene_info, settle_info, limit_pay } = body;
  const subsidy_info = "subsidy_info" in body ? body.subsidy_info : undefined;
  const extra = { goods_tag, support_fapiao, detail, scene_info, settle_info, limit_pay, subsidy_info, identity };
  return Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== undefined));
}

/** @param identity of the payer, decrypted */
export function toOrderRequestV3(
  body: OrderBody,
  from: string | undefined,
  tradeType: TradeType,
  now: number,
  identity?: PayerIdentity,
): OrderRequest {
  return {
    mchId: body.mchid,
    appId: body.appid,
    outTradeNo: body.out_trade_no,
    tradeType,
    version: "v3",
    signType: "MD5", // version 2 only
    description: body.description,
    total: body.amount.total,
    currency: body.amount.currency,
    notifyUrl: body.notify_url,
    notifyFrom: from,
    openid: tradeType === "JSAPI" ? body.payer?.openid : undefined,
    attach: body.attach === "" ? undefined : body.attach,
    expiresAt: expiryOf(body.time_expire, now),
    extra: extraOf(body, identity),
  };
}

/** @throws PaymentRefusal */
export function checkApp(merchant: Merchant, appId: string): void {
  if (!merchant.appIds.includes(appId)) throw refusal("APPID_MCHID_NOT_MATCH");
}

/** @throws PaymentRefusal */
export function checkProduct(merchant: Merchant, appId: string, tradeType: TradeType): void {
  checkApp(merchant, appId);
  if (!merchant.products.includes(tradeType)) throw refusal("NOAUTH", `商户未开通${tradeType}`);
}
