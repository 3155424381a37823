/** The record of the calls that merchants made: what the control routes show of an order, and what verdicts go by. */
import type { PayVersion } from "../../../contract/payment-terms.ts";
import type { CallName } from "./answer-call.ts";

/** The order of a merchant, by its own number. */
export interface LoggedOrder {
  readonly mchId: string;
  readonly outTradeNo: string;
}

export interface LoggedCall {
  readonly id: number;
  readonly name: CallName;
  readonly version: PayVersion;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** As received; long bodies are cut. */
  readonly body: string;
  /** HTTP status of the reply; 0 where the caller got none. */
  readonly status: number;
  /** As sent; long bodies are cut. */
  readonly reply: string;
  /**
   * SUCCESS, the code of a refusal, or, where a fault kept the caller from knowing, what the fault did (`no_answer`,
   * `reset`, `http_status` …).
   */
  readonly outcome: string;
  /** True when the call changed or told the ledger's state, whatever the caller was told. */
  readonly performed: boolean;
  /** Faults that took hold of it. */
  readonly faults: readonly number[];
  /** Unix ms at which it came, and how long it took. */
  readonly at: number;
  readonly durationMs: number;
}

export interface CallLog {
  /** The latest calls about an order, oldest first. */
  of(order: LoggedOrder): Promise<LoggedCall[]>;
  /**
   * Whether the merchant was told the state of the order by a query that was under way at some time from `from` to `to`
   * (Unix ms, both included); a query whose reply could not be believed does not count.
   */
  queriedBetween(order: LoggedOrder, from: number, to: number): Promise<boolean>;
}
