/** The effect of faults on one call, as the code that answers calls sees it. */
import type { FaultRef } from "./fault-ref.ts";
import type { PaymentCall, CallHints, CallOutcome, WireReply } from "./answer-call.ts";

export interface CallPlan {
  /** The faults that hit the call. */
  readonly faults: readonly FaultRef[];
  readonly hints: CallHints;
  /** Ms to wait before the call is performed, and before it is answered. */
  readonly waitBefore: number;
  readonly waitAfter: number;
  /** Whether the call is performed. */
  readonly performs: boolean;
  /** The outcome that is reported to the sender; undefined: only `reply` decides. */
  report<Value>(outcome: CallOutcome<Value> | undefined): CallOutcome<Value> | undefined;
  /** The bytes to send. @param written the true reply; undefined if nothing was performed and reported */
  reply(written: WireReply | undefined): WireReply | Promise<WireReply>;
  /** `half`: the connection breaks within the body. `nothing`: it stays open without a reply. */
  readonly sends: "all" | "half" | "nothing" | "reset";
  /** The recorded outcome, if the sender cannot know it. */
  readonly outcome: string | undefined;
  /** Called after the call was performed, before it is answered. */
  performed(): Promise<void>;
  /** Called after the answer; nobody waits for it. */
  answered(): void;
}

export interface CallFaults {
  /** Undefined if no fault applies; synchronous if there are no faults at all. */
  plan(call: PaymentCall): Promise<CallPlan | undefined> | undefined;
}
