import type { Transaction } from "kysely";
import { availableOf, frozenOf, moving, type Book } from "./book/book.ts";
import type { Holds } from "./ledger/holds.ts";
import type { LedgerTables, OrderRow } from "./ledger/ledger-tables.ts";
import { ownerOf } from "./partner/sub-merchant.ts";
import type { SharedOrders } from "./profit-sharing/shared-orders.ts";
import type { ShipmentStore, ShipmentTables } from "./shipping/shipment-store.ts";

type Tables = ShipmentTables;

interface Deps {
  readonly book: Book;
  readonly shared: SharedOrders;
  readonly shipments: ShipmentStore;
}

/** A transaction has the tables of all products. */
const all = (trx: Transaction<LedgerTables>) => trx as unknown as Transaction<Tables>;

/** The frozen money of orders. Sharing rules over the money of an order that also waits for the receipt of its goods. */
export class HeldMoney implements Holds {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async begin(order: OrderRow): Promise<boolean> {
    const isManaged = await this.#deps.shipments.manage(order);
    return (await this.#deps.shared.begin(order)) || isManaged;
  }

  spendable(orderId: number, trx: Transaction<LedgerTables>): Promise<number> {
    return this.#deps.shared.free(orderId, all(trx));
  }

  async isHeld(orderId: number, trx: Transaction<LedgerTables>): Promise<boolean> {
    const { shared, shipments } = this.#deps;
    return (await shared.isHeld(orderId, all(trx))) || shipments.isHeld(orderId, all(trx));
  }

  /** The merchant gets the money of an order whose goods were received. */
  async settle(orderId: number, trx: Transaction<Tables>): Promise<void> {
    const { book, shared } = this.#deps;
    if (await shared.isHeld(orderId, trx)) return;
    const order = await trx.selectFrom("pay_orders").selectAll().where("id", "=", orderId).executeTakeFirstOrThrow();
    const owner = ownerOf(order);
    const lines = moving(frozenOf(owner), availableOf(owner), await shared.free(orderId, trx));
    const subject = order.transaction_id ?? "";
    await book.post(trx, { kind: "settlement", mchId: order.mch_id, subject, orderId, lines });
  }
}
