/** The part of an order that waits to be shared. */
import type { Kysely } from "kysely";
import { wholeFeeOfCash } from "../book/fees.ts";
import { cashOf } from "../ledger/coupon-parts.ts";
import type { Order } from "../ledger/ledger.ts";
import type { ShareTables } from "./share-tables.ts";

/** How long the money of a direct merchant's order stays frozen. */
const frozenMs = 30 * 24 * 3_600_000;

/** Whether the merchant asked to freeze the order's money, in the words of either version. */
export function isShared({ extra, paidAt }: Order): boolean {
  const v3 = extra["settle_info"] as { readonly profit_sharing?: boolean } | undefined;
  return paidAt !== undefined && (v3?.profit_sharing === true || extra["profit_sharing"] === "Y");
}

/** Fen of all requests for an order, whatever came of them: money that a receiver cannot get goes to the merchant. */
async function asked(db: Kysely<ShareTables>, { mchId, transactionId = "" }: Order, own: boolean): Promise<number> {
  const { fen } = await db
    .selectFrom("pay_share_details")
    .innerJoin("pay_shares", "pay_shares.id", "pay_share_details.share_id")
    .select((column) => column.fn.sum("amount").as("fen"))
    .where("transaction_id", "=", transactionId)
    .where("mch_id", "=", mchId)
    .$if(!own, (rows) => rows.where("account", "!=", mchId))
    .executeTakeFirstOrThrow();
  return Number(fen);
}

/** Fen that others got or will get. */
export const sharedWithOthers = (db: Kysely<ShareTables>, order: Order): Promise<number> => asked(db, order, false);

/** Fen that can still be shared: what was paid, without the fee, refunds, and all requests. */
export async function frozenAmount(db: Kysely<ShareTables>, order: Order, now: number): Promise<number> {
  if (now - (order.paidAt ?? 0) >= frozenMs) return 0;
  const cash = cashOf(order);
  return Math.max(0, cash - wholeFeeOfCash(cash) - order.refunded - (await asked(db, order, true)));
}
