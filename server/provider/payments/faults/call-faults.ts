/** Decides which faults hit a call, and their combined effect. */
import type { PaymentCall, CallName, CallOutcome, WireReply } from "../calls/answer-call.ts";
import type { CallFaults, CallPlan } from "../calls/call-plan.ts";
import type { FaultRef } from "../calls/fault-ref.ts";
import { withOrders } from "../calls/ledger-values.ts";
import { orderOfCall } from "../calls/order-of-call.ts";
import type { Ledger } from "../ledger/ledger.ts";
import {
  callFaultKinds,
  createCallEffects,
  emptyEffectDraft,
  reportedAsFailed,
  type CallFaultKind,
  type EffectDraft,
  type EffectDeps,
  type CallHit,
} from "./call-effects.ts";
import type { CodePayments, OrderName } from "./code-payments.ts";
import { inState } from "./false-orders.ts";
import type { ActiveFault, FaultStore } from "./fault-store.ts";
import type { FaultedOrders } from "./faulted-orders.ts";
import type { UnscheduledNotifications } from "./unscheduled-notifications.ts";

interface Deps extends EffectDeps {
  readonly store: FaultStore;
  readonly orders: FaultedOrders;
  readonly codePayments: CodePayments;
  readonly ledger: Pick<Ledger, "find" | "refunds" | "orderOf" | "pay">;
  readonly unscheduled: Pick<UnscheduledNotifications, "queried">;
}

type CallFault = ActiveFault<CallFaultKind>;

const kinds = Object.keys(callFaultKinds) as CallFaultKind[];

/** The only call that some kinds apply to. */
const onlyCalls: Readonly<Partial<Record<CallFaultKind, CallName>>> = {
  wrong_amount: "orderquery",
  trade_state: "orderquery",
  order_not_exist: "orderquery",
  user_paying: "micropay",
  pay_error: "micropay",
  close_race: "closeorder",
};

/** Whether a fault applies to this kind of call. */
function isFor({ input: { kind, params } }: CallFault, { name, version }: PaymentCall): boolean {
  if ("where" in params && params.where === "notification") return false;
  if (kind === "key_switched" && version !== "v3") return false;
  const only = onlyCalls[kind];
  if (only !== undefined) return name === only;
  return "calls" in params ? (params.calls?.includes(name) ?? true) : true;
}

/** The number of queries per order that it applies to; undefined: all of them. */
const firstQueries = ({ input }: CallFault): number | undefined =>
  input.kind === "trade_state" || input.kind === "order_not_exist" ? input.params.queries : undefined;

const emptyReply: WireReply = { status: 0, headers: {}, body: "" };

function toPlan(draft: EffectDraft, faults: readonly FaultRef[], answered: () => void): CallPlan {
  const { hints, waitBefore, waitAfter, performs, refusal, refusalOfDone, lies, sends, outcome } = draft;
  return {
    faults,
    hints,
    waitBefore,
    waitAfter,
    performs,
    sends,
    outcome,
    report<Value>(performed: CallOutcome<Value> | undefined): CallOutcome<Value> | undefined {
      const instead = refusal ?? (performed?.ok ? refusalOfDone : undefined);
      if (instead) return { ok: false, refusal: instead };
      if (!performed?.ok || lies.length === 0) return performed;
      const value = withOrders(performed.value, (order) => lies.reduce((falsified, lie) => lie(falsified), order));
      return { ok: true, value };
    },
    reply: (written) => draft.replyInstead ?? draft.alter(written ?? emptyReply),
    async performed() {
      for (const step of draft.performed) await step();
    },
    answered,
  };
}

export function createCallFaults(deps: Deps): CallFaults {
  const { store, orders, codePayments, ledger, unscheduled, now } = deps;
  const effects = createCallEffects(deps);
  const apply = effects as Record<
    CallFaultKind,
    (draft: EffectDraft, params: unknown, hit: CallHit) => Promise<void> | void
  >;

  async function isOver(fault: CallFault, order: OrderName | undefined): Promise<boolean> {
    const queries = firstQueries(fault);
    if (queries === undefined) return false;
    if (order === undefined) return true;
    const { mchId, outTradeNo } = order;
    return (await orders.count({ faultId: fault.id, mchId, outTradeNo })) >= queries;
  }

  /** A payment that was reported as failed stays so for a while. */
  async function keepFailing(draft: EffectDraft, order: OrderName): Promise<void> {
    for (const row of (await orders.of(order)).filter(({ step }) => step === reportedAsFailed)) {
      const input = store.byId(row.faultId)?.input;
      const before = await orders.countBegun(row);
      if (input?.kind !== "pay_error" || !before) continue;
      if (before.count < input.params.queries) draft.lies.push((order) => inState(order, "PAYERROR", now()));
      else await orders.end(row);
    }
  }

  async function plan(call: PaymentCall): Promise<CallPlan | undefined> {
    const order = await orderOfCall(ledger, call);
    const draft = emptyEffectDraft();
    const hits: FaultRef[] = [];
    const decided = new Set<string>();
    if (order) await codePayments.advance(order, call.name);
    if (order && call.name === "orderquery") await keepFailing(draft, order);
    for (const fault of store.of(kinds, { mchId: call.mchId, outTradeNo: order?.outTradeNo })) {
      const decides = callFaultKinds[fault.input.kind];
      if ((decides && decided.has(decides)) || !isFor(fault, call)) continue;
      if ((await isOver(fault, order)) || !store.hit(fault)) continue;
      if (decides) decided.add(decides);
      hits.push({ id: fault.id, kind: fault.input.kind });
      await apply[fault.input.kind](draft, fault.input.params, { faultId: fault.id, call, order });
    }
    await store.saved();
    return toPlan(draft, hits, () => {
      if (order && call.name === "orderquery") unscheduled.queried(order);
    });
  }

  return { plan: (call) => (store.isEmpty() ? undefined : plan(call)) };
}
