/**
 * Signatures of version 3: RSA over the exact bytes of requests (by the merchant) and replies (contract: payments, Version
 * 3).
 */
import { sign, verify, type KeyLike } from "node:crypto";
import { promisify } from "node:util";
import { quotedPairs } from "../contract/quoted-pairs.ts";

export const authorizationScheme = "WECHATPAY2-SHA256-RSA2048";

/** How far the clocks of both sides may differ, in seconds. */
export const maxSkewSeconds = 300;

interface SignedRequest {
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  /** Unix seconds. */
  readonly timestamp: string;
  readonly nonce: string;
  /** Empty for GET. */
  readonly body: string;
}

/** The text that a merchant signs. */
export const requestMessage = ({ method, target, timestamp, nonce, body }: SignedRequest): string =>
  `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`;

/** The text that the platform signs in replies and notifications. A 204 has an empty body. */
export const replyMessage = (timestamp: string, nonce: string, body: string): string =>
  `${timestamp}\n${nonce}\n${body}\n`;

const signInPool = promisify(sign);

/**
 * RSASSA-PKCS1-v1_5 with SHA-256, base64. On another thread: a signature takes longer than the rest of a call and would
 * block everything else.
 */
export const signV3 = async (message: string, privateKey: KeyLike): Promise<string> =>
  (await signInPool("RSA-SHA256", Buffer.from(message), privateKey)).toString("base64");

/** Node's decoder skips characters that are not base64, so it would accept a signature with anything appended. */
const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @param key public key or certificate, PEM */
export const isSignedV3 = (message: string, signature: string, key: KeyLike): boolean =>
  base64.test(signature) && verify("RSA-SHA256", Buffer.from(message), key, Buffer.from(signature, "base64"));

/** The `Authorization` header of a merchant's request. */
export interface AuthorizationV3 {
  readonly mchid: string;
  readonly nonce_str: string;
  readonly timestamp: string;
  readonly serial_no: string;
  readonly signature: string;
}

const pairNames = ["mchid", "nonce_str", "timestamp", "serial_no", "signature"] as const;

export const writeAuthorization = (values: AuthorizationV3): string =>
  `${authorizationScheme} ${pairNames.map((name) => `${name}="${values[name]}"`).join(",")}`;

/** Parses the pairs in any order; undefined if one is missing or the scheme differs. */
export function readAuthorization(header: string | undefined): AuthorizationV3 | undefined {
  if (!header?.startsWith(`${authorizationScheme} `)) return undefined;
  const pairs = quotedPairs(header);
  const read = Object.fromEntries(pairNames.map((name) => [name, pairs.get(name) ?? ""]));
  return Object.values(read).includes("") ? undefined : (read as unknown as AuthorizationV3);
}
