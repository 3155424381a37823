/** Records calls that were refused for their sender or form, under the order that they claim to concern. */
import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentCall, WireReply } from "./answer-call.ts";
import { traceColumns } from "../../../trace/span.ts";
import type { CallLog } from "./call-log.ts";
import { orderOfCall } from "./order-of-call.ts";

/** @param code of the refusal */
export type RecordRefused = (call: PaymentCall, reply: WireReply, code: string) => Promise<void>;

interface Deps {
  readonly log: Pick<CallLog, "add">;
  readonly ledger: Pick<Ledger, "find" | "refunds" | "orderOf">;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** A call that names no order is not recorded: nobody could find it. */
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
      span: traceColumns(),
    });
  };
}
