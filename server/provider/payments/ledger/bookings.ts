/** The entries of bills, read from the book, and the limit that a merchant's refunds have. */
import type { Kysely, Selectable } from "kysely";
import { movedIn, parseLines } from "../book/book.ts";
import type { BookTables } from "../book/book-tables.ts";
import { toLedgerOrder, toRefund } from "./ledger-rows.ts";
import type { LedgerTables } from "./ledger-tables.ts";
import type { Booking, Ledger, AccountMove, Order, Refund } from "./ledger.ts";

const kinds = ["payment", "reversal", "refund"] as const satisfies Booking["kind"][];

/** SQLite limits the number of values per query. */
const idsAtATime = 500;

async function byIds<Row>(ids: readonly number[], read: (some: number[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  const all = [...new Set(ids)];
  for (let start = 0; start < all.length; start += idsAtATime)
    rows.push(...(await read(all.slice(start, start + idsAtATime))));
  return rows;
}

export function createBookings(
  db: Kysely<LedgerTables>,
): Pick<Ledger, "booked" | "moves" | "moneyMoves" | "balance" | "setBalance"> {
  const postings = (mchId: string, from: number, to: number) =>
    db
      .selectFrom("pay_postings")
      .selectAll()
      .where("mch_id", "=", mchId)
      .where("at", ">=", from)
      .where("at", "<", to)
      .where("kind", "in", kinds)
      .orderBy("at")
      .orderBy("id")
      .execute();

  async function ordersById(ids: readonly number[]): Promise<ReadonlyMap<number, Order>> {
    const rows = await byIds(ids, (some) => db.selectFrom("pay_orders").selectAll().where("id", "in", some).execute());
    return new Map(rows.map((row) => [row.id, toLedgerOrder(row)]));
  }

  async function refundsByNumber(orderIds: readonly number[]): Promise<ReadonlyMap<string, Refund>> {
    const rows = await byIds(orderIds, (some) =>
      db.selectFrom("pay_refunds").selectAll().where("order_id", "in", some).execute(),
    );
    return new Map(rows.map((row) => [row.refund_id, toRefund(row)]));
  }

  async function withOrders<Row extends Selectable<BookTables["pay_postings"]>>(rows: readonly Row[]) {
    const idsOf = (some: readonly Row[]) => some.flatMap(({ order_id }) => order_id ?? []);
    const orders = await ordersById(idsOf(rows));
    const isRefund = ({ kind }: Row) => kind === "refund" || kind === "refund closed";
    const refunds = await refundsByNumber(idsOf(rows.filter(isRefund)));
    return rows.map((row) => ({
      ...row,
      order: orders.get(row.order_id ?? 0),
      refund: isRefund(row) ? refunds.get(row.subject) : undefined,
    }));
  }

  return {
    async booked(mchId, from, to) {
      const rows = await withOrders(await postings(mchId, from, to));
      return rows.flatMap(({ kind, at, order, refund }): Booking[] =>
        order ? [{ kind: kind as Booking["kind"], at, order, refund }] : [],
      );
    },

    async moves(owner, to) {
      const rows = await db
        .selectFrom("pay_postings")
        .selectAll()
        .where("at", "<", to)
        .where("lines", "like", `%:${owner}"%`)
        .orderBy("at")
        .orderBy("id")
        .execute();
      return (await withOrders(rows)).map(({ lines, ...row }): AccountMove => {
        const moved = row.refund?.status === "CLOSED" ? [] : movedIn(owner, lines);
        return { ...row, moved: row.kind === "payment" ? moved : sumOf(moved) };
      });
    },

    async moneyMoves({ id }) {
      const ofOrder = db.selectFrom("pay_postings").selectAll().where("order_id", "=", id);
      const rows = await ofOrder.orderBy("at").orderBy("id").execute();
      return rows.map(({ at, kind, subject, lines }) => ({ at, kind, subject, lines: parseLines(lines) }));
    },

    async balance(mchId) {
      const row = await db.selectFrom("pay_balances").select("fen").where("mch_id", "=", mchId).executeTakeFirst();
      return row?.fen;
    },

    async setBalance(mchId, fen) {
      if (fen === undefined) await db.deleteFrom("pay_balances").where("mch_id", "=", mchId).execute();
      else
        await db
          .insertInto("pay_balances")
          .values({ mch_id: mchId, fen })
          .onConflict((conflict) => conflict.column("mch_id").doUpdateSet({ fen }))
          .execute();
    },
  };
}

/** One movement of the sum; none of zero. */
function sumOf(moved: readonly number[]): number[] {
  const sum = moved.reduce((total, fen) => total + fen, 0);
  return sum === 0 ? [] : [sum];
}
