/** Reads and writes orders of mini-programs with their shipping information. */
import { sql, type Kysely, type Selectable } from "kysely";
import type { SimOfOrder } from "../../../contract/provider/sim-orders.ts";
import type { Database, PreparedRead } from "../../../store/database.ts";
import type { LedgerTables, OrderRow } from "../ledger/ledger-tables.ts";
import { subMerchantOf } from "../partner/sub-merchant.ts";
import type { OrderNumbers, ShipmentFilter } from "./shipping-input.ts";
import type { ShipmentRow, ShippingTables } from "./shipping-tables.ts";

export type Shippable = Pick<
  OrderRow,
  "id" | "mch_id" | "out_trade_no" | "total" | "coupon_fee" | "created_at" | "refunded" | "extra"
> & {
  readonly transaction_id: string;
  readonly paid_at: number;
  readonly openid: string;
  /** A boolean in PostgreSQL. */
  readonly in_complaint: number | boolean;
};
export type ShippableOrder = Shippable & { readonly order_state: number; readonly shipment: ShipmentRow };

type Settings = Omit<Selectable<ShippingTables["sim_trade_management"]>, "app_id">;

const unshipped = {
  managed: 0,
  logistics_type: 0,
  delivery_mode: 0,
  packages: "[]",
  uploaded_at: null,
  finished: 0,
  shipped_at: null,
  reminded_at: null,
  received_at: null,
  receive_method: 0,
  settled_at: null,
  due_at: null,
} as const;

/** The platform's number of an order's state. */
const state = sql<number>`case
  when pay_orders.refunded >= pay_orders.total then 5
  when pay_shipments.settled_at is not null then 4
  when pay_shipments.received_at is not null then 3
  when pay_shipments.shipped_at is not null then 2
  else 1 end`;

const columns = ["id", "mch_id", "out_trade_no", "total", "coupon_fee", "created_at", "refunded", "extra"] as const;

/** The sub-merchant of a service provider's order; empty for another. */
export const subMerchantIdOf = ({ extra }: Pick<Shippable, "extra">): string =>
  subMerchantOf({ extra: JSON.parse(extra) as Record<string, unknown> })?.sub_mchid ?? "";

export class ShipmentStore {
  readonly #db: Kysely<LedgerTables & ShippingTables>;
  readonly #appId: string;
  /** Every payment reads the settings. */
  readonly #readSettings: PreparedRead<Settings>;

