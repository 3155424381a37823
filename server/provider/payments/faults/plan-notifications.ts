import type { FaultRef } from "../calls/fault-ref.ts";
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import { holdSteps, isHold, toRepeat, type FaultedOrder, type FaultedOrders } from "./faulted-orders.ts";
import type { FaultStore } from "./fault-store.ts";
import {
  changedMessage,
  hasPart,
  messageKinds,
  type ChangedMessage,
  type DeliveryFaultKind,
  type MessageFaultKind,
} from "./message-faults.ts";
import {
  genuineDelivery,
  type DueNotification,
  type NotificationFaults,
  type NotificationPlan,
  type PlannedDelivery,
} from "./notification-faults.ts";
import type { UnscheduledNotifications } from "./unscheduled-notifications.ts";

interface Deps {
  readonly store: FaultStore;
  readonly orders: FaultedOrders;
  readonly unscheduled: Pick<UnscheduledNotifications, "heldUntil" | "release">;
  /** Unix time in ms. */
  readonly now: () => number;
}

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

const emptyDraft = (): Draft => ({
  faults: [],
  changed: undefined,
  delayMs: 0,
  copies: { count: 1, together: false, gapMs: 0 },
  repeats: [],
  dropped: false,
});

const isMessageKind = (kind: MessageFaultKind | DeliveryFaultKind): kind is MessageFaultKind =>
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

/** Decides which faults hit a due delivery, and what is delivered instead. */
export class DeliveryPlanner implements NotificationFaults {
  readonly #deps: Deps;
  /** The payment notifications that follow each delivery in progress. */
  readonly #followers = new WeakMap<DueNotification, readonly FaultedOrder[]>();
  /** Undefined: the fault does not apply to this delivery. A kind without an effect does not compile. */
  readonly #effects: {
    readonly [Kind in DeliveryFaultKind]: (hit: Hit, params: SimFaultOf<Kind>["params"]) => Effect | undefined;
  } = {
    notification_lost: () => (draft) => void (draft.dropped = true),
    notification_duplicate: (_hit, { copies, concurrent, gap_ms }) => {
      const planned = { count: copies, together: concurrent, gapMs: gap_ms };
      return (draft) => void (draft.copies = planned);
    },
    notification_delayed: (hit, { by_ms, until }) => {
      if (by_ms !== undefined) return (draft) => void (draft.delayMs += by_ms);
      if (until === "queried") return this.#hold(hit, holdSteps.queried);
      const over = hit.due.order.expiresAt + 1000;
      return over <= this.#deps.now() ? undefined : this.#hold(hit, holdSteps.expired, over);
    },
    notification_order: (hit, { how }) => {
      if (how === "refund_first" && !hit.due.refund) return this.#hold(hit, holdSteps.refund);
      if (how === "older_after_newer" && hit.due.refund) return (draft) => void draft.repeats.push(hit.id);
      return undefined;
    },
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async plan(due: DueNotification): Promise<NotificationPlan> {
    const { store, orders } = this.#deps;
    if (store.isEmpty()) return { deliveries: [genuineDelivery(due)], lostTo: [] };
    const refundId = due.refund?.refundId ?? "";
    const begun = (await orders.of(due.order)).filter((row) => row.refundId === refundId);
    const holding = begun.filter(isHold);
    if (holding.length > 0) return { deliveries: [], lostTo: holding.map(({ faultId }) => this.#refTo(faultId)) };
    const released = new Set(begun.filter(({ step }) => step === "").map(({ faultId }) => faultId));
    const draft = await this.#draft(due, released);
    if (!draft.dropped) this.#followers.set(due, await this.#findFollowers(due, draft.repeats));
    await store.saved();
    if (draft.dropped) return { deliveries: [], lostTo: draft.faults };
    const first = { ...(draft.changed ?? genuineDelivery(due)), delayMs: draft.delayMs, together: false };
    return { deliveries: copiesOf({ ...first, faults: draft.faults }, draft.copies), lostTo: [] };
  }

  async delivered(due: DueNotification): Promise<void> {
    for (const row of this.#followers.get(due) ?? []) await this.#deps.unscheduled.release(row);
  }

  async #draft(due: DueNotification, released: ReadonlySet<number>): Promise<Draft> {
    const { store } = this.#deps;
    const draft = emptyDraft();
    for (const fault of store.of([...messageKinds, ...this.#deliveryKinds], due.order)) {
      const { id, input } = fault;
      if (!hasPart(due.content, input.kind, input.params)) continue;
      if (draft.changed && isMessageKind(input.kind)) continue;
      const effect = this.#effectOf(input, { id, due, released });
      if (!effect || !store.hit(fault)) continue;
      draft.faults.push({ id, kind: input.kind });
      await effect(draft);
      if (draft.dropped) break;
    }
    return draft;
  }

  get #deliveryKinds() {
    return Object.keys(this.#effects) as DeliveryFaultKind[];
  }

  #effectOf({ kind, params }: SimFaultOf<MessageFaultKind | DeliveryFaultKind>, hit: Hit): Effect | undefined {
    if (isMessageKind(kind)) return (draft) => void (draft.changed = changedMessage(kind, hit.due, params));
    return (this.#effects[kind] as (hit: Hit, params: unknown) => Effect | undefined)(hit, params);
  }

  /** A fault holds a notification once: a notification that is refused after its release is repeated on its schedule. */
  #hold({ id: faultId, due, released }: Hit, step: string, dueAt?: number): Effect | undefined {
    if (released.has(faultId)) return undefined;
    const { mchId, outTradeNo } = due.order;
    const key = { faultId, mchId, outTradeNo, refundId: due.refund?.refundId ?? "" };
    return async (draft) => {
      await this.#deps.orders.begin(key, { step, dueAt });
      if (dueAt !== undefined) this.#deps.unscheduled.heldUntil({ ...key, count: 0, step, dueAt });
      draft.dropped = true;
    };
  }

  /** Notifications that wait for the delivery of a refund's, including those from before a restart. */
  async #findFollowers({ order, refund }: DueNotification, repeats: readonly number[]) {
    if (!refund) return [];
    const { orders } = this.#deps;
    const { refundId } = refund;
    for (const faultId of repeats) await orders.beginAgain({ ...order, faultId, refundId }, { step: toRepeat });
    return (await orders.of(order)).filter(
      (row) => row.step === holdSteps.refund || (row.step === toRepeat && row.refundId === refundId),
    );
  }

  #refTo(id: number): FaultRef {
    return { id, kind: this.#deps.store.byId(id)?.input.kind ?? "" };
  }
}
