/**
 * Every payment call of either version is answered here: it is performed, its outcome is written in its version's
 * format, and the exact bytes are sent. Faults and the record of calls apply at this point.
 */
import type { ServerResponse } from "node:http";
import type { PayCall, PayWire } from "../../../contract/provider/payment-terms.ts";
import type { CodePaymentCase, PaymentRefusal } from "../ledger/ledger.ts";

/** The calls of both versions under common names. */
export type CallName = PayCall;

/** A call whose sender and form are verified. */
export interface PaymentCall {
  readonly name: CallName;
  readonly version: PayWire;
  readonly mchId: string;
  /** If the call names it. For a call that names a transaction or a refund, it is taken from the result. */
  readonly outTradeNo?: string | undefined;
  readonly transactionId?: string | undefined;
  /** For refunds and refund queries, if the call names it. */
  readonly outRefundNo?: string | undefined;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** As received. */
  readonly body: string;
}

export type CallOutcome<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: PaymentRefusal };

/** The reply's bytes, already signed if the version signs. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes for content that is not text (a compressed bill). */
  readonly body: string | Uint8Array;
}

/** A fault's instructions for performing a call. */
export interface CallHints {
  /** For micropay: how the payment continues, if its amount and code do not decide. */
  readonly codePayment?: CodePaymentCase | undefined;
}

/**
 * How a version performs a call and writes its outcome. The value contains the ledger's orders and refunds unchanged
 * (it is an `Order` or a `Refund`, or has some as members or in lists), so that a fault can falsify a query. `write`
 * must read their state from nowhere else.
 */
export interface CallHandling<Value> {
  perform: (hints: CallHints) => Promise<Value>;
  write: (outcome: CallOutcome<Value>) => WireReply | Promise<WireReply>;
}

export type AnswerCall = <Value>(
  res: ServerResponse,
  call: PaymentCall,
  handling: CallHandling<Value>,
) => Promise<void>;
