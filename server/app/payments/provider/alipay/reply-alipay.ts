/** Reads a reply of Alipay's gateway: the signature over its member's exact text first, then the codes. */
import type { KeyObject } from "node:crypto";
import { z } from "zod";
import { message } from "../../../../contract/messages/message.ts";
import type { MerchantCall } from "../../../../contract/provider/payment-errors/error-codes.ts";
import { isSignedV3 } from "../../../../payment-wire/signature-v3.ts";
import { done, refused, unanswered, UnfitReply, unknown } from "../call-results.ts";
import { leavesOpen } from "../error-codes.ts";
import type { CallResult } from "../provider-client.ts";
import type { HttpAnswer } from "../provider-connection.ts";
import { readJsonOnce } from "../read-json-once.ts";
import { codeOfAlipay } from "./codes-alipay.ts";

const membersSchema = z.looseObject({
  code: z.string(),
  msg: z.string().default(""),
  sub_code: z.string().optional(),
  sub_msg: z.string().optional(),
});
const replySchema = z.looseObject({ sign: z.string().optional() });

/** The gateway asks to query: the buyer is entering the password, or it does not know. */
const undecided: Readonly<Partial<Record<string, string>>> = { "10003": "USERPAYING", "20000": "SYSTEMERROR" };

interface Options {
  readonly call: MerchantCall;
  readonly method: string;
  readonly key: KeyObject;
}

/** The members of a successful reply as JSON. An unsigned reply decides nothing. */
export function readReplyAlipay(answer: HttpAnswer, { call, method, key }: Options): CallResult<unknown> {
  if ("failed" in answer) return unanswered(answer);
  const reply = { httpStatus: answer.status };
  if (answer.status !== 200) return unknown("http_status", message("reply.http", { status: answer.status }), reply);
  const text = answer.body.toString("utf8");
  const name = `${method.replaceAll(".", "_")}_response`;
  const read = membersOf(text, name);
  if (!read) return unknown("malformed", message("reply.lacks", { what: name }), reply);
  const { members, signed, sign } = read;
  const { code, msg, sub_code: subCode, sub_msg: description = msg } = members;
  const word = undecided[code] ?? (subCode === undefined ? code : codeOfAlipay(subCode, call));
  if (sign === undefined || !isSignedV3(signed, sign, key))
    return unknown(
      "bad_signature",
      message("reply.claims", {
        problem: message("reply.notAlipay"),
        claimed: message("reply.claim", { code: word, claim: description }),
      }),
      reply,
      word,
    );
  if (code === "10000") return done(members, reply);
  if (undecided[code] !== undefined || leavesOpen(word, call)) return unknown("undecided", description, reply, word);
  return refused(word, description, reply);
}

function membersOf(text: string, name: string) {
  try {
    const json = z.record(z.string(), z.unknown()).parse(readJsonOnce(text));
    const used = Object.hasOwn(json, name) ? name : "error_response";
    const members = membersSchema.parse(json[used]);
    return { members, signed: textOfMember(text, used), sign: replySchema.parse(json).sign };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** The text of an object's member, exactly as in a well-formed text whose names are all different. */
function textOfMember(text: string, name: string): string {
  let depth = 0;
  let start = -1;
  for (const { 0: token, 1: named, index } of text.matchAll(/"((?:[^"\\]|\\.)*)"|[{}[\]]/gs)) {
    if (token === "{" || token === "[") {
      if (depth === 1 && start === 0) start = index;
      depth += 1;
    } else if (token === "}" || token === "]") {
      depth -= 1;
      if (depth === 1 && start > 0) return text.slice(start, index + 1);
    } else if (depth === 1 && start < 0 && named === name) start = 0;
  }
  return "";
}

/** @throws UnfitReply */
export function readMembers<Schema extends z.ZodType>(schema: Schema, reply: unknown): z.output<Schema> {
  const read = schema.safeParse(reply);
  if (read.success) return read.data;
  const what = read.error.issues[0]?.path.join(".") ?? "";
  throw new UnfitReply("malformed", message("reply.lacks", { what }));
}
