/** Reads a reply of version 3: the signature first, then the status, then the JSON. */
import { message, type Text } from "../../../../contract/messages/message.ts";
import { z } from "zod";
import { done, refused, unanswered, UnfitReply, unknown } from "../call-results.ts";
import type { MerchantCall } from "../../../../contract/provider/payment-errors/error-codes.ts";
import { codeOfV2, isKnownCode, leavesOpen } from "../error-codes.ts";
import type { PlatformKeys } from "./keys-v3.ts";
import type { CallResult, ReplyFacts } from "../provider-client.ts";
import type { HttpAnswer } from "../provider-connection.ts";
import { readJsonOnce } from "../read-json-once.ts";
import { distrustOf } from "./verify-v3.ts";

const failureSchema = z.looseObject({ code: z.string(), message: z.string().default("") });

interface Options {
  readonly call: MerchantCall;
  readonly keys: PlatformKeys;
  /** Unix ms by a real clock. */
  readonly now: number;
}

/**
 * The JSON text of a successful call; empty for 204. The code of a signed failure decides; its status does so only where
 * the code is unknown: a final refusal may have 202 (USERPAYING) or 500 (OPENID_MISMATCH). An unsigned reply decides
 * nothing: a success may be forged, and a failure may come from anything between here and the platform (a wrong
 * Authorization is never answered with a signature).
 */
export async function readReplyV3(answer: HttpAnswer, { call, keys, now }: Options): Promise<CallResult<string>> {
  if ("failed" in answer) return unanswered(answer);
  const { status, headers, body } = answer;
  const reply = { httpStatus: status };
  const text = body.toString("utf8");
  const distrust = await distrustOf(headers, text, keys, now);
  if (distrust === undefined && (status === 200 || status === 204)) return done(text, reply);

  const failure = failureOf(text);
  const code = failure && codeOfV2(failure.code, call);
  const claim = failure?.message || message("reply.http", { status });
  const isTrouble = status === 429 || status >= 500;
  if (distrust && !isTrouble)
    return unsigned(distrust.description, failure && code ? message("reply.claim", { code, claim }) : "", reply, code);
  if (distrust || code === undefined) return unknown("http_status", claim, reply, code);
  const isOpen = isKnownCode(code) ? leavesOpen(code, call) : isTrouble || status < 300;
  return isOpen ? unknown(isTrouble ? "http_status" : "undecided", claim, reply, code) : refused(code, claim, reply);
}

const unsigned = (why: Text, claimed: Text, reply: ReplyFacts, code: string | undefined) =>
  unknown("bad_signature", claimed === "" ? why : message("reply.claims", { problem: why, claimed }), reply, code);

function failureOf(text: string) {
  try {
    return failureSchema.safeParse(readJsonOnce(text)).data;
  } catch {
    return undefined;
  }
}

/** @throws UnfitReply for invalid JSON or another form */
export function readJsonReply<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(readJsonOnce(text));
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof z.ZodError)) throw cause;
    const where = cause instanceof z.ZodError ? ` (${cause.issues[0]?.path.join(".") ?? ""})` : "";
    throw new UnfitReply("malformed", message("reply.notJson", { where }));
  }
}
