/** Converts a version 3 order for the ledger, and checks whether the merchant may place it. */
import type { z } from "zod";
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { Keys } from "../keys/keys.ts";
import type { OrderRequest } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchant } from "../merchants/merchants.ts";
import { createDecryptField } from "./decrypt-field-v3.ts";
import type { identified, OrderBody } from "./requests-v3.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Payable for 7 days by default; at least a minute, at most 90 days. */
const expiryOf = (timeExpire: string | undefined, now: number): number =>
  timeExpire === undefined
    ? now + 7 * dayMs
    : Math.min(Math.max(Date.parse(timeExpire), now + minuteMs), now + 90 * dayMs);

/** The fields stored as received, to distinguish a repeat from another order. */
function extraOf(body: OrderBody): Record<string, unknown> {
  const { goods_tag, support_fapiao, detail, scene_info, settle_info, limit_pay, subsidy_info } = body;
  const extra = { goods_tag, support_fapiao, detail, scene_info, settle_info, limit_pay, subsidy_info };
  return Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== undefined));
}

export function toOrderRequestV3(
  body: OrderBody,
  from: string | undefined,
  tradeType: TradeType,
  now: number,
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
    extra: extraOf(body),
  };
}

interface Identified {
  readonly payer?: { readonly identity?: NonNullable<z.output<typeof identified>["identity"]> | undefined } | undefined;
}

/**
 * The person that an order names, decrypted, to be stored with it: the encrypted fields differ at each repeat.
 * @throws PaymentRefusal PARAM_ERROR
 */
export async function identityExtra(
  keys: Pick<Keys, "platformKey">,
  { payer }: Identified,
  serial: string | undefined,
): Promise<Record<string, unknown>> {
  if (payer?.identity === undefined) return {};
  const decrypted = createDecryptField(keys);
  const { type, number, name } = payer.identity;
  const identity = {
    type,
    number: await decrypted("payer/identity/number", number, serial),
    name: await decrypted("payer/identity/name", name, serial),
  };
  return { identity };
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
