/** The bytes of a notification: signed XML of version 2, sealed and signed JSON of version 3, a signed form of Alipay. */
import { createHash } from "node:crypto";
import { newNonce } from "../../../payment-wire/new-nonce.ts";
import { sealRefundInfo } from "../../../payment-wire/refund-info-v2.ts";
import { seal } from "../../../payment-wire/sealed-v3.ts";
import { signV2 } from "../../../payment-wire/sign-v2.ts";
import { writeXmlV2 } from "../../../payment-wire/xml-v2.ts";
import { writeTradeNotice } from "../alipay/trade-notice.ts";
import type { NotificationContent, NotificationKeys, NotificationMessage } from "../faults/notification-faults.ts";
import { platformHeaders } from "../keys/platform-key.ts";

/** The real provider's user agent. */
const userAgent = "Mozilla/4.0";

export async function writeNotification(
  content: NotificationContent,
  keys: NotificationKeys,
): Promise<NotificationMessage> {
  if (content.version === "v3") return writeV3(content, keys);
  if (content.version === "alipay") return writeTradeNotice(content.fields, keys.signer.privateKey);
  const headers = { "Content-Type": "text/xml", "User-Agent": userAgent };
  const { fields } = content;
  if (content.about !== "refund") {
    const sign = signV2(fields, keys.apiV2Key, keys.signType);
    return { headers, body: writeXmlV2({ ...fields, sign }) };
  }
  // It has no signature, only a part that is encrypted with the key.
  const req_info = sealRefundInfo(writeXmlV2(content.info, "root"), keys.apiV2Key);
  return { headers, body: writeXmlV2({ ...fields, req_info }) };
}

async function writeV3(
  content: Extract<NotificationContent, { version: "v3" }>,
  keys: NotificationKeys,
): Promise<NotificationMessage> {
  const { envelope, resource, originalType, associatedData } = content;
  const plain = JSON.stringify(resource);
  // The nonce derives from the content: a retry has the same bytes, but a new signature.
  const nonce = createHash("sha256").update(JSON.stringify(envelope)).update(plain).digest("hex").slice(0, 12);
  const sealed = seal(plain, keys.apiV3Key, associatedData, nonce);
  const body = JSON.stringify({ ...envelope, resource: { original_type: originalType, ...sealed } });
  return {
    headers: {
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      "Request-ID": newNonce().toUpperCase(),
      ...(await platformHeaders(keys.signer, body, keys.signedAt())),
    },
    body,
  };
}
