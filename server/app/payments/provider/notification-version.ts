import type { PayWire } from "../../../contract/provider/payment-terms.ts";

/**
 * Finds the API of a notification, which is also that of the answer: by the content type, otherwise by the first
 * character (our choice). Anything else counts as version 2, whose refusals have a body.
 */
export function notificationVersion(body: Buffer, contentType = ""): PayWire {
  if (/[/+]json\b/i.test(contentType)) return "v3";
  if (/[/+]xml\b/i.test(contentType)) return "v2";
  const beginning = body.toString("latin1", 0, 64).trimStart();
  if (beginning.startsWith("{")) return "v3";
  return /\bx-www-form-urlencoded\b/i.test(contentType) && !beginning.startsWith("<") ? "alipay" : "v2";
}
