/** What a scripted provider of version 2 says about one order. */
import type { SignType } from "../../../../server/contract/provider/payment-terms.ts";
import { signedXml, type Fields } from "../payment-signatures.ts";
import { paymentMerchant, type Script } from "./scripted-payment-provider.ts";

const { mch_id, app_id: appid, api_v2_key: key } = paymentMerchant;
export const outTradeNo = "HEARTH20260101000001";
export const orderToPlace = {
  outTradeNo,
  description: "Hearth test order",
  amount: 101,
  tradeType: "JSAPI" as const,
  openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  clientIp: "127.0.0.1",
  expiresAt: Date.parse("2026-01-01T00:00:00+08:00"),
};

export const successV2 = {
  return_code: "SUCCESS",
  return_msg: "OK",
  appid,
  mch_id,
  nonce_str: "n",
  result_code: "SUCCESS",
};

export const failureV2 = (err_code: string): Fields => ({
  ...successV2,
  result_code: "FAIL",
  err_code,
  err_code_des: "for a reason",
});

/** As a payment code is answered; query order adds the trade_state. */
export const paymentV2 = {
  ...successV2,
  out_trade_no: outTradeNo,
  total_fee: "101",
  transaction_id: "4200000000202601010000000001",
  time_end: "20260101080000",
};
export const paidV2 = { ...paymentV2, trade_state: "SUCCESS", trade_state_desc: "paid" };

/** Answers with this, signed; labelled as the provider labels its XML. */
export const signedV2 =
  (fields: Fields, type: SignType = "MD5"): Script =>
  () => ({ headers: { "Content-Type": "text/plain" }, body: signedXml(fields, key, type) });
