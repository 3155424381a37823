/** The ledger over its tables. Changes are serialized; reads do not wait. */
import type { Kysely } from "kysely";
import type { GroupedWrites, PreparedReads } from "../../../store/database.ts";
import { newTransactionId } from "./ledger-ids.ts";
import { createBookings } from "./bookings.ts";
import { createCommits } from "./commits.ts";
import { toLedgerOrder, toRefund } from "./ledger-rows.ts";
import type { LedgerTables, OrderRow } from "./ledger-tables.ts";
import type { Ledger, Order, OrderKey } from "./ledger.ts";
import { createEndings } from "./end-order.ts";
import { createListing } from "./list-orders.ts";
import { createOrderTable } from "./order-table.ts";
import { createPlacing, defaultBank, type PlacingDeps } from "./place-order.ts";
import { RefundTable } from "./refund-order.ts";
import { refusal, whyNotPayable } from "./refusals.ts";

interface Deps extends Omit<PlacingDeps, "db" | "orders"> {
  readonly db: Kysely<LedgerTables>;
  readonly reads: PreparedReads;
  readonly writes: GroupedWrites;
  /** Receives errors thrown by subscribers. */
  readonly onError: (error: unknown) => void;
}

export function createLedger({ db, reads, writes, onError, ...rest }: Deps): Ledger {
  const { now, settings } = rest;
  const commits = createCommits(writes, onError);
  const orders = createOrderTable({ db, reads, writes, now, settings });
  const placing = createPlacing({ db, writes, orders, ...rest });
  const refunding = new RefundTable({ db, orders, now, settings });
  const endings = createEndings({ orders, now, settings });

  /** A read alone is not queued: a write is needed only if time has changed the order. */
  async function upToDate(row: OrderRow): Promise<Order> {
    if (orders.lapse(row) === undefined) return toLedgerOrder(row);
    return commits.write(async (notify) => toLedgerOrder(await orders.refresh(row, notify)));
  }

  async function find(key: OrderKey): Promise<Order | undefined> {
    const row = await orders.read(key);
    return row && upToDate(row);
  }

  async function get(key: OrderKey): Promise<Order> {
    const order = await find(key);
    if (!order) throw refusal("ORDERNOTEXIST");
    return order;
  }

  return {
    find,
    get,
    subscribe: commits.subscribe,
    ...createBookings(db),
    async place(request) {
      await placing.checkOpenId(request);
      const placed = await commits.step((notify) => placing.place(request, notify));
      return placed ?? commits.write((notify) => placing.placeAgain(request, notify));
    },
    payByCode: (request, authCode, how = {}) =>
      commits.write((notify) => placing.payByCode(request, authCode, how, notify)),
    askPassword: (key) => commits.write((notify) => endings.askPassword(key, notify)),
    failPayment: (key, how) => commits.write((notify) => endings.fail(key, how, notify)),
    close: (key) => commits.write((notify) => endings.close(key, notify)),
    reverse: (key) => commits.write((notify) => endings.reverse(key, notify)),
    refund: (key, request) => commits.write((notify) => refunding.refund(key, request, notify)),
    finishRefund: (refundId, status, acceptedAt) =>
      commits.write((notify) => refunding.finish(refundId, { status, acceptedAt }, notify)),
    redirectRefund: (refundId, paidTo) => commits.write((notify) => refunding.redirect(refundId, paidTo, notify)),

    async byPrepayId(prepayId) {
      const row = await db
        .selectFrom("pay_orders")
        .selectAll()
        .where("prepay_id", "=", prepayId)
        .where("prepay_id", "!=", "") // lets SQLite use the index, which omits empty values
        .executeTakeFirst();
      return row && upToDate(row);
    },

    list: createListing(db, orders, upToDate),

    async pay(key, { payer, bankType = defaultBank, couponFee } = {}) {
      const at = now();
      const payment = { newTransactionId: newTransactionId(at), paidAt: at, bankType, couponFee, payer };
      const paid = await commits.step((notify) => orders.pay(key, payment, notify));
      if (paid) return toLedgerOrder(paid);
      return commits.write(async (notify) => {
        const order = await orders.current(key, notify);
        throw whyNotPayable({ tradeState: order.trade_state }) ?? refusal("ORDER_EXPIRED");
      });
    },

    async refunds({ outRefundNo, refundId, ...key }) {
      const { mchId, sandbox } = key;
      const own = db
        .selectFrom("pay_refunds")
        .selectAll()
        .where("mch_id", "=", mchId)
        .$if(sandbox !== undefined, (all) =>
          all.where((refund) =>
            refund.exists(
              refund
                .selectFrom("pay_orders")
                .select("pay_orders.id")
                .whereRef("pay_orders.id", "=", "pay_refunds.order_id")
                .where("pay_orders.sandbox", "=", Number(sandbox)),
            ),
          ),
        );
      if (refundId !== undefined) return (await own.where("refund_id", "=", refundId).execute()).map(toRefund);
      if (outRefundNo !== undefined)
        return (await own.where("out_refund_no", "=", outRefundNo).execute()).map(toRefund);
      const order = await orders.read(key);
      if (!order) return [];
      return (await own.where("order_id", "=", order.id).orderBy("id").execute()).map(toRefund);
    },

    async orderOf({ orderId }) {
      const row = await db.selectFrom("pay_orders").selectAll().where("id", "=", orderId).executeTakeFirst();
      if (!row) throw refusal("ORDERNOTEXIST");
      return upToDate(row);
    },

    expire: (key) =>
      commits.write(async (notify) => {
        const order = await orders.current(key, notify);
        const refused = whyNotPayable({ tradeState: order.trade_state });
        if (refused) throw refused;
        const expires_at = Math.min(order.expires_at, now());
        await db.updateTable("pay_orders").set({ expires_at }).where("id", "=", order.id).execute();
        return toLedgerOrder(await orders.refresh({ ...order, expires_at }, notify));
      }),
  };
}
