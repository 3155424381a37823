/** Notifications to merchants that have got a part of an order, or returned one. */
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { ProductNotice, SendNotice } from "../notifier/product-notices.ts";
import type { ShareReceivers } from "./share-receivers.ts";
import type { ShareDetailRow, ShareReturnRow, ShareRow } from "./share-tables.ts";
import type { Share } from "./shares.ts";

interface Deps {
  readonly receivers: Pick<ShareReceivers, "settingsOf">;
  readonly send: SendNotice;
}

type Told = Pick<ProductNotice, "event" | "summary" | "number" | "id"> &
  Pick<ShareDetailRow, "account" | "amount" | "description"> & { readonly at: number };

export function createShareNotices({ receivers, send }: Deps) {
  async function notify({ mch_id, transaction_id }: ShareRow, told: Told): Promise<void> {
    const { account, amount, description, number, id, event, summary } = told;
    const { notify_url: url, notify_from: from } = await receivers.settingsOf(account);
    if (url === null) return;
    const resource = {
      ...{ mchid: mch_id, transaction_id, order_id: id, out_order_no: number },
      receiver: { type: "MERCHANT_ID", account, amount, description },
      success_time: offsetTime(told.at),
    };
    const originalType = "profitsharing";
    send({ about: "profit_sharing", mchId: account, number, id, url, from, event, summary, originalType, resource });
  }

  return {
    shared: async ({ share, details }: Share): Promise<void> => {
      const { out_order_no: number, order_id: id } = share;
      for (const { type, account, amount, description, result, finished_at } of details)
        if (type === "MERCHANT_ID" && account !== share.mch_id && result === "SUCCESS")
          await notify(share, {
            ...{ event: "PROFITSHARING.SUCCESS", summary: "分账", number, id, account, amount, description },
            at: finished_at ?? 0,
          });
    },
    returned: ({ share }: Share, { return_mchid, amount, description, ...one }: ShareReturnRow): Promise<void> =>
      notify(share, {
        ...{ event: "PROFITSHARING.RETURN", summary: "分账回退", number: one.out_return_no, id: one.return_id },
        ...{ account: return_mchid, amount, description, at: one.created_at },
      }),
  };
}
