/** What faults ask for one call, as the code that answers calls sees it. */
import type { Call, CallHints, Outcome, WireReply } from "./answer-call.ts";

export interface CallPlan {
  /** Those that took hold. */
  readonly faults: readonly number[];
  readonly hints: CallHints;
  /** Ms to wait before the call is carried out, and before it is answered. */
  readonly waitBefore: number;
  readonly waitAfter: number;
  /** False: it is not carried out. */
  readonly performs: boolean;
  /** What its sender is told came of it; undefined: it is answered by `reply` alone. */
  report<Value>(outcome: Outcome<Value> | undefined): Outcome<Value> | undefined;
  /** The bytes to send. @param written those that tell the truth; undefined where nothing was performed and told */
  reply(written: WireReply | undefined): WireReply;
  /** `half`: the connection breaks off within the body. `nothing`: it is held open. */
  readonly sends: "all" | "half" | "nothing" | "reset";
  /** What the record says came of it, where its sender cannot know. */
  readonly outcome: string | undefined;
  /** After it was carried out, before it is answered. */
  performed(): Promise<void>;
  /** After it was answered; nobody waits for it. */
  answered(): void;
}

export interface CallFaults {
  /** Undefined where nothing goes wrong; at once where there are no faults at all. */
  plan(call: Call): Promise<CallPlan | undefined> | undefined;
}
