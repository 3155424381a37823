import type { PayVersion } from "../../../contract/provider/payment-terms.ts";

/**
 * The version in which a notification came, and so the one in which it is answered: by its content type, else (our choice)
 * by its first character. What is neither is treated as version 2, whose refusal has a body.
 */
export function notificationVersion(body: Buffer, contentType = ""): PayVersion {
  if (/[/+]json\b/i.test(contentType)) return "v3";
  if (/[/+]xml\b/i.test(contentType)) return "v2";
  return /^\s*\{/.test(body.toString("latin1", 0, 64)) ? "v3" : "v2";
}
