/** A call of version 3, signed with the merchant's key over the exact bytes that are sent. */
import { message } from "../../../../contract/messages/message.ts";
import { newNonce } from "../../../../payment-wire/new-nonce.ts";
import { requestMessage, signV3, writeAuthorization } from "../../../../payment-wire/signature-v3.ts";
import type { MerchantKeyV3 } from "./keys-v3.ts";
import type { HttpAnswer, HttpCall, ProviderConnection } from "../provider-connection.ts";

export interface SignedCall extends Pick<HttpCall, "method" | "path" | "withinMs"> {
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** Never rejects. */
export type CallV3 = (call: SignedCall) => Promise<HttpAnswer>;

interface Options {
  readonly connection: ProviderConnection;
  readonly mchId: string;
  readonly key: () => Promise<MerchantKeyV3>;
  /** For a merchant that verifies by a public key: requests the platform's signature with that key. */
  readonly platformKeyId?: string | undefined;
  /** Unix ms by a real clock: the platform compares it with its own. */
  readonly now: () => number;
}

export const createCallV3 =
  ({ connection, mchId, key, platformKeyId, now }: Options): CallV3 =>
  async ({ method, path, json, withinMs }) => {
    const body = json === undefined ? "" : JSON.stringify(json);
    const [timestamp, nonce] = [String(Math.floor(now() / 1000)), newNonce()];
    const target = `${connection.pathPrefix}${path}`;
    const merchantKey = await key().catch(() => undefined);
    if (merchantKey === undefined) return { failed: "no_answer", description: message("reply.merchantKey") };
    const { serial, privateKey } = merchantKey;
    const signature = await signV3(requestMessage({ method, target, timestamp, nonce, body }), privateKey);
    const values = { mchid: mchId, nonce_str: nonce, timestamp, serial_no: serial, signature };
    return connection.call({
      method,
      path,
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        Authorization: writeAuthorization(values),
        ...(platformKeyId !== undefined && { "Wechatpay-Serial": platformKeyId }),
      },
      body,
      withinMs,
    });
  };
