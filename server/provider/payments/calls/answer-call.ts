/**
 * The one way by which a payment call of either version is answered: it is performed, its outcome is written in the words
 * of its version, and the exact bytes are sent. Faults and the record of calls take hold here.
 */
import type { Response } from "express";
import type { PayVersion } from "../../../contract/payment-terms.ts";
import { PaymentRefusal } from "../ledger/ledger.ts";

/** The calls of both versions, by one name. */
export type CallName =
  | "unifiedorder"
  | "orderquery"
  | "closeorder"
  | "refund"
  | "refundquery"
  | "reverse"
  | "micropay"
  | "downloadbill"
  | "certificates";

/** A call whose sender and form have been checked. */
export interface Call {
  readonly name: CallName;
  readonly version: PayVersion;
  readonly mchId: string;
  readonly outTradeNo?: string | undefined;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** As received. */
  readonly body: string;
}

export type Outcome<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: PaymentRefusal };

/** What goes over the wire: bytes that are signed already where the version signs. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a version performs a call and writes what came of it. */
export interface CallHandling<Value> {
  perform: () => Promise<Value>;
  write: (outcome: Outcome<Value>) => WireReply;
}

export type AnswerCall = <Value>(res: Response, call: Call, handling: CallHandling<Value>) => Promise<void>;

export const answerCall: AnswerCall = async (res, _call, { perform, write }) => {
  send(res, write(await outcomeOf(perform)));
};

async function outcomeOf<Value>(perform: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await perform() };
  } catch (error) {
    if (error instanceof PaymentRefusal) return { ok: false, refusal: error };
    throw error;
  }
}

/** The length in bytes is told: a reply is never cut into chunks. */
function send(res: Response, { status, headers, body }: WireReply): void {
  res.writeHead(status, { ...headers, "Content-Length": String(Buffer.byteLength(body)) });
  res.end(body);
}
