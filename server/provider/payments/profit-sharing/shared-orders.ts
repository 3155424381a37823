import type { Kysely, Transaction } from "kysely";
import type { Database, Statement } from "../../../store/database.ts";
import { parameterRow } from "../../../store/prepared-statement.ts";
import { availableOf, frozenOf, moving, type Book } from "../book/book.ts";
import type { Order } from "../ledger/ledger.ts";
import type { LedgerTables, OrderRow } from "../ledger/ledger-tables.ts";
import { ownerOf } from "../partner/sub-merchant.ts";
import type { ShareTables } from "./share-tables.ts";

type Tables = LedgerTables & ShareTables;
type Db = Kysely<Tables> | Transaction<Tables>;

interface Deps extends Pick<Database<Tables>, "db" | "writes"> {
  readonly book: Book;
}

/** How long the money of an order stays frozen. */
export const frozenMs = 30 * 24 * 3_600_000;

type Settled = Pick<Order, "extra" | "paidAt">;

/** Whether the merchant asked to freeze the order's money, in the words of either version. */
export function isShared({ extra, paidAt }: Settled): boolean {
  const v3 = extra["settle_info"] as { readonly profit_sharing?: boolean } | undefined;
  return paidAt !== undefined && (v3?.profit_sharing === true || extra["profit_sharing"] === "Y");
}

/** The same of a row; most texts need no parsing. */
const isSharedRow = ({ extra, paid_at }: OrderRow): boolean =>
  extra.includes('"profit_sharing"') &&
  isShared({ extra: JSON.parse(extra) as Settled["extra"], paidAt: paid_at ?? undefined });

/** Requested parts of an order. */
const partsOf = (db: Db, orderId: number) =>
  db
    .selectFrom("pay_orders")
    .innerJoin("pay_shares", (join) =>
      join
        .onRef("pay_shares.transaction_id", "=", "pay_orders.transaction_id")
        .onRef("pay_shares.mch_id", "=", "pay_orders.mch_id"),
    )
    .innerJoin("pay_share_details", "pay_share_details.share_id", "pay_shares.id")
    .select((column) => column.fn.coalesce(column.fn.sum<number>("amount"), column.lit(0)).as("fen"))
    .where("pay_orders.id", "=", orderId);

/** Orders whose money is frozen until it is shared or unfrozen, or 30 days are over. */
export class SharedOrders {
  readonly #deps: Deps;
  #inserting: Statement<unknown> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether an order that is paid now is to be shared. Call it inside of the write of the payment. */
  async begin(row: OrderRow): Promise<boolean> {
    if (!isSharedRow(row)) return false;
    const { db, writes } = this.#deps;
    this.#inserting ??= writes.prepare(
      db.insertInto("pay_share_orders").values(parameterRow(["order_id", "paid_at", "due_at"])),
    );
    const paid_at = row.paid_at ?? 0;
    await this.#inserting({ order_id: row.id, paid_at, due_at: paid_at + frozenMs });
    return true;
  }

  /** Fen of an order's frozen money that nobody has asked for. */
  async free(orderId: number, db: Db = this.#deps.db): Promise<number> {
    const pending = await partsOf(db, orderId).where("result", "=", "PENDING").executeTakeFirstOrThrow();
    return Math.max(0, (await this.#deps.book.frozenBy(orderId, db)) - Number(pending.fen));
  }

  /** Fen that others got or were to get, whatever came of it. */
  async sharedWithOthers({ id, mchId }: Order, db: Db): Promise<number> {
    return Number((await partsOf(db, id).where("account", "!=", mchId).executeTakeFirstOrThrow()).fen);
  }

  /** Whether money that comes back to the order can still be shared. */
  async isHeld(orderId: number, db: Db): Promise<boolean> {
    const row = db.selectFrom("pay_share_orders").select("order_id").where("order_id", "=", orderId);
    return (await row.where("due_at", "is not", null).executeTakeFirst()) !== undefined;
  }

  /** The merchants get what nobody has asked for, once the time to share is over. */
  async releaseDue(now: number): Promise<void> {
    const { db } = this.#deps;
    const due = await db.selectFrom("pay_share_orders").select("order_id").where("due_at", "<=", now).execute();
    for (const { order_id } of due) await this.#release(order_id);
  }

  #release(orderId: number): Promise<void> {
    const { db, book } = this.#deps;
    return db.transaction().execute(async (trx) => {
      const released = await trx
        .updateTable("pay_share_orders")
        .set({ due_at: null })
        .where("order_id", "=", orderId)
        .where("due_at", "is not", null)
        .returning("order_id")
        .executeTakeFirst();
      const order = await trx.selectFrom("pay_orders").selectAll().where("id", "=", orderId).executeTakeFirst();
      if (!released || !order) return;
      const owner = ownerOf(order);
      const lines = moving(frozenOf(owner), availableOf(owner), await this.free(orderId, trx));
      const subject = order.transaction_id ?? "";
      await book.post(trx, { kind: "unfreeze", mchId: order.mch_id, subject, orderId, lines });
    });
  }
}
