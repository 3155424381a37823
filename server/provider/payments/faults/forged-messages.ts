/** Notifications that a receiver must not believe: forged, modified, or broken. */
import { generateKeyPair, type KeyLike } from "node:crypto";
import { promisify } from "node:util";
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import { replyMessage, signV3 } from "../../../payment-wire/signature-v3.ts";
import { writeXmlV2 } from "../../../payment-wire/xml-v2.ts";
import type {
  DueNotification,
  NotificationContent,
  NotificationKeys,
  NotificationMessage,
} from "./notification-faults.ts";
import { strangeSerial, testSignature } from "./reply-faults.ts";

type SignatureFault = SimFaultOf<"notification_signature">["params"]["how"];
type BrokenBody = Exclude<SimFaultOf<"notification_malformed">["params"]["how"], "extra_fields" | "huge" | "sign_type">;

/** More than the 5 minutes by which clocks may differ. */
const staleMs = 6 * 60_000;
/** A version 2 or 3 key that no merchant has. */
const strangeKey = "hearthStrangerKey0123456789abcde";

let strangerKey: Promise<KeyLike> | undefined;
/** A key without a certificate or an owner, made on first use. */
const makeStrangerKey = () =>
  (strangerKey ??= promisify(generateKeyPair)("rsa", { modulusLength: 2048 }).then(({ privateKey }) => privateKey));

type Due = Pick<DueNotification, "content" | "keys" | "write">;

const textOf = ({ body }: NotificationMessage): string =>
  typeof body === "string" ? body : Buffer.from(body).toString("utf8");

export async function forged({ content, keys, write }: Due, how: SignatureFault): Promise<NotificationMessage> {
  const isV3 = content.version === "v3";
  if (how === "wrong_key")
    return write(
      content,
      content.version !== "v2"
        ? { ...keys, signer: { ...keys.signer, privateKey: await makeStrangerKey() } }
        : { ...keys, apiV2Key: strangeKey },
    );
  if (content.version === "alipay") return forgedForm(await write(content, keys), how);
  if (how === "other_type" && !isV3)
    return write(content, { ...keys, signType: keys.signType === "MD5" ? "HMAC-SHA256" : "MD5" });
  return isV3 ? forgedV3(write, content, keys, how) : forgedV2(await write(content, keys), content.about, how);
}

const otherCharacter = (first: string) => (first === "A" ? "B" : "A");

/** Changes the first character of an element's text. */
const changedElement = (xml: string, name: string): string =>
  xml.replace(
    new RegExp(`(<${name}>(?:<!\\[CDATA\\[)?)(.)`),
    (_all, tag: string, first: string) => tag + otherCharacter(first),
  );

