/** The parameters with which a merchant's client starts a payment, signed with nothing but node's own crypto. */
import { createSign } from "node:crypto";
import { signatureV2, type Fields } from "./payment-signatures.ts";
import type { SignType } from "../../../server/contract/provider/payment-terms.ts";

const timestamp = String(Math.floor(Date.now() / 1000));
const nonce = "5K8264ILTKCH16CQ2502SI8ZNMTM67VS";
const rsa = (lines: readonly string[], key: string) =>
  createSign("RSA-SHA256")
    .update(lines.map((line) => `${line}\n`).join(""))
    .sign(key, "base64");

/** Of a mini-program whose order was placed by version 2. */
export function miniProgramV2(appId: string, prepayId: string, key: string, signType: SignType = "MD5"): Fields {
  const fields = { timeStamp: timestamp, nonceStr: nonce, package: `prepay_id=${prepayId}`, signType };
  return { ...fields, paySign: signatureV2({ appId, ...fields }, key, signType) };
}

/** Of an app whose order was placed by version 2. */
export function appV2(appId: string, mchId: string, prepayId: string, key: string): Fields {
  const fields = {
    appid: appId,
    partnerid: mchId,
    prepayid: prepayId,
    package: "Sign=WXPay",
    noncestr: nonce,
    timestamp,
  };
  return { ...fields, sign: signatureV2(fields, key) };
}

/** Of a mini-program whose order was placed by version 3. @param privateKey of the merchant, PEM */
export function miniProgramV3(appId: string, prepayId: string, privateKey: string): Fields {
  const bundle = `prepay_id=${prepayId}`;
  const paySign = rsa([appId, timestamp, nonce, bundle], privateKey);
  return { timeStamp: timestamp, nonceStr: nonce, package: bundle, signType: "RSA", paySign };
}

/** Of an app whose order was placed by version 3. @param privateKey of the merchant, PEM */
export function appV3(appId: string, mchId: string, prepayId: string, privateKey: string): Fields {
  const sign = rsa([appId, timestamp, nonce, prepayId], privateKey);
  const ids = { appid: appId, partnerid: mchId, prepayid: prepayId };
  return { ...ids, package: "Sign=WXPay", noncestr: nonce, timestamp, sign };
}
