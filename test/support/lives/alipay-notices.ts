/** Reads Alipay's notifications as the merchant's receiver. */
import { createVerify } from "node:crypto";
import type { SimAlipayCredentials } from "../../../server/contract/provider/provider-keys.ts";
import { alipaySignText } from "../../../server/payment-wire/sign-alipay.ts";

export const pem = (line: string, type: string) => `-----BEGIN ${type}-----\n${line}\n-----END ${type}-----`;
const fenOf = (text: string | undefined) => Math.round(Number(text) * 100);

/** What a notification claims; undefined if Alipay has not signed it. */
export function readTradeNotice(body: string, { alipay_public_key }: SimAlipayCredentials) {
  const fields = Object.fromEntries(new URLSearchParams(body));
  const verifier = createVerify("RSA-SHA256").update(alipaySignText(fields, ["sign", "sign_type"]));
  if (!verifier.verify(pem(alipay_public_key, "PUBLIC KEY"), fields["sign"] ?? "", "base64")) return undefined;
  const { out_trade_no: order = "", trade_no: transaction = "", total_amount, out_biz_no, refund_status } = fields;
  const number = `${order}*${out_biz_no ?? ""}`;
  return {
    ...{ order, transaction, total: fenOf(total_amount), isPaid: fields["gmt_payment"] !== undefined },
    // Its amount is that of all refunds.
    ...(out_biz_no && { refund: { number, status: refund_status === "REFUND_SUCCESS" ? "SUCCESS" : "" } }),
  };
}
