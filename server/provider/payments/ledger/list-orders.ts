/** Pages of orders, the newest first. */
import { sql, type Kysely } from "kysely";
import { internalNumberPatterns } from "../../../contract/provider/internal-people.ts";
import { contains } from "../../../store/contains.ts";
import type { LedgerTables, OrderRow } from "./ledger-tables.ts";
import type { Ledger, Order, OrderFilter } from "./ledger.ts";
import type { OrderTable } from "./order-table.ts";

const searched = ["out_trade_no", "transaction_id", "description"] as const;

/** @param upToDate applies changes that are due by time to an order */
export function createListing(
  db: Kysely<LedgerTables>,
  orders: Pick<OrderTable, "mayBe">,
  upToDate: (row: OrderRow) => Promise<Order>,
): Ledger["list"] {
  /**
   * Scans the ids downwards until it has enough orders. It reads only the newest ones, unless few match: no other index
   * has this order, and a text may occur anywhere.
   */
  const read = ({ mchId, tradeState, text, withoutInternal }: OrderFilter, before: number | undefined, limit: number) =>
    db
      .selectFrom("pay_orders")
      .selectAll()
      // The plus disables the merchant's index, which would read all of its orders and then sort them.
      .$if(mchId !== undefined, (query) => query.where(sql<string>`+mch_id`, "=", mchId ?? ""))
      .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
      .$if(tradeState !== undefined, (query) => query.where(orders.mayBe(tradeState ?? "NOTPAY")))
      .$if(text !== undefined, (query) =>
        query.where((e) => e.or(searched.map((column) => contains(e.ref(column), text ?? "")))),
      )
      .$if(withoutInternal === true, (query) =>
        query.where((e) =>
          e.and([
            e("id", "not in", db.selectFrom("pay_check_orders").select("order_id")),
            ...internalNumberPatterns.map((pattern) => e("out_trade_no", "not like", pattern)),
          ]),
        ),
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
      // An order that time has just changed may have another state than was read; the next one replaces it.
      for (const order of await Promise.all(rows.map(upToDate)))
        if (tradeState === undefined || order.tradeState === tradeState) listed.push(order);
      if (rows.length < wanted || listed.length === limit) return listed;
      before = rows.at(-1)?.id;
    }
  };
}
