/** Moves the money of shares between merchants that have a limited balance; others have as much as they need. */
import type { Transaction } from "kysely";
import { addToBalance, takeFromBalance } from "../ledger/balances.ts";
import type { LedgerTables } from "../ledger/ledger-tables.ts";

/** A merchant's share has reached it. */
export const payReceiver = addToBalance;

/** A receiver returns money. @throws PaymentRefusal NOTENOUGH */
export async function returnToPayer(
  trx: Transaction<LedgerTables>,
  from: string,
  to: string,
  fen: number,
): Promise<void> {
  await takeFromBalance(trx, from, fen);
  await addToBalance(trx, to, fen);
}