  constructor({ db, reads }: Pick<Database<LedgerTables & ShippingTables>, "db" | "reads">, appId: string) {
    this.#db = db;
    this.#appId = appId;
    this.#readSettings = reads.prepare(
      db.selectFrom("sim_trade_management").select(["managed", "confirmed", "jump_path"]).where("app_id", "=", ""),
    );
  }

  async settings(): Promise<Settings> {
    const [row] = await this.#readSettings(this.#appId);
    return row ?? { managed: 0, confirmed: 0, jump_path: "" };
  }

  async changeSettings(change: Partial<Settings>): Promise<Settings> {
    const settings = { ...(await this.settings()), ...change };
    await this.#db
      .insertInto("sim_trade_management")
      .values({ app_id: this.#appId, ...settings })
      .onConflict((conflict) => conflict.column("app_id").doUpdateSet(settings))
      .execute();
    return settings;
  }

  /** The paid order of the app with these numbers. */
  async find(key: OrderNumbers | { readonly id: number }): Promise<ShippableOrder | undefined> {
    let query = this.#orders();
    if ("id" in key) query = query.where("pay_orders.id", "=", key.id as number);
    else if (key.transaction_id !== "") query = query.where("transaction_id", "=", key.transaction_id);
    else query = query.where("mch_id", "=", key.merchant_id).where("out_trade_no", "=", key.merchant_trade_no);
    const row = await query.executeTakeFirst();
    return row && (await this.#withShipment(row));
  }

  /** The paid order that has this number, the merchant's or the platform's. */
  async findByAnyNumber(number: string): Promise<ShippableOrder | undefined> {
    const row = await this.#orders()
      .where((e) => e.or([e("transaction_id", "=", number), e("out_trade_no", "=", number)]))
      .executeTakeFirst();
    return row && (await this.#withShipment(row));
  }

  /** Newest first. @param before only smaller ids */
  async list(
    filter: ShipmentFilter & SimOfOrder,
    before: number | undefined,
    limit: number,
  ): Promise<ShippableOrder[]> {
    const { pay_time_range: range, order_state, openid, mch_id, out_trade_no } = filter;
    const rows = await this.#orders()
      .where("paid_at", ">=", range.begin_time * 1000)
      .where("paid_at", "<", (range.end_time + 1) * 1000)
      .$if(before !== undefined, (query) => query.where("pay_orders.id", "<", before ?? 0))
      .$if(order_state !== undefined, (query) => query.where(state, "=", order_state ?? 0))
      .$if(openid !== undefined, (query) =>
        query.where((e) => e(e.fn.coalesce("payer", "openid", sql<string>`''`), "=", openid ?? "")),
      )
      .$if(mch_id !== undefined, (query) => query.where("mch_id", "=", mch_id ?? ""))
      .$if(out_trade_no !== undefined, (query) => query.where("out_trade_no", "=", out_trade_no ?? ""))
      .orderBy("pay_orders.id", "desc")
      .limit(limit)
      .execute();
    return Promise.all(rows.map((row) => this.#withShipment(row)));
  }

  /** Changes an order's shipping information, which begins with the first change. */
  async change(orderId: number, change: Partial<Omit<ShipmentRow, "order_id">>): Promise<void> {
    await this.#db
      .insertInto("pay_shipments")
      .values({ ...unshipped, ...change, order_id: orderId })
      .onConflict((conflict) => conflict.column("order_id").doUpdateSet(change))
      .execute();
  }

  /** Claims the change by time alone of an order; false: another change was faster. */
  async claim(orderId: number, due: number): Promise<boolean> {
    const claimed = await this.#db
      .updateTable("pay_shipments")
      .set({ due_at: null })
      .where("order_id", "=", orderId)
      .where("due_at", "<=", due)
      .returning("order_id")
      .executeTakeFirst();
    return claimed !== undefined;
  }

  waiting = () =>
    this.#db
      .selectFrom("pay_shipments")
      .select(["order_id", "due_at"])
      .where("due_at", "is not", null)
      .$narrowType<{ due_at: number }>()
      .execute();

  async hasShipped(): Promise<boolean> {
    const row = this.#db.selectFrom("pay_shipments").select("order_id").where("shipped_at", "is not", null).limit(1);
    return (await row.executeTakeFirst()) !== undefined;
  }

  /** Orders of mini-programs are those of the app that a person pays in it. */
  #orders() {
    return (
      this.#db
        .selectFrom("pay_orders")
        .leftJoin("pay_shipments", "pay_shipments.order_id", "pay_orders.id")
        .select(columns.map((name) => `pay_orders.${name}` as const))
        .select((e) => [
          "transaction_id",
          "paid_at",
          e.fn.coalesce("payer", "openid", sql<string>`''`).as("openid"),
          state.as("order_state"),
          sql<number>`exists (select 1 from pay_complaints where pay_complaints.order_id = pay_orders.id
          and pay_complaints.state <> 'PROCESSED')`.as("in_complaint"),
        ])
        .where("app_id", "=", this.#appId)
        .where("trade_type", "=", "JSAPI")
        .where("sandbox", "=", 0)
        // The parts of a combined order are shipped, not the order.
        .where((e) => e.or([e("combined", "is", null), e("combined", ">", 0)]))
        .where("paid_at", "is not", null)
        .$narrowType<{ transaction_id: string; paid_at: number }>()
    );
  }

  async #withShipment<Order extends Shippable>(order: Order): Promise<Order & { shipment: ShipmentRow }> {
    const shipment = await this.#db
      .selectFrom("pay_shipments")
      .selectAll()
      .where("order_id", "=", order.id)
      .executeTakeFirst();
    return { ...order, shipment: shipment ?? { ...unshipped, order_id: order.id } };
  }
}
