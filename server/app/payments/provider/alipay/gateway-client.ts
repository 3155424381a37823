/** The calls of Alipay's gateway, and the parameters that a buyer's device calls it with. */
import { message } from "../../../../contract/messages/message.ts";
import type { MerchantCall } from "../../../../contract/provider/payment-errors/error-codes.ts";
import { unknown } from "../call-results.ts";
import type { CallResult } from "../provider-client.ts";
import type { ProviderConnection } from "../provider-connection.ts";
import { signedRequest, type MerchantAlipay } from "./merchant-alipay.ts";
import { readReplyAlipay } from "./reply-alipay.ts";

export interface GatewayOptions {
  readonly connection: ProviderConnection;
  /** Rejects while its keys cannot be read. */
  readonly merchant: () => Promise<MerchantAlipay>;
  readonly notifyUrl: () => string;
  /** Unix ms by a real clock. */
  readonly now: () => number;
}

interface GatewayCall {
  readonly name: MerchantCall;
  readonly method: string;
  readonly content: object;
  /** Whether Alipay reports to this server what becomes of it. */
  readonly isNotified?: true;
  readonly withinMs?: number | undefined;
}

export interface GatewayClient {
  /** The members of the reply. Never rejects. */
  readonly send: (call: GatewayCall) => Promise<CallResult<unknown>>;
  /** A query or a form; undefined while the keys cannot be read. */
  readonly signedHere: (method: string, content: object) => Promise<string | undefined>;
}

export const gatewayPath = "/gateway.do";
export const noMerchantKey = () => unknown("no_answer", message("reply.merchantKey"));

export function createGatewayClient({ connection, merchant, notifyUrl, now }: GatewayOptions): GatewayClient {
  const readMerchant = () => merchant().catch(() => undefined);
  return {
    async send({ name, withinMs, method, content, isNotified }) {
      const own = await readMerchant();
      if (own === undefined) return noMerchantKey();
      const request = { method, content, notifyUrl: isNotified && notifyUrl() };
      const body = await signedRequest(own, request, now());
      const headers = { "Content-Type": "application/x-www-form-urlencoded;charset=utf-8" };
      const answer = await connection.call({ method: "POST", path: gatewayPath, headers, body, withinMs });
      return readReplyAlipay(answer, { call: name, method, key: own.alipayKey });
    },
    async signedHere(method, content) {
      const own = await readMerchant();
      return own && signedRequest(own, { method, content, notifyUrl: notifyUrl() }, now());
    },
  };
}
