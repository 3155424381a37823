/** The replies of Alipay's gateway: an object under the method's name, and a signature over its text. */
import { signV3 } from "../../../payment-wire/signature-v3.ts";
import type { WireReply } from "../calls/answer-call.ts";
import type { AlipayOwnKeys } from "./alipay-keys.ts";
import type { ReplyMembers } from "./call-alipay.ts";
import { refusedMembers, type RefusalAlipay } from "./refusal-alipay.ts";

const headers = { "Content-Type": "application/json;charset=utf-8" };

/** Who signs a reply, and for which mode. */
export interface ReplySigner {
  readonly own: AlipayOwnKeys;
  /** The request named certificates, so the reply names Alipay's. */
  readonly byCertificate: boolean;
}

const nameOf = (method: string | undefined) => (method ? `${method.replaceAll(".", "_")}_response` : "error_response");

export async function signedReply(
  signer: ReplySigner,
  method: string | undefined,
  members: ReplyMembers,
): Promise<WireReply> {
  const text = JSON.stringify({ code: "10000", msg: "Success", ...members });
  const sign = await signV3(text, signer.own.alipayPrivateKey);
  const certificate = signer.byCertificate ? `"alipay_cert_sn":"${signer.own.alipayCertSn}",` : "";
  const body = `{${JSON.stringify(nameOf(method))}:${text},${certificate}"sign":"${sign}"}`;
  return { status: 200, headers, body };
}

/** @param method undefined for a reply of no method */
export const refusedReply = (
  signer: ReplySigner,
  method: string | undefined,
  refusal: RefusalAlipay,
): Promise<WireReply> => signedReply(signer, method, refusedMembers(refusal));

/** For a sender that is not known. */
export const unsignedReply = (method: string | undefined, refusal: RefusalAlipay): WireReply => ({
  status: 200,
  headers,
  body: JSON.stringify({ [nameOf(method)]: refusedMembers(refusal) }),
});
