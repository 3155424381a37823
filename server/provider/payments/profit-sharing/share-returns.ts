/** Returns of shares, from a merchant that got one to the merchant that shared. */
import type { Kysely } from "kysely";
import { createTurns } from "../../../process/create-turns.ts";
import { availableOf, moving, receiverOf, type Book } from "../book/book.ts";
import { newShareId } from "../ledger/ledger-ids.ts";
import type { LedgerTables } from "../ledger/ledger-tables.ts";
import type { NotifierTables } from "../notifier/notification-tables.ts";
import { ownerOf } from "../partner/sub-merchant.ts";
import type { ShareNotices } from "./share-notices.ts";
import { noRecord, notReturnable, otherShare } from "./share-refusals.ts";
import type { Share, ShareReturnRow, ShareTables } from "./share-tables.ts";
import { orderOf } from "./shares.ts";

interface Deps {
  readonly db: Kysely<ShareTables & LedgerTables & NotifierTables>;
  readonly book: Book;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly notices: ShareNotices;
}

type ReturnRequest = Pick<ShareReturnRow, "out_return_no" | "return_mchid" | "amount" | "description">;

export function createShareReturns({ db, book, now, notices }: Deps) {
  const inTurn = createTurns();

  const byNumber = (mchId: string, outReturnNo: string) =>
    db
      .selectFrom("pay_share_returns")
      .selectAll()
      .where("mch_id", "=", mchId)
      .where("out_return_no", "=", outReturnNo)
      .executeTakeFirst();

  async function sameReturn(before: ShareReturnRow, share: Share, request: ReturnRequest): Promise<ShareReturnRow> {
    const { share_id, return_mchid, amount } = before;
    if (share_id !== share.share.id || return_mchid !== request.return_mchid || amount !== request.amount)
      throw otherShare();
    return before;
  }

  return {
    /** The money returns at once; a repeat returns the same. @throws PaymentRefusal */
    ask: ({ share, details }: Share, request: ReturnRequest): Promise<ShareReturnRow> =>
      inTurn(async () => {
        const before = await byNumber(share.mch_id, request.out_return_no);
        if (before) return sameReturn(before, { share, details }, request);
        const { return_mchid, amount } = request;
        const detail = details.find(
          ({ type, account, result }) => type === "MERCHANT_ID" && account === return_mchid && result === "SUCCESS",
        );
        if (!detail || detail.amount - detail.returned < amount) throw notReturnable();
        const at = now();
        const returned = await db.transaction().execute(async (trx) => {
          await trx
            .updateTable("pay_share_details")
            .set((column) => ({ returned: column("returned", "+", amount) }))
            .where("id", "=", detail.id)
            .execute();
          const row = await trx
            .insertInto("pay_share_returns")
            .values({ ...request, mch_id: share.mch_id, share_id: share.id, return_id: newShareId(at), created_at: at })
            .returningAll()
            .executeTakeFirstOrThrow();
          const order = await orderOf(trx, share);
          const owner = ownerOf(order);
          await book.post(trx, {
            ...{ kind: "share return", mchId: order.mch_id, subject: row.return_id, orderId: order.id },
            lines: moving(receiverOf(return_mchid), availableOf(owner), amount),
            charges: [
              { mchId: return_mchid, fen: amount },
              { mchId: owner, fen: -amount },
            ],
          });
          await notices.returned(trx, { share, details }, row);
          return row;
        });
        notices.wake();
        return returned;
      }),

    /** @throws PaymentRefusal RESOURCE_NOT_EXISTS */
    async get({ share }: Share, outReturnNo: string): Promise<ShareReturnRow> {
      const row = await byNumber(share.mch_id, outReturnNo);
      if (row?.share_id !== share.id) throw noRecord();
      return row;
    },
  };
}
