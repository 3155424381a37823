/**
 * The one way by which a payment call of either version is answered: it is performed, its outcome is written in the words
 * of its version, and the exact bytes are sent. Faults and the record of calls take hold here.
 */
import type { ServerResponse } from "node:http";
import type { PayCall, PayVersion } from "../../../contract/provider/payment-terms.ts";
import type { CodePaymentCase, PaymentRefusal } from "../ledger/ledger.ts";

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

export type AnswerCall = <Value>(res: ServerResponse, call: Call, handling: CallHandling<Value>) => Promise<void>;
