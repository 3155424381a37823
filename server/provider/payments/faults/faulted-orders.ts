/** What faults have begun with orders and refunds, and what of it is still to come: kept over restarts. */
import type { Kysely, Selectable } from "kysely";
import type { FaultTables, SimFaultOrdersTable } from "./fault-tables.ts";

export interface FaultedOrder {
  readonly faultId: number;
  readonly mchId: string;
  readonly outTradeNo: string;
  /** Empty where it is about the order. */
  readonly refundId: string;
  /** Queries since. */
  readonly count: number;
  readonly step: string;
  /** Unix ms. */
  readonly dueAt: number | undefined;
}

/** Of which fault and order. */
interface FaultedOrderKey {
  readonly faultId: number;
  readonly mchId: string;
  readonly outTradeNo: string;
  readonly refundId?: string | undefined;
}

export interface FaultedOrders {
  /** Begins; what was begun before of the same fault and order stays. */
  begin(key: FaultedOrderKey, what: { step: string; dueAt?: number | undefined }): Promise<void>;
  /** One query more. Returns how many there were before; begins where nothing was. */
  count(key: FaultedOrderKey): Promise<number>;
  /** One query more of what was begun. Returns it as it was before; undefined where nothing was. */
  countBegun(key: FaultedOrderKey): Promise<FaultedOrder | undefined>;
  /** What was begun with an order, by any fault. */
  of(order: { mchId: string; outTradeNo: string }): Promise<FaultedOrder[]>;
  /** What was begun with a refund. */
  ofRefund(refundId: string): Promise<FaultedOrder[]>;
  /** Nothing more is to come. True for exactly one of those that say so. */
  end(key: FaultedOrderKey): Promise<boolean>;
  /** What comes by itself. */
  due(): Promise<FaultedOrder[]>;
}

type Row = Selectable<SimFaultOrdersTable>;

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

    async end(at) {
      const { numUpdatedRows } = await db
        .updateTable("sim_fault_orders")
        .set({ step: "", due_at: null })
        .where((b) => b.and(columns(at)))
        .where("step", "<>", "")
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    due: async () => (await all().where("due_at", "is not", null).execute()).map(read),
  };
}
