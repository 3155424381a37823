/** The meaning of a receiver's reply, even if its form is wrong: another row checks the form. */
import type { DeliveryResult } from "../faults/notification-faults.ts";
import type { JudgedDelivery } from "../faults/sendings.ts";
import type { TriedPush } from "../message-push/push-under-test.ts";

/** `nothing`: no reply, or none in time. */
type ClaimedResult = "yes" | "no" | "nothing";

const means = {
  yes: /success|\bok\b/i,
  no: /fail|error|refus|reject|invalid|denied/i,
};

/** Version 2, status 200, and a body that is not the required XML. */
const bySomeBody = (body: string): ClaimedResult => {
  if (means.no.test(body)) return "no";
  return body.trim() === "" || means.yes.test(body) ? "yes" : "no";
};

function claimedResult({ verdict, status, reply }: DeliveryResult): ClaimedResult {
  switch (verdict) {
    case "accepted":
    case "believed":
      return "yes";
    case "wrong_status":
      return status >= 200 && status < 300 ? "yes" : "no";
    case "wrong_body":
      return bySomeBody(reply);
    case "refused":
      return "no";
    case "slow":
    case "connection_failed":
    case "lost":
    case undefined:
      return "nothing";
  }
}

const maxCharacters = 60;

/** XML without its tags, on one line. */
const plain = (body: string) =>
  body
    .replaceAll(/<!\[CDATA\[|\]\]>/g, "")
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** A short text for the report. */
function inWords(delivery: DeliveryResult): string {
  const { verdict, status, reply } = delivery;
  if (verdict === "slow") return "no answer in time";
  if (verdict === "connection_failed" || status === 0) return "no answer";
  const body = plain(reply);
  const quoted = body.length > maxCharacters ? `${body.slice(0, maxCharacters)}…` : body;
  // A perfectly correct reply is not quoted.
  return `${claimedResult(delivery)} (HTTP ${String(status)}${quoted === "" || delivery.accepted ? "" : `: ${quoted}`})`;
}

export interface SentDelivery extends JudgedDelivery {
  readonly claimed: ClaimedResult;
  readonly words: string;
}

export const sentDelivery = (one: JudgedDelivery): SentDelivery => ({
  ...one,
  claimed: claimedResult(one),
  words: inWords(one),
});

/** The delivery of a message of message push. */
export function sentPush({ request, reply, isTaken }: TriedPush, isForged: boolean): SentDelivery {
  const taken = isForged ? "believed" : "accepted";
  const verdicts = { answered: isTaken ? taken : "refused", late: "slow", failed: "connection_failed" } as const;
  return sentDelivery({
    request,
    status: reply.kind === "answered" ? reply.status : 0,
    reply: reply.kind === "answered" ? reply.body : "",
    accepted: isTaken,
    verdict: verdicts[reply.kind],
    trusted_result_code: false,
    expected: isForged ? "refuse" : "accept",
  });
}
