/** Faults of the identity API, which act before and around the calls that it serves. */
import type { ServerResponse } from "node:http";
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import type {
  IdentityCall,
  IdentityErrcode,
  identityFaultSchemas,
} from "../../../contract/provider/sim-identity-faults.ts";
import { pauseUnlessLeft } from "../../../http/connection/bodies/pause-unless-left.ts";
import { sendText } from "../../../http/conventions/send-json.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import { faultMarkOf, type FaultRef } from "../calls/fault-ref.ts";
import type { FaultStore } from "./fault-store.ts";

/** Answers a call by `perform`, unless a fault keeps it from that. */
export type IdentityFaults = (call: IdentityCall, res: ServerResponse, perform: () => Promise<void>) => Promise<void>;

/** A call that a fault answers. `refuse` returns the error for an errcode, in the identity API's form. */
interface Hit {
  readonly res: ServerResponse;
  readonly perform: () => Promise<void>;
  readonly refuse: (errcode: IdentityErrcode) => Error;
}

type IdentityFaultKind = (typeof identityFaultSchemas)[number]["shape"]["kind"]["value"];
/** The kinds of which at most one hits a call. A kind without an answer here does not compile. */
type AnsweringKind = Exclude<IdentityFaultKind, "identity_slow">;

const answers = {
  identity_errcode({ refuse }, { errcode }) {
    throw refuse(errcode);
  },
  identity_http_status({ res }, { status }) {
    const page = `<html><body><h1>${String(status)}</h1></body></html>`;
    sendText(res, status, "text/html; charset=utf-8", page);
  },
  identity_no_answer: () => undefined,
  identity_reset: ({ res }) => void res.socket?.resetAndDestroy(),
  identity_truncated({ res, perform }) {
    breakOff(res);
    return perform();
  },
} satisfies { [Kind in AnsweringKind]: (hit: Hit, params: SimFaultOf<Kind>["params"]) => Promise<void> | void };

const kinds = [...(Object.keys(answers) as AnsweringKind[]), "identity_slow"] as const;

export function createIdentityFaults(store: FaultStore, refuse: Hit["refuse"]): IdentityFaults {
  return async (call, res, perform) => {
    if (store.isEmpty()) return perform();
    const { delayMs, answer, hits } = hitBy(store, call);
    if (hits.length > 0) notesOf(res).faults = hits.map(faultMarkOf);
    await store.saved();
    if (delayMs > 0) await pauseUnlessLeft(res, delayMs);
    await (answer ? answer({ res, perform, refuse }) : perform());
  };
}

function hitBy(store: FaultStore, call: IdentityCall) {
  let delayMs = 0;
  let answer: ((hit: Hit) => Promise<void> | void) | undefined;
  const hits: FaultRef[] = [];
  for (const fault of store.of(kinds, {})) {
    const { kind, params } = fault.input;
    const isSlow = kind === "identity_slow";
    if (params.calls?.includes(call) === false || (!isSlow && answer) || !store.hit(fault)) continue;
    hits.push({ id: fault.id, kind });
    if (isSlow) delayMs += params.delay_ms;
    else answer = (hit) => (answers[kind] as (hit: Hit, params: unknown) => Promise<void> | void)(hit, params);
  }
  return { delayMs, answer, hits };
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
