/** Returns of shares, from a merchant that got one to the merchant that shared. */
import type { Kysely } from "kysely";
import { createTurns } from "../../../process/create-turns.ts";
import { newShareId } from "../ledger/ledger-ids.ts";
import type { LedgerTables } from "../ledger/ledger-tables.ts";
import { returnToPayer } from "./share-money.ts";
import { noRecord, notReturnable, otherShare } from "./share-refusals.ts";
import type { ShareReturnRow, ShareTables } from "./share-tables.ts";
import type { Share } from "./shares.ts";

interface Deps {
  readonly db: Kysely<ShareTables & LedgerTables>;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Called with money that has returned. */
  readonly onEnd: (share: Share, returned: ShareReturnRow) => Promise<void>;
}

type ReturnRequest = Pick<ShareReturnRow, "out_return_no" | "return_mchid" | "amount" | "description">;

export function createShareReturns({ db, now, onEnd }: Deps) {
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
          await returnToPayer(trx, return_mchid, share.mch_id, amount);
          return trx
            .insertInto("pay_share_returns")
            .values({ ...request, mch_id: share.mch_id, share_id: share.id, return_id: newShareId(at), created_at: at })
            .returningAll()
            .executeTakeFirstOrThrow();
        });
        await onEnd({ share, details }, returned);
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
