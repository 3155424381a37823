/** Pages of orders, the newest first unless sorted, and their number. */
import { sql, type ExpressionBuilder, type Kysely } from "kysely";
import { internalNumberPatterns } from "../../../contract/provider/internal-people.ts";
import { columnOrder } from "../../../contract/sort.ts";
import { contains } from "../../../store/contains.ts";
import type { LedgerTables, OrderRow } from "./ledger-tables.ts";
import type { Ledger, Order, OrderFilter } from "./ledger.ts";
import type { OrderTable } from "./order-table.ts";

const searched = ["out_trade_no", "transaction_id", "description"] as const;

type Row = ExpressionBuilder<LedgerTables, "pay_orders">;

/** All conditions but the state. */
function narrowed(db: Kysely<LedgerTables>, e: Row, { mchId, text, withoutInternal = false }: Partial<OrderFilter>) {
  const marked = db.selectFrom("pay_check_orders").select("order_id");
  return e.and([
    // The plus disables the merchant's index, which would read all of its orders and then sort them.
    ...(mchId === undefined ? [] : [e(sql<string>`+mch_id`, "=", mchId)]),
    ...(text === undefined ? [] : [e.or(searched.map((column) => contains(e.ref(column), text)))]),
    ...(withoutInternal
      ? [e("id", "not in", marked), ...internalNumberPatterns.map((like) => e("out_trade_no", "not like", like))]
      : []),
  ]);
}

/** @param upToDate applies changes that are due by time to an order */
export function createListing(
  db: Kysely<LedgerTables>,
  orders: Pick<OrderTable, "mayBe">,
  upToDate: (row: OrderRow) => Promise<Order>,
): Pick<Ledger, "list" | "count"> {
  /**
   * Unsorted, it scans the ids downwards until it has enough orders. It reads only the newest ones, unless few match: no
   * other index has this order, and a text may occur anywhere.
   */
  function read(
    { tradeState, sort, ...filter }: OrderFilter,
    { before, offset = 0, limit }: Omit<OrderFilter, "sort">,
  ) {
    const { column, direction } = columnOrder(sort);
    return db
      .selectFrom("pay_orders")
      .selectAll()
      .where((e) => narrowed(db, e, filter))
      .$if(before !== undefined, (query) => query.where("id", "<", before ?? 0))
      .$if(tradeState !== undefined, (query) => query.where(orders.mayBe(tradeState ?? "NOTPAY")))
      .orderBy(column, direction)
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
  }

  const countOf = async (filter: Partial<OrderFilter>): Promise<number> => {
    const { tradeState } = filter;
    const { counted } = await db
      .selectFrom("pay_orders")
      .select((e) => e.fn.countAll<number>().as("counted"))
      .where((e) => narrowed(db, e, filter))
      .$if(tradeState !== undefined, (query) => query.where("trade_state", "=", tradeState ?? "NOTPAY"))
      .executeTakeFirstOrThrow();
    return counted;
  };

  return {
    async list(filter) {
      const { tradeState, sort, limit } = filter;
      const listed: Order[] = [];
      let { before } = filter;
      for (;;) {
        const wanted = limit - listed.length;
        const rows = await read(filter, { ...filter, before, limit: wanted });
        // An order that time has just changed may have another state than was read; the next one replaces it.
        for (const order of await Promise.all(rows.map(upToDate)))
          if (tradeState === undefined || order.tradeState === tradeState) listed.push(order);
        if (rows.length < wanted || listed.length === limit || sort !== undefined) return listed;
        before = rows.at(-1)?.id;
      }
    },

    async count(filter) {
      const { withoutInternal } = filter;
      return { total: await countOf(filter), stored: await countOf({ withoutInternal }) };
    },
  };
}