/** A refund's notification has no signature, so its encrypted part is changed instead. */
function forgedV2(
  message: NotificationMessage,
  about: NotificationContent["about"],
  how: SignatureFault,
): NotificationMessage {
  const xml = textOf(message);
  const proof = about === "payment" ? "sign" : "req_info";
  if (how === "missing") return { ...message, body: xml.replace(new RegExp(`<${proof}>.*?</${proof}>`, "s"), "") };
  if (how === "changed_field" && about === "payment")
    return {
      ...message,
      body: xml.replace(
        /(<total_fee>(?:<!\[CDATA\[)?)(\d+)/,
        (_all, tag: string, fee: string) => tag + String(Number(fee) + 1),
      ),
    };
  return { ...message, body: changedElement(xml, proof) };
}

/** Alipay's form says nothing of the time of its signature, or of the key. The changed field is one that nobody compares. */
function forgedForm(message: NotificationMessage, how: SignatureFault): NotificationMessage {
  const form = new URLSearchParams(textOf(message));
  const sign = form.get("sign") ?? "";
  if (how === "missing") form.delete("sign");
  else if (how === "changed_field") form.set("notify_id", `0${form.get("notify_id") ?? ""}`);
  else form.set("sign", otherCharacter(sign.charAt(0)) + sign.slice(1));
  return { ...message, body: String(form) };
}

async function forgedV3(
  write: Due["write"],
  content: NotificationContent,
  keys: NotificationKeys,
  how: SignatureFault,
): Promise<NotificationMessage> {
  if (how === "timestamp_past") return write(content, { ...keys, signedAt: () => keys.signedAt() - staleMs });
  if (how === "timestamp_future") return write(content, { ...keys, signedAt: () => keys.signedAt() + staleMs });
  if (how === "unknown_serial") return write(content, { ...keys, signer: { ...keys.signer, serial: strangeSerial } });
  const message = await write(content, keys);
  const { headers } = message;
  if (how === "tampered_tag") return signedAgain(message, keys, withResource(textOf(message), changedTag));
  if (how === "tampered_aad")
    return signedAgain(
      message,
      keys,
      withResource(textOf(message), (one) => ({ ...one, associated_data: "other" })),
    );
  if (how === "missing") return { ...message, headers: without(headers, "Wechatpay-Signature") };
  if (how === "changed_field") return { ...message, body: textOf(message).replace('"id":"', '"id":"0') };
  const signature = headers["Wechatpay-Signature"] ?? "";
  if (how === "other_type")
    return withHeaders(message, {
      "Wechatpay-Signature-Type": "WECHATPAY2-SM2-WITH-SM3",
      "Wechatpay-Signature": otherCharacter(signature.charAt(0)) + signature.slice(1),
    });
  return withHeaders(message, { "Wechatpay-Signature": testSignature + signature });
}

const withHeaders = (message: NotificationMessage, headers: NotificationMessage["headers"]): NotificationMessage => ({
  ...message,
  headers: { ...message.headers, ...headers },
});

const without = (headers: NotificationMessage["headers"], name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

type Resource = Readonly<Record<string, unknown>>;

function withResource(body: string, change: (resource: Resource) => Resource): string {
  const whole = JSON.parse(body) as { readonly resource: Resource };
  return JSON.stringify({ ...whole, resource: change(whole.resource) });
}

/** Changes the last byte of the tag, which is at the end. */
function changedTag(resource: Resource): Resource {
  const sealed = Buffer.from(String(resource["ciphertext"]), "base64");
  const last = sealed.length - 1;
  sealed[last] = (sealed[last] ?? 0) ^ 1;
  return { ...resource, ciphertext: sealed.toString("base64") };
}

/** Replaces the body and signs it correctly, so that only the body is wrong. */
async function signedAgain(
  message: NotificationMessage,
  keys: NotificationKeys,
  body: string,
): Promise<NotificationMessage> {
  const { "Wechatpay-Timestamp": timestamp = "", "Wechatpay-Nonce": nonce = "" } = message.headers;
  const signature = await signV3(replyMessage(timestamp, nonce, body), keys.signer.privateKey);
  return { headers: { ...message.headers, "Wechatpay-Signature": signature }, body };
}

const doctype = '<!DOCTYPE xml [<!ENTITY hearth SYSTEM "file:///etc/hostname">]>';

/** A body that is not a valid message; signed if its version signs bytes. */
export async function broken({ content, keys, write }: Due, how: BrokenBody): Promise<NotificationMessage> {
  const message = await write(content, keys);
  const body = brokenBody(textOf(message), content.version, how);
  return content.version === "v3" ? signedAgain(message, keys, body) : { ...message, body };
}

function brokenBody(body: string, version: NotificationContent["version"], how: BrokenBody): string {
  switch (how) {
    case "no_markup":
      return version === "alipay" ? '{"trade_status":"TRADE_SUCCESS"}' : "return_code=SUCCESS&return_msg=OK";
    case "doctype":
      return doctype + (version === "v2" ? body : writeXmlV2({ return_code: "SUCCESS" }));
    case "duplicate_keys":
      if (version === "alipay") return `trade_status=WAIT_BUYER_PAY&${body}`;
      return version === "v2"
        ? body.replace("</xml>", "<return_code><![CDATA[SUCCESS]]></return_code></xml>")
        : body.replace("{", '{"event_type":"TRANSACTION.SUCCESS",');
  }
}

/** A failure of communication, which is never signed. */
export const failedNotification = async (
  { content, keys, write }: Due,
  reason: string,
): Promise<NotificationMessage> => {
  const { headers } = await write(content, keys);
  if (content.version === "alipay")
    return { headers, body: String(new URLSearchParams({ code: "FAIL", msg: reason })) };
  if (content.version === "v2") return { headers, body: writeXmlV2({ return_code: "FAIL", return_msg: reason }) };
  const unsigned = Object.entries(headers).filter(([name]) => !/^wechatpay-/i.test(name));
  return { headers: Object.fromEntries(unsigned), body: JSON.stringify({ code: "FAIL", message: reason }) };
};
