/** The rows about message push. They are sent to the receiver that the app has now, and need no order. */
import type { PushForgery, PushKind } from "../message-push/push-under-test.ts";
import type { Case } from "./case.ts";

const right: Record<PushKind, string> = {
  message: "Answer 200 with an empty body or success, also to a copy.",
  verification: "Verify signature, and answer 200 with echostr as the only text.",
};

/** The platform repeats a message until it is accepted, and may do so afterwards. */
const accepts = (kind: PushKind, often: readonly string[]) => async (order: Case) => {
  for (const which of often) {
    const sent = await order.sendPush(kind);
    if (sent.claimed !== "yes") return order.fail(`Reply to ${which}: ${sent.words}. ${right[kind]}`, true);
  }
};

const forgeries: Record<PushForgery, readonly [what: string, remedy: string]> = {
  wrong_token: ["signed with another token", "Compare signature with the SHA-1 of token, timestamp and nonce."],
  unsigned: ["without a signature", "Require signature, and msg_signature in safe mode."],
  changed: ["with another text than the signed one", "Compare msg_signature, which also covers Encrypt."],
};

const refuses = (kind: PushKind) => async (order: Case) => {
  for (const how of order.push().forgeriesOf(kind)) {
    const [what, remedy] = forgeries[how];
    const sent = await order.sendPush(kind, how);
    if (sent.claimed === "yes") order.fail(`It accepted one ${what}. ${remedy}`, true);
    if (sent.claimed === "nothing") order.fail(`Reply to one ${what}: ${sent.words}. Answer with 4xx.`, true);
  }
};

export const pushRows = {
  "push-address": accepts("verification", ["the verification"]),
  "push-address-forged": refuses("verification"),
  push: accepts("message", ["the message", "its copy"]),
  "push-forged": refuses("message"),
};
