/** Decides which faults hit a due delivery, and what is delivered instead. */
import type { SimFaultInput, SimFaultKind } from "../../../contract/provider/sim-faults.ts";
import type { FaultedOrder, FaultedOrders } from "./faulted-orders.ts";
import type { ActiveFault, FaultStore } from "./fault-store.ts";
import {
  hasPart,
  messageChanges,
  messageKinds,
  type ChangedMessage,
  type MessageFaultKind,
  type OtherKeys,
} from "./message-faults.ts";
import {
  genuineDelivery,
  type DueNotification,
  type FaultRef,
  type NotificationFaults,
  type NotificationPlan,
  type PlannedDelivery,
} from "./notification-faults.ts";

interface Deps {
  readonly store: FaultStore;
  readonly orders: FaultedOrders;
  readonly otherKeys: OtherKeys;
  /** Called when a notification is held until a recorded time. */
  readonly heldUntil: (row: FaultedOrder) => void;
  /** Sends a notification that waits. Settles once the simulator's stop cannot lose it any more. */
  readonly release: (row: FaultedOrder) => Promise<void>;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Why a notification is held. */
export const holdSteps = { queried: "until_queried", expired: "until_expired", refund: "until_refund" } as const;
/** The step of a refund after whose notification that of the payment comes once more. */
export const toRepeat = "repeat";
export const isHold = ({ step }: FaultedOrder) => (Object.values(holdSteps) as string[]).includes(step);

const kinds = [
  ...messageKinds,
  "notification_lost",
  "notification_delayed",
  "notification_duplicate",
  "notification_order",
] as const satisfies readonly SimFaultKind[];

type NotificationFault = ActiveFault<(typeof kinds)[number]>;

/** The combined effect of the faults so far on a delivery. */
interface Draft {
  faults: FaultRef[];
  changed: ChangedMessage | undefined;
  delayMs: number;
  copies: { count: number; together: boolean; gapMs: number };
  /** The ids of faults that send the payment's notification after this delivery. */
  repeats: number[];
  /** Nothing is delivered now. */
  dropped: boolean;
}

type Effect = (draft: Draft) => Promise<void> | void;

/** A delivery that a fault may take effect on. */
interface Hit {
  /** The fault's id. */
  readonly id: number;
  readonly due: DueNotification;
  /** The ids of faults that have held the notification before. */
  readonly released: ReadonlySet<number>;
}

const isMessageKind = (kind: SimFaultKind): kind is MessageFaultKind =>
  (messageKinds as readonly string[]).includes(kind);

/** Copies of one message. If they are concurrent, a receiver may refuse some while it is busy with the first. */
export function copiesOf(
  first: PlannedDelivery,
  { count, together, gapMs }: Draft["copies"],
): readonly PlannedDelivery[] {
  let written: ReturnType<PlannedDelivery["message"]> | undefined;
  const writtenOnce = () => (written ??= first.message());
  return Array.from({ length: count }, (_none, index) => ({
    ...first,
    ...(together && { message: writtenOnce }),
    ...(index > 0 && { together, delayMs: together ? first.delayMs : gapMs }),
    ...(count > 1 && together && first.expected === "accept" && { expected: "either" as const }),
  }));
}

export function createNotificationFaults(deps: Deps): NotificationFaults {
  const { store, orders, otherKeys, heldUntil, release, now } = deps;
  /** The notifications of the payment that follow each delivery in progress. */
  const following = new WeakMap<DueNotification, readonly FaultedOrder[]>();
  const changes = messageChanges(otherKeys);
  const change = changes as Record<MessageFaultKind, (due: DueNotification, params: unknown) => ChangedMessage>;

  const refTo = (id: number): FaultRef => ({ id, kind: store.byId(id)?.input.kind ?? "" });

  /** A fault holds a notification once: what is refused after its release is repeated on its schedule. */
  function hold({ id: faultId, due, released }: Hit, step: string, dueAt?: number): Effect | undefined {
    if (released.has(faultId)) return undefined;
    const { mchId, outTradeNo } = due.order;
    const key = { faultId, mchId, outTradeNo, refundId: due.refund?.refundId ?? "" };
    return async (draft) => {
      await orders.begin(key, { step, dueAt });
      if (dueAt !== undefined) heldUntil({ ...key, count: 0, step, dueAt });
      draft.dropped = true;
    };
  }

  /** Undefined: the fault does not apply to this delivery. */
  function effectOf(input: NotificationFault["input"], hit: Hit): Effect | undefined {
    const { due } = hit;
    if (isMessageKind(input.kind)) {
      const { kind, params } = input;
      return (draft) => void (draft.changed = change[kind](due, params));
    }
    switch (input.kind) {
      case "notification_lost":
        return (draft) => void (draft.dropped = true);
      case "notification_duplicate": {
        const { copies, concurrent, gap_ms } = input.params;
        return (draft) => void (draft.copies = { count: copies, together: concurrent, gapMs: gap_ms });
      }
      case "notification_delayed":
        return delay(input.params, hit);
      case "notification_order":
        return reorder(input.params.how, hit);
      default:
        return undefined;
    }
  }

  function delay(
    { by_ms, until }: Extract<SimFaultInput, { kind: "notification_delayed" }>["params"],
    hit: Hit,
  ): Effect | undefined {
    if (by_ms !== undefined) return (draft) => void (draft.delayMs += by_ms);
    if (until === "queried") return hold(hit, holdSteps.queried);
    const over = hit.due.order.expiresAt + 1000;
    return over <= now() ? undefined : hold(hit, holdSteps.expired, over);
  }

  function reorder(how: string, hit: Hit): Effect | undefined {
    const { id, due } = hit;
    if (how === "refund_first" && !due.refund) return hold(hit, holdSteps.refund);
    if (how === "older_after_newer" && due.refund) return (draft) => void draft.repeats.push(id);
    return undefined;
  }

  /** Notifications that wait for the delivery of a refund's, including those from before a restart. */
  async function followersOf({ order, refund }: DueNotification, repeats: readonly number[]) {
    if (!refund) return [];
    const { refundId } = refund;
    for (const faultId of repeats) await orders.beginAgain({ ...order, faultId, refundId }, { step: toRepeat });
    return (await orders.of(order)).filter(
      (row) => row.step === holdSteps.refund || (row.step === toRepeat && row.refundId === refundId),
    );
  }

  async function planWithFaults(due: DueNotification): Promise<NotificationPlan> {
    const rows = await orders.of(due.order);
    const own = due.refund?.refundId ?? "";
    const begun = rows.filter((row) => row.refundId === own);
    const released = new Set(begun.filter(({ step }) => step === "").map(({ faultId }) => faultId));
    const holding = begun.filter(isHold);
    if (holding.length > 0) return { deliveries: [], lostTo: holding.map(({ faultId }) => refTo(faultId)) };
    const draft: Draft = {
      faults: [],
      changed: undefined,
      delayMs: 0,
      copies: { count: 1, together: false, gapMs: 0 },
      repeats: [],
      dropped: false,
    };
    for (const fault of store.of(kinds, due.order)) {
      const { id, input } = fault;
      if (!hasPart(due.content, input.kind, input.params)) continue;
      if (draft.changed && isMessageKind(input.kind)) continue;
      const effect = effectOf(input, { id, due, released });
      if (!effect || !store.hit(fault)) continue;
      draft.faults.push({ id, kind: input.kind });
      await effect(draft);
      if (draft.dropped) break;
    }
    if (!draft.dropped) following.set(due, await followersOf(due, draft.repeats));
    await store.saved();
    if (draft.dropped) return { deliveries: [], lostTo: draft.faults };
    const first = { ...(draft.changed ?? genuineDelivery(due)), delayMs: draft.delayMs, together: false };
    return { deliveries: copiesOf({ ...first, faults: draft.faults }, draft.copies), lostTo: [] };
  }

  return {
    plan: async (due) => (store.isEmpty() ? { deliveries: [genuineDelivery(due)], lostTo: [] } : planWithFaults(due)),
    async delivered(due) {
      for (const row of following.get(due) ?? []) await release(row);
    },
  };
}
