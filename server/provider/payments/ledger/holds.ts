import type { Transaction } from "kysely";
import type { LedgerTables, OrderRow } from "./ledger-tables.ts";

/** Which money of paid orders is frozen: it waits to be shared, or for the receipt of goods. */
export interface Holds {
  /**
   * Whether the merchant's money of an order that is paid now is frozen. Called inside of the write of the payment, and
   * awaits only statements of it.
   */
  begin(order: OrderRow): Promise<boolean>;
  /** Fen of an order's frozen money that a refund can spend. @param trx the refund's transaction */
  spendable(orderId: number, trx: Transaction<LedgerTables>): Promise<number>;
  /** Whether money that comes back to an order is frozen again. */
  isHeld(orderId: number, trx: Transaction<LedgerTables>): Promise<boolean>;
}
