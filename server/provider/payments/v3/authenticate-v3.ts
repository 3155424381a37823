/** Authenticates version 3 requests: a signature over the exact target and body, by a certificate of the merchant. */
import type { KeyObject } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { contentType } from "../../../http/formats/read-body.ts";
import {
  authorizationScheme,
  isSignedV3,
  maxSkewSeconds,
  readAuthorization,
  requestMessage,
  type AuthorizationV3,
} from "../../../payment-wire/signature-v3.ts";
import type { Merchant } from "../merchants/merchants.ts";
import { RefusalV3 } from "./refusal-v3.ts";

export interface Senders {
  merchant: (mchId: string) => Promise<Merchant | undefined>;
  /** @param serial case-insensitive */
  publicKey: (mchId: string, serial: string) => Promise<KeyObject | undefined>;
}

/** The sender that a request claims; trusted once its signature is verified. */
export interface SenderClaim {
  readonly authorization: AuthorizationV3;
  readonly merchant: Merchant;
  readonly publicKey: KeyObject;
}

const signError = (message: string, detail?: unknown) => new RefusalV3(401, "SIGN_ERROR", message, detail);
const ofHeader = (issue: string) => ({ field: "Authorization", location: "authorization", detail: { issue } });

/** @throws RefusalV3 400: the platform looks at these headers before Authorization */
export function checkHeaders(method: string | undefined, headers: IncomingHttpHeaders, isUpload: boolean): void {
  if (!headers["user-agent"]?.trim())
    throw new RefusalV3(400, "INVALID_REQUEST", "The header User-Agent is missing. It must name your program.");
  const accepted = headers.accept?.split(",").map((range) => range.split(";")[0]?.trim().toLowerCase());
  if (!accepted?.some((type) => type === "application/json" || type === "application/*" || type === "*/*"))
    throw new RefusalV3(400, "INVALID_REQUEST", "The header Accept is missing or excludes application/json.");
  const required = isUpload ? "multipart/form-data" : "application/json";
  if ((method === "POST" || method === "PUT") && contentType(headers["content-type"]).type !== required)
    throw new RefusalV3(400, "INVALID_REQUEST", `Http头Content-Type值必须为${required}`);
}

/**
 * The checks before the body is read: form of the header, time, serial.
 * @param at Unix ms of a real clock
 * @throws RefusalV3 401
 */
export async function claimOf(header: string | undefined, senders: Senders, at: number): Promise<SenderClaim> {
  const authorization = readAuthorization(header);
  if (!authorization)
    throw signError(
      `The header Authorization must be: ${authorizationScheme} mchid="…",nonce_str="…",timestamp="…",serial_no="…",signature="…"`,
      ofHeader(header === undefined ? "missing" : "format"),
    );
  const { mchid, timestamp, serial_no } = authorization;
  const age = Math.abs(Math.floor(at / 1000) - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > maxSkewSeconds)
    throw signError(
      `The timestamp is ${/^\d+$/.test(timestamp) ? `${String(age)} seconds off` : "not a number of seconds"}; up to ${String(maxSkewSeconds)} are taken.`,
      ofHeader("timestamp"),
    );
  const [merchant, publicKey] = await Promise.all([senders.merchant(mchid), senders.publicKey(mchid, serial_no)]);
  if (!merchant) throw signError(`Merchant ${mchid} does not exist.`, ofHeader("mchid"));
  if (!publicKey)
    throw signError(`The merchant has no certificate with the serial number ${serial_no}.`, ofHeader("serial_no"));
  return { authorization, merchant, publicKey };
}

/** How many characters of the message are quoted, to help find the difference. */
const quotedLength = 256;

/**
 * @param target path and query exactly as sent
 * @throws RefusalV3 401 that shows what should have been signed
 */
export function checkSignature(
  { authorization, publicKey }: SenderClaim,
  method: string,
  target: string,
  body: string,
): void {
  const { timestamp, nonce_str: nonce, signature } = authorization;
  const message = requestMessage({ method, target, timestamp, nonce, body });
  if (isSignedV3(message, signature, publicKey)) return;
  throw signError("The signature does not match the request and the merchant's certificate.", {
    field: "signature",
    location: "authorization",
    detail: { issue: "sign not match" },
    sign_information: {
      method,
      url: target,
      truncated_sign_message: message.slice(0, quotedLength),
      sign_message_length: Buffer.byteLength(message),
    },
  });
}
