/** Books orders and refunds that were stored without the book: by an older Hearth, or in a state saved by one. */
import type { Kysely, Transaction } from "kysely";
import type { TradeState, RefundStatus } from "../../../contract/provider/payment-terms.ts";
import { linesOfPayment, linesOfRefund } from "./base-postings.ts";
import { Book, type PostingKey } from "./book.ts";
import type { BookTables } from "./book-tables.ts";

/** The columns that are read, of the ledger's tables. */
interface StoredTables extends BookTables {
  pay_orders: {
    id: number;
    mch_id: string;
    sandbox: number;
    combined: number | null;
    total: number;
    coupon_fee: number;
    trade_state: TradeState;
    transaction_id: string | null;
    paid_at: number | null;
    ended_at: number | null;
  };
  pay_refunds: {
    id: number;
    order_id: number;
    refund_id: string;
    refund: number;
    coupon_fee: number;
    status: RefundStatus;
    created_at: number;
  };
}

const ordersAtATime = 500;

/** Paid orders that are not booked, by id. */
const unbooked = (trx: Transaction<StoredTables>, after: number) =>
  trx
    .selectFrom("pay_orders")
    .selectAll()
    .where("id", ">", after)
    .where("paid_at", "is not", null)
    .where("transaction_id", "is not", null)
    .where("sandbox", "=", 0)
    // The parts of a combined order have its money.
    .where((e) => e.or([e("combined", "is", null), e("combined", ">", 0)]))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("pay_postings")
            .select("pay_postings.id")
            .whereRef("pay_postings.mch_id", "=", "pay_orders.mch_id")
            .where("pay_postings.kind", "=", "payment")
            .whereRef("pay_postings.subject", "=", "pay_orders.transaction_id"),
        ),
      ),
    )
    .orderBy("id")
    .limit(ordersAtATime)
    .execute();

type StoredOrder = Awaited<ReturnType<typeof unbooked>>[number];

async function bookOrder(trx: Transaction<StoredTables>, book: Book, order: StoredOrder): Promise<void> {
  const { id: orderId, mch_id: mchId, total, coupon_fee: couponFee } = order;
  const payment: PostingKey = { mchId, kind: "payment", subject: order.transaction_id ?? "" };
  const paid = { ...payment, orderId, at: order.paid_at ?? 0, lines: linesOfPayment({ mchId, total, couponFee }) };
  await book.post(trx, paid);
  if (order.trade_state === "REVOKED") await book.undo(trx, payment, { kind: "reversal", at: order.ended_at ?? 0 });
  const refunds = await trx
    .selectFrom("pay_refunds")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("id")
    .execute();
  let cashBefore = 0;
  for (const { refund_id: subject, refund, coupon_fee, status, created_at: at } of refunds) {
    const returned = { mchId, refund, couponFee: coupon_fee, cashBefore };
    const lines = status === "CLOSED" ? [] : linesOfRefund(returned);
    await book.post(trx, { mchId, kind: "refund", subject, orderId, at, lines });
    if (status !== "CLOSED") cashBefore += refund - coupon_fee;
  }
}

/** Does nothing for orders that are booked. */
export async function bookStored<Tables>(db: Kysely<Tables>): Promise<void> {
  const stored = db as unknown as Kysely<StoredTables>;
  const writes = { write: notGrouped, prepare: notGrouped, run: notGrouped };
  const book = new Book({ db: stored, writes, now: Date.now });
  const bookAll = async (trx: Transaction<StoredTables>) => {
    for (let after = 0; ;) {
      const orders = await unbooked(trx, after);
      for (const order of orders) await bookOrder(trx, book, order);
      const last = orders.at(-1);
      if (!last) return;
      after = last.id;
    }
  };
  // A migration runs in a transaction.
  await (stored.isTransaction ? bookAll(stored as Transaction<StoredTables>) : stored.transaction().execute(bookAll));
}

const notGrouped = (): never => {
  throw new Error("stored orders are booked in one transaction");
};
