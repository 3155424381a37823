/** The ledger over its tables. Changes are serialized; reads do not wait. */
import type { Database } from "../../../store/database.ts";
import { newTransactionId } from "./ledger-ids.ts";
import type { Book } from "../book/book.ts";
import { createBookings } from "./bookings.ts";
import { createCommits } from "./commits.ts";
import { toLedgerOrder } from "./ledger-rows.ts";
import type { LedgerTables, OrderRow } from "./ledger-tables.ts";
import type { Ledger, Order, OrderKey } from "./ledger.ts";
import { createEndings } from "./end-order.ts";
import type { Holds } from "./holds.ts";
import { createListing } from "./list-orders.ts";
import { OrderTable } from "./order-table.ts";
import { defaultBank, Placing, type PlacingDeps } from "./place-order.ts";
import { RefundTable } from "./refund-order.ts";
import { refusal, whyNotPayable } from "./refusals.ts";

interface Deps extends Omit<PlacingDeps, "orders">, Pick<Database<LedgerTables>, "reads"> {
  readonly book: Book;
  readonly holds: Holds;
  /** Receives errors thrown by subscribers. */
  readonly onError: (error: unknown) => void;
}

export function createLedger(deps: Deps): Ledger {
  const { db, writes, now } = deps;
  const commits = createCommits(writes, deps.onError);
  const orders = new OrderTable(deps);
  const placing = new Placing({ ...deps, orders });
  const refunding = new RefundTable({ ...deps, orders });
  const endings = createEndings({ ...deps, orders });

  /** A read alone is not queued: a write is needed only if time has changed the order. */
  async function upToDate(row: OrderRow): Promise<Order> {
    const isDue = orders.lapse(row) !== undefined;
    const latest = isDue ? await commits.write((notify) => orders.refresh(row, notify)) : row;
    return toLedgerOrder(latest, latest.combined === 0 ? await orders.partsOf(latest) : undefined);
  }

  async function find(key: OrderKey): Promise<Order | undefined> {
    const row = await orders.read(key);
    return row && upToDate(row);
  }

  return {
    find,
    async get(key) {
      const order = await find(key);
      if (!order) throw refusal("ORDERNOTEXIST");
      return order;
    },
    async byPrepayId(prepayId) {
      const row = await db
        .selectFrom("pay_orders")
        .selectAll()
        .where("prepay_id", "=", prepayId)
        .where("prepay_id", "!=", "") // lets SQLite use the index, which omits empty values
        .executeTakeFirst();
      return row && upToDate(row);
    },
    async orderOf({ orderId }) {
      const row = await db.selectFrom("pay_orders").selectAll().where("id", "=", orderId).executeTakeFirst();
      if (!row) throw refusal("ORDERNOTEXIST");
      return upToDate(row);
    },
    ...createListing(db, orders, upToDate),
    refunds: (key) => refunding.list(key),
    ...createBookings(db),
    subscribe: commits.subscribe,

    async place(request) {
      await placing.checkOpenId(request);
      const placed = await commits.step((notify) => placing.place(request, notify));
      return placed ?? commits.write((notify) => placing.placeAgain(request, notify));
    },
    async placeCombined(request, parts) {
      await placing.checkOpenId(request);
      const placed = await commits.step((notify) => placing.placeCombined(request, parts, notify));
      return placed ?? commits.write((notify) => placing.placeCombinedAgain(request, parts, notify));
    },
    async pay(key, { payer, bankType = defaultBank, couponFee } = {}) {
      const at = now();
      const payment = { newTransactionId: newTransactionId(at), paidAt: at, bankType, couponFee, payer };
      const paid = await commits.step((notify) => orders.pay(key, payment, notify));
      if (paid) return paid;
      return commits.write(async (notify) => {
        const order = await orders.currentWhole(key, notify);
        throw whyNotPayable({ tradeState: order.trade_state }) ?? refusal("ORDER_EXPIRED");
      });
    },
    payByCode: (request, authCode, how = {}) =>
      commits.write((notify) => placing.payByCode(request, authCode, how, notify)),
    askPassword: (key) => commits.write((notify) => endings.askPassword(key, notify)),
    failPayment: (key, reason) => commits.write((notify) => endings.fail(key, reason, notify)),
    failedAttempts: ({ id }) => orders.failedAttempts(id),
    expire: (key) => commits.write((notify) => endings.expire(key, notify)),
    close: (key) => commits.write((notify) => endings.close(key, notify)),
    reverse: (key) => commits.write((notify) => endings.reverse(key, notify)),
    refund: (key, request) => commits.write((notify) => refunding.refund(key, request, notify)),
    finishRefund: (refundId, status, acceptedAt) =>
      commits.write((notify) => refunding.finish(refundId, { status, acceptedAt }, notify)),
    redirectRefund: (refundId, paidTo) => commits.write((notify) => refunding.redirect(refundId, paidTo, notify)),
  };
}
