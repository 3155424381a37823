/** Faults of the identity API, which act before and around the calls that it serves. */
import type { ServerResponse } from "node:http";
import type { IdentityCall, IdentityErrcode } from "../../../contract/provider/sim-identity-faults.ts";
import type { SimFaultKind } from "../../../contract/provider/sim-faults.ts";
import { pauseUnlessLeft } from "../../../http/connection/bodies/pause-unless-left.ts";
import { sendText } from "../../../http/conventions/send-json.ts";
import type { ActiveFault, FaultStore } from "./fault-store.ts";

/** At most one of these hits a call. */
const deciding = [
  "identity_errcode",
  "identity_http_status",
  "identity_no_answer",
  "identity_reset",
  "identity_truncated",
] as const satisfies readonly SimFaultKind[];
const kinds = [...deciding, "identity_slow"] as const;

type Deciding = ActiveFault<(typeof deciding)[number]>;

/** Answers a call by `perform`, unless a fault keeps it from that. */
export type IdentityFaults = (call: IdentityCall, res: ServerResponse, perform: () => Promise<void>) => Promise<void>;

/** @param refuse returns the error for an errcode, in the identity API's form */
export function createIdentityFaults(store: FaultStore, refuse: (errcode: IdentityErrcode) => Error): IdentityFaults {
  return async (call, res, perform) => {
    if (store.isEmpty()) return perform();
    const { delayMs, decider } = takeHold(store, call);
    await store.saved();
    if (delayMs > 0) await pauseUnlessLeft(res, delayMs);
    await (decider ? misbehave(res, perform, decider, refuse) : perform());
  };
}

function takeHold(store: FaultStore, call: IdentityCall): { delayMs: number; decider: Deciding | undefined } {
  let delayMs = 0;
  let decider: Deciding | undefined;
  for (const fault of store.of(kinds, {})) {
    const { input } = fault;
    const slow = input.kind === "identity_slow";
    if (input.params.calls?.includes(call) === false || (!slow && decider) || !store.hit(fault)) continue;
    if (slow) delayMs += input.params.delay_ms;
    else decider = fault as Deciding;
  }
  return { delayMs, decider };
}

async function misbehave(
  res: ServerResponse,
  perform: () => Promise<void>,
  { input }: Deciding,
  refuse: (errcode: IdentityErrcode) => Error,
): Promise<void> {
  switch (input.kind) {
    case "identity_errcode":
      throw refuse(input.params.errcode);
    case "identity_http_status":
      sendText(
        res,
        input.params.status,
        "text/html; charset=utf-8",
        `<html><body><h1>${String(input.params.status)}</h1></body></html>`,
      );
      return;
    case "identity_no_answer":
      return;
    case "identity_reset":
      res.socket?.resetAndDestroy();
      return;
    case "identity_truncated":
      breakOff(res);
      await perform();
  }
}

/** Sends half of the answer that follows. */
function breakOff(res: ServerResponse): void {
  const end = res.end.bind(res);
  res.end = ((chunk?: unknown) => {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return end();
    const bytes = Buffer.from(chunk);
    res.write(bytes.subarray(0, bytes.length / 2), () => res.socket?.destroy());
    return res;
  }) as typeof res.end;
}
