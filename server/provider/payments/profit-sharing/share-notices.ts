/** Notifications to merchants that have got a part of an order, or returned one. */
import type { Transaction } from "kysely";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { NotifierTables } from "../notifier/notification-tables.ts";
import type { NoticeOutbox, ProductNotice } from "../notifier/product-notices.ts";
import type { ShareReceivers } from "./share-receivers.ts";
import type { Share, ShareDetailRow, ShareReturnRow, ShareRow, ShareTables } from "./share-tables.ts";

interface Deps {
  readonly receivers: Pick<ShareReceivers, "settingsOf">;
  readonly outbox: NoticeOutbox;
}

type Told = Pick<ProductNotice, "event" | "summary" | "number" | "id"> &
  Pick<ShareDetailRow, "account" | "amount" | "description"> & { readonly at: number };

type Trx = Transaction<ShareTables & NotifierTables>;

export type ShareNotices = ReturnType<typeof createShareNotices>;

export function createShareNotices({ receivers, outbox }: Deps) {
  async function add(trx: Trx, { mch_id, transaction_id }: ShareRow, told: Told): Promise<void> {
    const { account, amount, description, number, id, event, summary } = told;
    const { notify_url: url, notify_from: from } = await receivers.settingsOf(account, trx);
    if (url === null) return;
    const resource = {
      ...{ mchid: mch_id, transaction_id, order_id: id, out_order_no: number },
      receiver: { type: "MERCHANT_ID", account, amount, description },
      success_time: offsetTime(told.at),
    };
    const common = { about: "profit_sharing", originalType: "profitsharing" } as const;
    await outbox.add(trx, { ...common, mchId: account, number, id, url, from, event, summary, resource });
  }

  return {
    /** Sends what was stored. Call it after the commit. */
    wake: (): void => outbox.wake(),
    /** Stores the notifications of a share that ends in the transaction. */
    async shared(trx: Trx, { share, details }: Share): Promise<void> {
      const { out_order_no: number, order_id: id } = share;
      for (const { type, account, amount, description, result, finished_at } of details)
        if (type === "MERCHANT_ID" && account !== share.mch_id && result === "SUCCESS")
          await add(trx, share, {
            ...{ event: "PROFITSHARING.SUCCESS", summary: "分账", number, id, account, amount, description },
            at: finished_at ?? 0,
          });
    },
    /** Stores the notification of money that returns in the transaction. */
    returned: (trx: Trx, { share }: Share, { return_mchid, amount, description, ...one }: ShareReturnRow) =>
      add(trx, share, {
        ...{ event: "PROFITSHARING.RETURN", summary: "分账回退", number: one.out_return_no, id: one.return_id },
        ...{ account: return_mchid, amount, description, at: one.created_at },
      }),
  };
}
