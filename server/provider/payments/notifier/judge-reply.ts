/** Judges the reply to a notification by the exact rules of each API. */
import type { NotificationVerdict } from "../../../contract/provider/notification-verdicts.ts";
import type { PayWire } from "../../../contract/provider/payment-terms.ts";
import { readXmlV2, XmlFormatError } from "../../../payment-wire/xml-v2.ts";
import type { NotificationReply } from "./post-notification.ts";

type Judgement = Exclude<NotificationVerdict, "believed" | "lost">;

export function judge(version: PayWire, reply: NotificationReply): Judgement {
  if (reply.kind === "late") return "slow";
  if (reply.kind === "failed") return "connection_failed";
  if (version === "alipay") return judgeAlipay(reply.status, reply.body);
  return version === "v2" ? judgeV2(reply.status, reply.body) : judgeV3(reply.status);
}

/** Only the seven characters accept. */
function judgeAlipay(status: number, body: string): Judgement {
  if (status >= 400 || body === "failure") return "refused";
  if (status !== 200) return "wrong_status";
  return body === "success" ? "accepted" : "wrong_body";
}

/** Only 200 with return_code SUCCESS, in CDATA or not, accepts. */
function judgeV2(status: number, body: string): Judgement {
  const code = returnCode(body);
  if (code === "FAIL") return "refused";
  if (status !== 200) return status >= 400 ? "refused" : "wrong_status";
  return code === "SUCCESS" ? "accepted" : "wrong_body";
}

function returnCode(body: string): string | undefined {
  try {
    return readXmlV2(body)["return_code"];
  } catch (error) {
    if (error instanceof XmlFormatError) return undefined;
    throw error;
  }
}

/** 200 and 204 accept, whatever the body contains. */
function judgeV3(status: number): Judgement {
  if (status === 200 || status === 204) return "accepted";
  return status >= 400 ? "refused" : "wrong_status";
}
