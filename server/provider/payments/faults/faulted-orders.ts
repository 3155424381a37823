/** The state of faults' effects on orders and refunds, and their pending steps. Persists across restarts. */
import type { Kysely, Selectable } from "kysely";
import type { FaultTables } from "./fault-tables.ts";

export interface FaultedOrder {
  readonly faultId: number;
  readonly mchId: string;
  readonly outTradeNo: string;
  /** Empty if it concerns the order; of a redirected refund it may say more than the id. */
  readonly refundId: string;
  /** Queries since then. */
  readonly count: number;
  readonly step: string;
  /** Unix ms. */
  readonly dueAt: number | undefined;
}

/** Identifies the fault and the order. */
interface FaultedOrderKey {
  readonly faultId: number;
  readonly mchId: string;
  readonly outTradeNo: string;
  readonly refundId?: string | undefined;
}

export interface FaultedOrders {
  /** Begins an effect. An earlier one of the same fault and order stays. */
  begin(key: FaultedOrderKey, what: { step: string; dueAt?: number | undefined }): Promise<void>;
  /** As `begin`, also where an earlier one has ended. */
  beginAgain(key: FaultedOrderKey, what: { step: string }): Promise<void>;
  /** Counts a query and returns the previous count; begins if nothing was there. */
  count(key: FaultedOrderKey): Promise<number>;
  /** Counts a query for an effect that has begun. Returns it as it was before, or undefined. */
  countBegun(key: FaultedOrderKey): Promise<FaultedOrder | undefined>;
  /** All effects on an order, by any fault. */
  of(order: { mchId: string; outTradeNo: string }): Promise<FaultedOrder[]>;
  /** All effects on a refund. */
  ofRefund(refundId: string): Promise<FaultedOrder[]>;
  /** Takes the pending step until then. Returns true to one of several callers who have read the same due time. */
  take(row: FaultedOrder, until: number): Promise<boolean>;
  /** Ends the pending step. */
  end(key: FaultedOrderKey): Promise<void>;
  /** The steps with a due time. */
  due(): Promise<FaultedOrder[]>;
}

/** Why a notification is held. */
export const holdSteps = { queried: "until_queried", expired: "until_expired", refund: "until_refund" } as const;
/** The step of a refund whose notification is followed by another one of the payment. */
export const toRepeat = "repeat";
export const isHold = ({ step }: FaultedOrder) => (Object.values(holdSteps) as string[]).includes(step);

type Row = Selectable<FaultTables["sim_fault_orders"]>;

const read = (row: Row): FaultedOrder => ({
  faultId: row.fault_id,
  mchId: row.mch_id,
  outTradeNo: row.out_trade_no,
  refundId: row.refund_id,
  count: row.count,
  step: row.step,
  dueAt: row.due_at ?? undefined,
});

const columns = ({ faultId, mchId, outTradeNo, refundId = "" }: FaultedOrderKey) => ({
  fault_id: faultId,
  mch_id: mchId,
  out_trade_no: outTradeNo,
  refund_id: refundId,
});
const key = ["fault_id", "mch_id", "out_trade_no", "refund_id"] as const;

export function createFaultedOrders(db: Kysely<FaultTables>): FaultedOrders {
  const all = () => db.selectFrom("sim_fault_orders").selectAll();

  return {
    async begin(at, { step, dueAt = null }) {
      await db
        .insertInto("sim_fault_orders")
        .values({ ...columns(at), count: 0, step, due_at: dueAt })
        .onConflict((conflict) => conflict.columns([...key]).doNothing())
        .execute();
    },

    async beginAgain(at, { step }) {
      await db
        .insertInto("sim_fault_orders")
        .values({ ...columns(at), count: 0, step, due_at: null })
        .onConflict((conflict) =>
          conflict
            .columns([...key])
            .doUpdateSet({ step })
            .where("sim_fault_orders.step", "=", ""),
        )
        .execute();
    },

    async count(at) {
      const row = await db
        .insertInto("sim_fault_orders")
        .values({ ...columns(at), count: 1, step: "", due_at: null })
        .onConflict((conflict) =>
          conflict.columns([...key]).doUpdateSet((b) => ({ count: b("sim_fault_orders.count", "+", 1) })),
        )
        .returning("count")
        .executeTakeFirstOrThrow();
      return row.count - 1;
    },

    async countBegun(at) {
      const row = await db
        .updateTable("sim_fault_orders")
        .set((b) => ({ count: b("count", "+", 1) }))
        .where((b) => b.and(columns(at)))
        .returningAll()
        .executeTakeFirst();
      return row && read({ ...row, count: row.count - 1 });
    },

    of: async ({ mchId, outTradeNo }) =>
      (await all().where("mch_id", "=", mchId).where("out_trade_no", "=", outTradeNo).execute()).map(read),

    ofRefund: async (refundId) => (await all().where("refund_id", "=", refundId).execute()).map(read),

    async take({ dueAt = null, ...at }, until) {
      const { numUpdatedRows } = await db
        .updateTable("sim_fault_orders")
        .set({ due_at: until })
        .where((b) => b.and(columns(at)))
        .where("step", "<>", "")
        .where("due_at", dueAt === null ? "is" : "=", dueAt)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async end(at) {
      await db
        .updateTable("sim_fault_orders")
        .set({ step: "", due_at: null })
        .where((b) => b.and(columns(at)))
        .execute();
    },

    due: async () => (await all().where("due_at", "is not", null).execute()).map(read),
  };
}
