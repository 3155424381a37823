/** The entries of bills, and the balance that merchants have for refunds. */
import type { Kysely } from "kysely";
import { toLedgerOrder, toRefund } from "./ledger-rows.ts";
import type { LedgerTables } from "./ledger-tables.ts";
import type { Booking, Ledger } from "./ledger.ts";

export function createBookings(db: Kysely<LedgerTables>): Pick<Ledger, "booked" | "balance" | "setBalance"> {
  const ordersOf = (mchId: string) =>
    db.selectFrom("pay_orders").selectAll().where("mch_id", "=", mchId).where("sandbox", "=", 0);

  const payments = async (mchId: string, from: number, to: number): Promise<Booking[]> =>
    (await ordersOf(mchId).where("paid_at", ">=", from).where("paid_at", "<", to).execute()).map((row) => ({
      kind: "payment",
      at: row.paid_at ?? 0,
      order: toLedgerOrder(row),
    }));

  const reversals = async (mchId: string, from: number, to: number): Promise<Booking[]> =>
    (
      await ordersOf(mchId)
        .where("trade_state", "=", "REVOKED")
        .where("paid_at", "is not", null)
        .where("ended_at", ">=", from)
        .where("ended_at", "<", to)
        .execute()
    ).map((row) => ({ kind: "reversal", at: row.ended_at ?? 0, order: toLedgerOrder(row) }));

  async function refunds(mchId: string, from: number, to: number): Promise<Booking[]> {
    const rows = await db
      .selectFrom("pay_refunds")
      .selectAll()
      .where("mch_id", "=", mchId)
      .where("created_at", ">=", from)
      .where("created_at", "<", to)
      .orderBy("id")
      .execute();
    const ids = [...new Set(rows.map(({ order_id }) => order_id))];
    // SQLite limits the number of values per query.
    const orders = new Map<number, Booking["order"]>();
    for (let start = 0; start < ids.length; start += 500)
      for (const row of await ordersOf(mchId)
        .where("id", "in", ids.slice(start, start + 500))
        .execute())
        orders.set(row.id, toLedgerOrder(row));
    return rows.flatMap((row) => {
      const order = orders.get(row.order_id);
      return order ? [{ kind: "refund" as const, at: row.created_at, order, refund: toRefund(row) }] : [];
    });
  }

  return {
    async booked(mchId, from, to) {
      const all = [
        ...(await payments(mchId, from, to)),
        ...(await reversals(mchId, from, to)),
        ...(await refunds(mchId, from, to)),
      ];
      return all.sort((a, b) => a.at - b.at);
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
