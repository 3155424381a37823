import type { Kysely } from "kysely";
import { z } from "zod";
import { column, createTable, type TableOf } from "../../../store/define-table.ts";
import { storedJson, storedMchId, storedTime } from "../stored-values.ts";

/** One row per operation that moved money. A row never changes. */
export const payPostings = {
  id: column.id,
  at: column.integer(storedTime),
  kind: column.text(z.string().max(32)),
  mch_id: column.text(storedMchId),
  /** The number of the operation; unique among the merchant's postings of the kind. */
  subject: column.text(z.string().max(64)),
  order_id: column.optional(column.integer(z.int().positive())),
  /** JSON of pairs of account and fen, whose sum is zero. */
  lines: column.text(storedJson),
};

/** The sums of all lines by account. */
export const payAccounts = {
  account: column.key(z.string().max(160)),
  fen: column.integer(),
};

/** The limits that tests set on the fen that a merchant can still pay out. */
export const payBalances = {
  mch_id: column.key(storedMchId),
  fen: column.integer(),
};

export interface BookTables {
  pay_postings: TableOf<typeof payPostings>;
  pay_accounts: TableOf<typeof payAccounts>;
  pay_balances: TableOf<typeof payBalances>;
}

export async function createBookTables(db: Kysely<unknown>): Promise<void> {
  await createTable(db, "pay_postings", payPostings)
    .addUniqueConstraint("pay_postings_subject", ["mch_id", "kind", "subject"])
    .execute();
  await db.schema.createIndex("pay_postings_day").on("pay_postings").columns(["mch_id", "at"]).execute();
  await db.schema.createIndex("pay_postings_order").on("pay_postings").column("order_id").execute();
  await createTable(db, "pay_accounts", payAccounts).execute();
}
