import type { Kysely } from "kysely";
import type { AccountMove } from "../ledger/ledger.ts";
import type { ShareTables } from "../profit-sharing/share-tables.ts";
import type { TransferTables } from "../transfers/transfer-tables.ts";

export type NumberedTables = ShareTables & TransferTables;

/** The merchants' own numbers of shares, returns and transfers, by the platform's numbers. */
export async function merchantNumbers(
  db: Kysely<NumberedTables>,
  moves: readonly AccountMove[],
): Promise<ReadonlyMap<string, string>> {
  const numbers = new Map<string, string>();
  const subjectsOf = (start: string) =>
    moves.filter(({ kind }) => kind.startsWith(start)).map(({ subject }) => subject);
  const note = (rows: readonly { readonly id: string; readonly number: string }[]) => {
    for (const { id, number } of rows) numbers.set(id, number);
  };
  const shares = db
    .selectFrom("pay_share_details")
    .innerJoin("pay_shares", "pay_shares.id", "share_id")
    .select(["detail_id as id", "out_order_no as number"]);
  const returns = db.selectFrom("pay_share_returns").select(["return_id as id", "out_return_no as number"]);
  const transfers = db.selectFrom("pay_transfers").select(["transfer_bill_no as id", "out_bill_no as number"]);
  for (const some of inParts(subjectsOf("share"))) {
    note(await shares.where("detail_id", "in", some).execute());
    note(await returns.where("return_id", "in", some).execute());
  }
  for (const some of inParts(subjectsOf("transfer")))
    note(await transfers.where("transfer_bill_no", "in", some).execute());
  return numbers;
}

/** SQLite limits the number of values per query. */
const idsAtATime = 500;

const inParts = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / idsAtATime) }, (_, at) =>
    ids.slice(at * idsAtATime, (at + 1) * idsAtATime),
  );
