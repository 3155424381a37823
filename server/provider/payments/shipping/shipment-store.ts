/** Reads and writes orders of mini-programs with their shipping information. */
import { sql, type Insertable, type Kysely, type Selectable, type Transaction } from "kysely";
import type { SimOfOrder } from "../../../contract/provider/sim-orders.ts";
import type { Database, PreparedRead, Statement } from "../../../store/database.ts";
import { parameter, parameterRow } from "../../../store/prepared-statement.ts";
import type { LedgerTables, OrderRow } from "../ledger/ledger-tables.ts";
import type { PushTables } from "../message-push/push-tables.ts";
import { subMerchantOf } from "../partner/sub-merchant.ts";
import type { ShareTables } from "../profit-sharing/share-tables.ts";
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

export type ShipmentTables = LedgerTables & ShippingTables & ShareTables & PushTables;
type Tables = ShipmentTables;

/** The platform reminds of orders that were not shipped for this long. */
const remindAfterMs = 2 * 86_400_000;

export class ShipmentStore {
  readonly #db: Kysely<Tables>;
  readonly #writes: Database<Tables>["writes"];
  readonly #appId: string;
  /** Every payment in the app reads it. */
  readonly #readDue: PreparedRead<Pick<ShipmentRow, "due_at">>;
  #managing: Statement<{ order_id: number }> | undefined;

  constructor({ db, reads, writes }: Pick<Database<Tables>, "db" | "reads" | "writes">, appId: string) {
    this.#db = db;
    this.#writes = writes;
    this.#appId = appId;
    this.#readDue = reads.prepare(db.selectFrom("pay_shipments").select("due_at").where("order_id", "=", 0));
  }

  /** Whether the platform manages an order that is paid now. Call it inside of the write of the payment. */
  async manage({ id, app_id, trade_type, paid_at }: OrderRow): Promise<boolean> {
    if (app_id !== this.#appId || trade_type !== "JSAPI") return false;
    this.#managing ??= this.#prepareManaging();
    const due_at = (paid_at ?? 0) + remindAfterMs;
    const rows = await this.#managing({ ...unshipped, order_id: id, managed: 1, due_at, appId: this.#appId });
    return rows.length > 0;
  }

  /** Whether the platform still keeps the money of an order that it manages. */
  async isHeld(orderId: number, db: Kysely<Tables>): Promise<boolean> {
    const managed = db.selectFrom("pay_shipments").select("order_id").where("order_id", "=", orderId);
    const row = await managed.where("managed", "=", 1).where("settled_at", "is", null).executeTakeFirst();
    return row !== undefined;
  }

  /** When time alone changes an order next. */
  async dueOf(orderId: number): Promise<number | undefined> {
    const [row] = await this.#readDue(orderId);
    return row?.due_at ?? undefined;
  }

  transaction<Value>(work: (trx: Transaction<Tables>) => Promise<Value>): Promise<Value> {
    return this.#db.transaction().execute(work);
  }

  async settings(): Promise<Settings> {
    const row = await this.#db
      .selectFrom("sim_trade_management")
      .select(["managed", "confirmed", "jump_path"])
      .where("app_id", "=", this.#appId)
      .executeTakeFirst();
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
  async find(
    key: OrderNumbers | { readonly id: number },
    db: Kysely<Tables> = this.#db,
  ): Promise<ShippableOrder | undefined> {
    let query = this.#orders(db);
    if ("id" in key) query = query.where("pay_orders.id", "=", key.id as number);
    else if (key.transaction_id !== "") query = query.where("transaction_id", "=", key.transaction_id);
    else query = query.where("mch_id", "=", key.merchant_id).where("out_trade_no", "=", key.merchant_trade_no);
    const row = await query.executeTakeFirst();
    return row && (await this.#withShipment(row, db));
  }

  /** The paid order that has this number, the merchant's or the platform's. */
  async findByAnyNumber(number: string): Promise<ShippableOrder | undefined> {
    const row = await this.#orders(this.#db)
      .where((e) => e.or([e("transaction_id", "=", number), e("out_trade_no", "=", number)]))
      .executeTakeFirst();
    return row && (await this.#withShipment(row, this.#db));
  }

  /** Newest first. @param before only smaller ids */
  async list(
    filter: ShipmentFilter & SimOfOrder,
    before: number | undefined,
    limit: number,
  ): Promise<ShippableOrder[]> {
    const { pay_time_range: range, order_state, openid, mch_id, out_trade_no } = filter;
    const rows = await this.#orders(this.#db)
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
    return Promise.all(rows.map((row) => this.#withShipment(row, this.#db)));
  }

  /** Changes an order's shipping information, which begins with the first change. */
  async change(
    orderId: number,
    change: Partial<Omit<ShipmentRow, "order_id">>,
    db: Kysely<Tables> = this.#db,
  ): Promise<void> {
    await db
      .insertInto("pay_shipments")
      .values({ ...unshipped, ...change, order_id: orderId })
      .onConflict((conflict) => conflict.column("order_id").doUpdateSet(change))
      .execute();
  }

  /** Claims the change by time alone of an order; false: another change was faster. */
  async claim(orderId: number, due: number, db: Kysely<Tables>): Promise<boolean> {
    const claimed = await db
      .updateTable("pay_shipments")
      .set({ due_at: null })
      .where("order_id", "=", orderId)
      .where("due_at", "<=", due)
      .returning("order_id")
      .executeTakeFirst();
    return claimed !== undefined;
  }

  /** Makes orders due that were left while all of their money was refunded, and whose refund was closed since. */
  async resumeRefunded(now: number): Promise<void> {
    await this.#db
      .updateTable("pay_shipments")
      .set({ due_at: now })
      .where("managed", "=", 1)
      .where("due_at", "is", null)
      .where("shipped_at", "is not", null)
      .where("settled_at", "is", null)
      .where("order_id", "in", (of) =>
        of.selectFrom("pay_orders").select("id").whereRef("refunded", "<", "pay_orders.total"),
      )
      .execute();
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
  #orders(db: Kysely<Tables>) {
    return (
      db
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

  async #withShipment<Order extends Shippable>(
    order: Order,
    db: Kysely<Tables>,
  ): Promise<Order & { shipment: ShipmentRow }> {
    const shipment = await db
      .selectFrom("pay_shipments")
      .selectAll()
      .where("order_id", "=", order.id)
      .executeTakeFirst();
    return { ...order, shipment: shipment ?? { ...unshipped, order_id: order.id } };
  }

  /** Inserts an order's shipping information if the platform manages the app's orders. */
  #prepareManaging(): Statement<{ order_id: number }> {
    const columns = ["order_id", ...(Object.keys(unshipped) as (keyof typeof unshipped)[])] as const;
    const values = parameterRow(columns) as unknown as Insertable<ShippingTables["pay_shipments"]>;
    return this.#writes.prepare(
      this.#db
        .insertInto("pay_shipments")
        .columns([...columns])
        .expression((e) =>
          e
            .selectFrom("sim_trade_management")
            .select(columns.map((column) => e.val(values[column]).as(column)))
            .where("app_id", "=", parameter<string>("appId"))
            .where("sim_trade_management.managed", "=", 1),
        )
        .returning("order_id"),
    );
  }
}
