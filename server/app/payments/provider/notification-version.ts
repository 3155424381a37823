import type { PayVersion } from "../../../contract/provider/payment-terms.ts";

/**
 * Finds the version of a notification, which is also that of the answer: by the content type, otherwise by the first
 * character (our choice). Anything else counts as version 2, whose refusals have a body.
 */
export function notificationVersion(body: Buffer, contentType = ""): PayVersion {
  if (/[/+]json\b/i.test(contentType)) return "v3";
  if (/[/+]xml\b/i.test(contentType)) return "v2";
  return /^\s*\{/.test(body.toString("latin1", 0, 64)) ? "v3" : "v2";
}
