/** Changes the balances of merchants that have a limited one. */
import type { Transaction } from "kysely";
import type { LedgerTables } from "./ledger-tables.ts";
import { refusal } from "./refusals.ts";

export const addToBalance = (trx: Transaction<LedgerTables>, mchId: string, fen: number) =>
  trx
    .updateTable("pay_balances")
    .set((column) => ({ fen: column("fen", "+", fen) }))
    .where("mch_id", "=", mchId)
    .execute();

/** @throws PaymentRefusal NOTENOUGH */
export async function takeFromBalance(trx: Transaction<LedgerTables>, mchId: string, fen: number): Promise<void> {
  const account = await trx.selectFrom("pay_balances").select("fen").where("mch_id", "=", mchId).executeTakeFirst();
  if (!account) return;
  if (account.fen < fen) throw refusal("NOTENOUGH");
  await addToBalance(trx, mchId, -fen);
}
