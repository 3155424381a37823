/** Pages of orders, the newest first. */
import { sql, type Kysely } from "kysely";
import { contains } from "../../../store/contains.ts";
import type { LedgerTables, OrderRow } from "./ledger-tables.ts";
import type { Ledger, Order, OrderFilter } from "./ledger.ts";

const searched = ["out_trade_no", "transaction_id", "description"] as const;

/** @param upToDate the order, with what its time has changed */
export function createListing(db: Kysely<LedgerTables>, upToDate: (row: OrderRow) => Promise<Order>): Ledger["list"] {
  /**
   * Goes down the ids and stops when it has enough, so that it looks at the newest orders only, unless few fit: none of the
   * other indexes is in this order, and a text may stand anywhere.
   */
  const read = ({ mchId, tradeState, text }: OrderFilter, before: number | undefined, limit: number) =>
    db
      .selectFrom("pay_orders")
      .selectAll()
      // The plus keeps the merchant's index out, by which all its orders would be read, and then sorted.
      .$if(mchId !== undefined, (query) => query.where(sql<string>`+mch_id`, "=", mchId ?? ""))
      .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
      .$if(tradeState !== undefined, (query) => query.where("trade_state", "=", tradeState ?? "NOTPAY"))
      .$if(text !== undefined, (query) =>
        query.where((e) => e.or(searched.map((column) => contains(e.ref(column), text ?? "")))),
      )
      .orderBy("id", "desc")
      .limit(limit)
      .execute();

  return async (filter) => {
    const { tradeState, limit } = filter;
    const listed: Order[] = [];
    let { before } = filter;
    for (;;) {
      const wanted = limit - listed.length;
      const rows = await read(filter, before, wanted);
      // What its time has just changed is in another state now, and the next one takes its place.
      for (const order of await Promise.all(rows.map(upToDate)))
        if (tradeState === undefined || order.tradeState === tradeState) listed.push(order);
      if (rows.length < wanted || listed.length === limit) return listed;
      before = rows.at(-1)?.id;
    }
  };
}
