/** The fields of profit sharing in version 3, with the published limits. */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";
import { fen } from "../../../contract/provider/payment-terms.ts";
import { outShareNo, shareReceiverType, shareRelation } from "../../../contract/provider/profit-sharing/share-terms.ts";
import { billQuery, encrypted, optionalTextV3, textV3, transactionNumber } from "../v3/requests-v3.ts";

const receiver = z.object({ type: shareReceiverType, account: textV3(64) });
const bySubMerchant = z.object({ sub_mchid: optionalTextV3(32) });
const apps = z.object({ appid: textV3(32), sub_appid: optionalTextV3(32) });

export const addReceiverBody = bySubMerchant
  .extend(apps.shape)
  .extend(receiver.shape)
  .extend({ name: encrypted.optional(), relation_type: shareRelation, custom_relation: optionalTextV3(30) })
  .refine(({ type, name }) => type !== "MERCHANT_ID" || name !== undefined, {
    error: "is required for MERCHANT_ID",
    path: ["name"],
  })
  .refine(({ relation_type, custom_relation }) => relation_type !== "CUSTOM" || Boolean(custom_relation), {
    error: "is required for CUSTOM",
    path: ["custom_relation"],
  });

export const deleteReceiverBody = bySubMerchant.extend(apps.shape).extend(receiver.shape);

export const shareBody = bySubMerchant.extend({
  appid: optionalTextV3(32),
  sub_appid: optionalTextV3(32),
  transaction_id: transactionNumber.shape.transaction_id,
  out_order_no: outShareNo,
  receivers: list(receiver.extend({ name: encrypted.optional(), amount: fen, description: textV3(80) }))
    .min(1)
    .max(50),
  unfreeze_unsplit: z.boolean(),
});

export const unfreezeBody = bySubMerchant.extend({
  transaction_id: transactionNumber.shape.transaction_id,
  out_order_no: outShareNo,
  description: textV3(80),
});

export const subMerchantNumber = z.object({ sub_mchid: textV3(32) });
export const shareNumber = z.object({ out_order_no: outShareNo });
export const shareBillQuery = billQuery.extend(bySubMerchant.shape);
export const shareQuery = bySubMerchant.extend({ transaction_id: transactionNumber.shape.transaction_id });

export const returnBody = bySubMerchant
  .extend({
    order_id: optionalTextV3(64),
    out_order_no: outShareNo.optional(),
    out_return_no: outShareNo,
    return_mchid: textV3(32),
    amount: fen,
    description: textV3(80),
  })
  .refine(({ order_id, out_order_no }) => Boolean(order_id) || out_order_no !== undefined, {
    error: "order_id or out_order_no is required",
    path: ["out_order_no"],
  });
export const returnNumber = z.object({ out_return_no: outShareNo });
export const returnQuery = bySubMerchant.extend({ out_order_no: outShareNo });
