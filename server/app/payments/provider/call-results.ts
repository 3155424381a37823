/** Makes the three outcomes of a call. */
import { inEnglish } from "../../../contract/messages/in-english.ts";
import { message, type Message, type Text } from "../../../contract/messages/message.ts";
import type { HttpAnswer } from "./provider-connection.ts";
import type { CallResult, ReplyFacts, UnknownReason } from "./provider-client.ts";

export const done = <Value>(value: Value, reply: ReplyFacts): CallResult<Value> => ({ outcome: "done", value, reply });

export const refused = (code: string, description: Text, reply: ReplyFacts): CallResult<never> => ({
  outcome: "refused",
  code,
  description,
  reply,
});

export const unknown = (
  reason: UnknownReason,
  description: Text,
  reply: ReplyFacts = {},
  code?: string,
): CallResult<never> => ({ outcome: "unknown", reason, description, reply, code });

export const unanswered = (answer: Extract<HttpAnswer, { failed: unknown }>): CallResult<never> =>
  unknown(answer.failed, answer.description);

export const isRefusedWith = (code: string, result: CallResult<unknown>): boolean =>
  result.outcome === "refused" && result.code === code;

/** A signed reply that does not answer this question. It becomes an unknown outcome. */
export class UnfitReply extends Error {
  override readonly name = "UnfitReply";
  readonly reason: "malformed" | "foreign";
  readonly text: Message;
  constructor(reason: "malformed" | "foreign", text: Message) {
    super(inEnglish(text));
    this.reason = reason;
    this.text = text;
  }
}

/** Maps the value of a result; unknown when `read` throws UnfitReply. */
export function reading<From, To>(result: CallResult<From>, read: (value: From) => To): CallResult<To> {
  if (result.outcome !== "done") return result;
  try {
    return done(read(result.value), result.reply);
  } catch (error) {
    if (error instanceof UnfitReply) return unknown(error.reason, error.text, result.reply);
    throw error;
  }
}

/** @throws UnfitReply when a reply is about something else than the call */
export function mustEqual(what: string, replied: string | undefined, expected: string): void {
  if (replied === undefined) throw new UnfitReply("malformed", message("reply.lacks", { what }));
  if (replied !== expected) throw new UnfitReply("foreign", message("reply.other", { what }));
}
