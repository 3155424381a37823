/** Replies that no correct simulator would send. */
import type { PayWire } from "../../../contract/provider/payment-terms.ts";
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import { writeXmlV2 } from "../../../payment-wire/xml-v2.ts";
import type { WireReply } from "../calls/answer-call.ts";
import { platformHeaders, type PlatformKey } from "../keys/platform-key.ts";

const xml = { "Content-Type": "text/plain; charset=utf-8" };
const json = { "Content-Type": "application/json; charset=utf-8" };

/** An unsigned reply that contains nothing about the order. */
export const failedCommunication = (version: PayWire, message: string): WireReply =>
  version === "alipay"
    ? { status: 200, headers: json, body: JSON.stringify(serviceUnavailable(message)) }
    : version === "v2"
      ? { status: 200, headers: xml, body: writeXmlV2({ return_code: "FAIL", return_msg: message }) }
      : { status: 500, headers: json, body: JSON.stringify({ code: "SYSTEM_ERROR", message }) };

/** What Alipay's gateway says when what is behind it is away. */
const serviceUnavailable = (sub_msg: string) => ({
  error_response: { code: "20000", msg: "Service Currently Unavailable", sub_code: "aop.unknow-error", sub_msg },
});

const reasons = {
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** The reply of a gateway that knows nothing of the API. */
export function gatewayError(status: keyof typeof reasons): WireReply {
  const title = `${String(status)} ${reasons[status]}`;
  return {
    status,
    headers: { "Content-Type": "text/html" },
    body: `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>`,
  };
}

/** The reply with the signature of another key. An unsigned reply is unchanged. */
export async function signedBy(key: PlatformKey, reply: WireReply): Promise<WireReply> {
  if (typeof reply.body !== "string" || reply.headers["Wechatpay-Signature"] === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, ...(await platformHeaders(key, reply.body, Date.now())) } };
}

type How = SimFaultOf<"reply_signature">["params"]["how"];

/** The reply with an invalid signature. An unsigned reply is unchanged. */
export function badlySigned(version: PayWire, how: How, reply: WireReply): WireReply {
  if (version === "alipay") return badlySignedAlipay(how, reply);
  return version === "v2" ? badlySignedV2(how, reply) : badlySignedV3(how, reply);
}

/** A different hex digit. */
const otherDigit = (digit: string) => (digit === "A" ? "B" : "A");

function badlySignedV2(how: How, reply: WireReply): WireReply {
  if (typeof reply.body !== "string") return reply;
  const { body } = reply;
  if (how === "missing") return { ...reply, body: body.replace(/<sign>.*?<\/sign>/s, "") };
  if (how === "changed_body") return { ...reply, body: changedXml(body) };
  return {
    ...reply,
    body: body.replace(
      /(<sign>(?:<!\[CDATA\[)?)([0-9A-F])/,
      (_all, tag: string, digit: string) => tag + otherDigit(digit),
    ),
  };
}

function badlySignedAlipay(how: How, reply: WireReply): WireReply {
  if (typeof reply.body !== "string") return reply;
  const { body } = reply;
  if (how === "missing") return { ...reply, body: body.replace(/,"sign":"[^"]*"/, "") };
  if (how === "changed_body") return { ...reply, body: changedStatus(body) };
  return {
    ...reply,
    body: body.replace(/("sign":")(.)/, (_all, name: string, first: string) => name + otherDigit(first)),
  };
}

function changedStatus(body: string): string {
  const paid = body.replace(/("trade_status":")(?!TRADE_SUCCESS)\w+/, "$1TRADE_SUCCESS");
  return paid === body ? body.replace('"msg":"', '"msg":" ') : paid;
}

/** Changes what an attacker would change first, or else a part that is always present. */
function changedXml(body: string): string {
  const paid = body.replace(/(<trade_state>(?:<!\[CDATA\[)?)(?!SUCCESS)\w+/, "$1SUCCESS");
  if (paid !== body) return paid;
  return body.replace(
    /(<nonce_str>(?:<!\[CDATA\[)?)(.)/,
    (_all, tag: string, first: string) => tag + otherDigit(first),
  );
}

function badlySignedV3(how: How, reply: WireReply): WireReply {
  if (how === "missing") {
    const kept = Object.entries(reply.headers).filter(([name]) => !/^wechatpay-/i.test(name));
    return { ...reply, headers: Object.fromEntries(kept) };
  }
  if (how === "changed_body" && typeof reply.body === "string" && reply.body !== "")
    return { ...reply, body: changedJson(reply.body) };
  return { ...reply, headers: changedHeaders(how, reply.headers) };
}

function changedJson(body: string): string {
  const paid = body.replace(/("trade_state":")(?!SUCCESS)\w+/, "$1SUCCESS");
  return paid === body ? `${body} ` : paid;
}

export const testSignature = "WECHATPAY/SIGNTEST/";
/** A serial number that no certificate has. */
export const strangeSerial = "0".repeat(40);

function changedHeaders(how: How, headers: WireReply["headers"]): WireReply["headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const header = name.toLowerCase();
      if (header === "wechatpay-serial" && how === "unknown_serial") return [name, strangeSerial];
      if (header !== "wechatpay-signature" || how === "unknown_serial") return [name, value];
      return [name, how === "signtest" ? testSignature + value : otherDigit(value.charAt(0)) + value.slice(1)];
    }),
  );
}
