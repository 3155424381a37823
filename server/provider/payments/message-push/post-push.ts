/** The requests of message push: the check of a receiver, and the delivery of a message. */
import { randomBytes, randomInt } from "node:crypto";
import type { SimPushReceiver, SimPushSecrets } from "../../../contract/provider/sim-message-push.ts";
import { traceHeaders } from "../../../trace/span.ts";
import type { NotificationReply } from "../notifier/post-notification.ts";
import { encryptPush, signPush } from "./message-crypto.ts";
import { originalId, writePushXml } from "./push-events.ts";

type Query = Readonly<Record<string, string>>;
type Receiver = SimPushReceiver & SimPushSecrets;

/** @param at Unix ms */
const signedQuery = ({ token }: SimPushSecrets, at: number) => {
  const timestamp = String(Math.floor(at / 1000));
  const nonce = String(randomInt(1e8, 1e9));
  return { signature: signPush(token, timestamp, nonce), timestamp, nonce };
};

function withQuery(url: string, query: Query): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.append(name, value);
  return address.href;
}

/** The GET that a receiver answers with `echostr`. */
export function verificationRequest(receiver: Receiver, at: number) {
  const { signature, timestamp, nonce } = signedQuery(receiver, at);
  const echostr = randomBytes(8).readBigUInt64BE().toString();
  return { echostr, url: withQuery(receiver.url, { signature, echostr, timestamp, nonce }) };
}

interface Push {
  readonly openid: string;
  readonly message: string;
}

/** The POST of a message, as the receiver's mode and format require. */
export function pushRequest(receiver: Receiver, appId: string, { openid, message }: Push, at: number) {
  const isJson = receiver.format === "JSON";
  const headers = { "Content-Type": isJson ? "application/json" : "text/xml", ...traceHeaders() };
  const query = { ...signedQuery(receiver, at), openid };
  if (receiver.mode === "plain") return { url: withQuery(receiver.url, query), headers, body: message };
  const Encrypt = encryptPush(message, appId, receiver.encoding_aes_key, randomBytes(16));
  const msg_signature = signPush(receiver.token, query.timestamp, query.nonce, Encrypt);
  const sealed = { ToUserName: originalId(appId), Encrypt };
  return {
    url: withQuery(receiver.url, { ...query, encrypt_type: "aes", msg_signature }),
    headers,
    body: isJson ? JSON.stringify(sealed) : writePushXml(sealed),
  };
}

/** Why the receiver has not accepted a message; undefined: it has. */
export function problemOf(reply: NotificationReply): string | undefined {
  if (reply.kind === "late") return "No reply in time.";
  if (reply.kind === "failed") return reply.reason;
  if (reply.status !== 200) return `The reply has the status ${String(reply.status)}.`;
  return ["", "success"].includes(reply.body.trim()) ? undefined : "The reply is neither empty nor success.";
}
