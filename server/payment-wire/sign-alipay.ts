/** Signatures of Alipay's gateway: RSA2, which is RSA with SHA-256, over parameters or over a reply's text. */
import { createHash, X509Certificate, type KeyLike } from "node:crypto";
import { isSignedV3, signV3 } from "./signature-v3.ts";

export type AlipayParams = Readonly<Record<string, string>>;

/** The parameters that are signed: those with a value, sorted by name. @param omitted names that are not signed */
export const alipaySignText = (params: AlipayParams, omitted: readonly string[]): string =>
  Object.entries(params)
    .filter(([name, value]) => value !== "" && !omitted.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");

/** Requests also sign the name of the signature's type. @param key public key of the app */
export const isSignedAlipay = (params: AlipayParams, key: KeyLike): boolean =>
  isSignedV3(alipaySignText(params, ["sign"]), params["sign"] ?? "", key);

/** The form of a notification, or the query of a return to the merchant, with its signature. */
export async function signAlipayForm(params: AlipayParams, privateKey: KeyLike): Promise<AlipayParams> {
  const sign = await signV3(alipaySignText(params, ["sign", "sign_type"]), privateKey);
  return { ...params, sign, sign_type: "RSA2" };
}

/** The number by which the gateway names a certificate: MD5 over its issuer and its serial number. @param pem certificate */
export function alipayCertSn(pem: string): string {
  const { issuer, serialNumber } = new X509Certificate(pem);
  const name = issuer.split("\n").toReversed().join(",");
  return createHash("md5")
    .update(`${name}${BigInt(`0x${serialNumber}`).toString()}`)
    .digest("hex");
}
