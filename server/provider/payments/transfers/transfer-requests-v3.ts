/** The fields of transfers, with the published limits. */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";
import { fen } from "../../../contract/provider/payment-terms.ts";
import { outBillNo } from "../../../contract/provider/transfers/transfer-terms.ts";
import { encrypted, notifyUrl, optionalTextV3, textV3 } from "../v3/requests-v3.ts";

/** From this amount on, the receiver's name is required. */
const namedFromFen = 200_000;

export const transferBody = z
  .object({
    appid: textV3(32),
    out_bill_no: outBillNo,
    transfer_scene_id: textV3(36),
    openid: textV3(64),
    user_name: encrypted.optional(),
    transfer_amount: fen,
    transfer_remark: z.string().min(1).max(32),
    notify_url: notifyUrl.optional(),
    user_recv_perception: optionalTextV3(64),
    transfer_scene_report_infos: list(z.object({ info_type: textV3(64), info_content: textV3(128) })).min(1),
    user_recv_style: z.object({ type: z.enum(["CONFIRM_PAGE", "RED_PACKET"]) }).optional(),
  })
  .refine(({ transfer_amount, user_name }) => transfer_amount < namedFromFen || user_name !== undefined, {
    error: "is required from 2000 CNY on",
    path: ["user_name"],
  });

export const outBillNumber = z.object({ out_bill_no: outBillNo });
export const transferBillNumber = z.object({ transfer_bill_no: textV3(64) });
