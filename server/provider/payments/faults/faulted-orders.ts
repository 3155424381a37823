import type { Kysely, OnConflictBuilder, Selectable } from "kysely";
import { currentTraceparent } from "../../../trace/span.ts";
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
  /** The traceparent of what began it. */
  readonly causedBy?: string | undefined;
}

/** Identifies the fault and the order. */
interface FaultedOrderKey {
  readonly faultId: number;
  readonly mchId: string;
  readonly outTradeNo: string;
  readonly refundId?: string | undefined;
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
  causedBy: row.caused_by ?? undefined,
});

const columns = ({ faultId, mchId, outTradeNo, refundId = "" }: FaultedOrderKey) => ({
  fault_id: faultId,
  mch_id: mchId,
  out_trade_no: outTradeNo,
  refund_id: refundId,
});
const key = ["fault_id", "mch_id", "out_trade_no", "refund_id"] as const;

/** The state of faults' effects on orders and refunds, and their pending steps. Persists across restarts. */
export class FaultedOrders {
  readonly #db: Kysely<FaultTables>;

  constructor(db: Kysely<FaultTables>) {
    this.#db = db;
  }

  /** Begins an effect. An earlier one of the same fault and order stays. */
  async begin(at: FaultedOrderKey, { step, dueAt = null }: { step: string; dueAt?: number | undefined | null }) {
    await this.#insert({ ...columns(at), count: 0, step, due_at: dueAt })
      .onConflict((conflict) => conflict.columns([...key]).doNothing())
      .execute();
  }

  /** Like `begin`, also where an earlier one has ended. */
  async beginAgain(at: FaultedOrderKey, { step }: { step: string }): Promise<void> {
    const free = (conflict: OnConflictBuilder<FaultTables, "sim_fault_orders">) =>
      conflict
        .columns([...key])
        .doUpdateSet({ step })
        .where("sim_fault_orders.step", "=", "");
    await this.#insert({ ...columns(at), count: 0, step, due_at: null })
      .onConflict(free)
      .execute();
  }

  /** Counts a query and returns the previous count; begins if nothing was there. */
  async count(at: FaultedOrderKey): Promise<number> {
    const row = await this.#insert({ ...columns(at), count: 1, step: "", due_at: null })
      .onConflict((conflict) =>
        conflict.columns([...key]).doUpdateSet((b) => ({ count: b("sim_fault_orders.count", "+", 1) })),
      )
      .returning("count")
      .executeTakeFirstOrThrow();
    return row.count - 1;
  }

  /** Counts a query for an effect that has begun. Returns it as it was before, or undefined. */
  async countBegun(at: FaultedOrderKey): Promise<FaultedOrder | undefined> {
    const row = await this.#update(at)
      .set((b) => ({ count: b("count", "+", 1) }))
      .returningAll()
      .executeTakeFirst();
    return row && read({ ...row, count: row.count - 1 });
  }

  /** All effects on an order, by any fault. */
  async of({ mchId, outTradeNo }: Pick<FaultedOrder, "mchId" | "outTradeNo">): Promise<FaultedOrder[]> {
    return (await this.#all().where("mch_id", "=", mchId).where("out_trade_no", "=", outTradeNo).execute()).map(read);
  }

  /** All effects on a refund. */
  async ofRefund(refundId: string): Promise<FaultedOrder[]> {
    return (await this.#all().where("refund_id", "=", refundId).execute()).map(read);
  }

  /** Takes the pending step until then. Returns true to one of several callers who have read the same due time. */
  async take(
    { dueAt = null, ...at }: Omit<FaultedOrder, "dueAt"> & { dueAt?: number | undefined | null },
    until: number,
  ) {
    const { numUpdatedRows } = await this.#update(at)
      .set({ due_at: until })
      .where("step", "<>", "")
      .where("due_at", dueAt === null ? "is" : "=", dueAt)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Ends the pending step. */
  async end(at: FaultedOrderKey): Promise<void> {
    await this.#update(at).set({ step: "", due_at: null }).execute();
  }

  /** The steps with a due time. */
  async due(): Promise<FaultedOrder[]> {
    return (await this.#all().where("due_at", "is not", null).execute()).map(read);
  }

  #all() {
    return this.#db.selectFrom("sim_fault_orders").selectAll();
  }

  #insert(row: Omit<Row, "caused_by">) {
    return this.#db.insertInto("sim_fault_orders").values({ ...row, caused_by: currentTraceparent() ?? null });
  }

  #update(at: FaultedOrderKey) {
    return this.#db.updateTable("sim_fault_orders").where((b) => b.and(columns(at)));
  }
}
