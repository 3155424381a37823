/**
 * The one way by which a payment call of either version is answered: it is performed, its outcome is written in the words
 * of its version, and the exact bytes are sent. Faults and the record of calls take hold here.
 */
import type { Response } from "express";
import type { PayCall, PayVersion } from "../../../contract/payment-terms.ts";
import { PaymentRefusal, type CodePaymentCase } from "../ledger/ledger.ts";

/** The calls of both versions, by one name. */
export type CallName = PayCall;

/** A call whose sender and form have been checked. */
export interface Call {
  readonly name: CallName;
  readonly version: PayVersion;
  readonly mchId: string;
  /** Where the call names it; of a call that names a transaction or a refund, it is taken from what was performed. */
  readonly outTradeNo?: string | undefined;
  readonly transactionId?: string | undefined;
  /** Of refund and query refund, where the call names it. */
  readonly outRefundNo?: string | undefined;
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
  /** Bytes for what is no text (a compressed bill). */
  readonly body: string | Uint8Array;
}

/** What a fault asks of a call while it is performed. */
export interface CallHints {
  /** Of micropay: how the payment goes on, if not as its amount and code say. */
  readonly codePayment?: CodePaymentCase | undefined;
}

/**
 * How a version performs a call and writes what came of it. Orders and refunds of the ledger stand in the value as they
 * are (it is an `Order` or a `Refund`, or has them as members or in lists), so that a fault can make a query lie: `write`
 * uses nothing else to tell their state.
 */
export interface CallHandling<Value> {
  perform: (hints: CallHints) => Promise<Value>;
  write: (outcome: Outcome<Value>) => WireReply;
}

export type AnswerCall = <Value>(res: Response, call: Call, handling: CallHandling<Value>) => Promise<void>;

export const answerCall: AnswerCall = async (res, _call, { perform, write }) => {
  send(res, write(await outcomeOf(() => perform({}))));
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
