/** Writes down what was refused because of its sender or its form: its order is only claimed, but there it is looked for. */
import type { Ledger } from "../ledger/ledger.ts";
import type { Call, WireReply } from "./answer-call.ts";
import type { CallRecorder } from "./call-log.ts";
import { orderOfCall } from "./order-of-call.ts";

/** @param code of the refusal */
export type RecordRefused = (call: Call, reply: WireReply, code: string) => Promise<void>;

interface Deps {
  readonly log: Pick<CallRecorder, "add">;
  readonly ledger: Pick<Ledger, "find" | "refunds" | "orderOf">;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Of a call that names no order nothing is kept: nobody could ask for it. */
export function createRecordRefused({ log, ledger, now }: Deps): RecordRefused {
  return async (call, { status, body: reply }, code) => {
    const order = await orderOfCall(ledger, call);
    if (!order) return;
    const { name, version, method, target, body } = call;
    log.add({
      ...order,
      ...{ name, version, method, target, body },
      status,
      reply: typeof reply === "string" ? reply : "",
      outcome: code,
      performed: false,
      faults: [],
      at: now(),
      durationMs: 0,
    });
  };
}
