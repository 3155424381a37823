/** Judges the reply to a notification by the exact rules of both versions. */
import type { NotificationVerdict } from "../../../contract/provider/notification-verdicts.ts";
import type { PayVersion } from "../../../contract/provider/payment-terms.ts";
import { readXmlV2, XmlFormatError } from "../../../payment-wire/xml-v2.ts";
import type { NotificationReply } from "./post-notification.ts";

type Judgement = Exclude<NotificationVerdict, "believed" | "lost">;

export function judge(version: PayVersion, reply: NotificationReply): Judgement {
  if (reply.kind === "late") return "slow";
  if (reply.kind === "failed") return "connection_failed";
  return version === "v2" ? judgeV2(reply.status, reply.body) : judgeV3(reply.status);
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
