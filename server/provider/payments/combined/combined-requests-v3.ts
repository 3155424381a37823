/** The fields of version 3 requests about combined orders. */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";
import { fen } from "../../../contract/provider/payment-terms.ts";
import { maxDescriptionBytes } from "../../../payment-wire/text-v3.ts";
import { currencyV3, h5Info, notifyUrl, optionalTextV3, orderNo, textV3, timeV3 } from "../v3/requests-v3.ts";
import { identity, settleInfo, subsidyInfo } from "../v3/payer-fields-v3.ts";

const id = textV3(32);
const mostParts = 50;

const namedPart = z.object({ mchid: id, out_trade_no: orderNo, sub_mchid: id.optional(), sub_appid: id.optional() });
const part = namedPart.extend({
  attach: textV3(128),
  amount: z.object({ total_amount: fen, currency: currencyV3 }),
  description: textV3(maxDescriptionBytes),
  goods_tag: optionalTextV3(32),
  settle_info: settleInfo.optional(),
});
const detailedPart = part.extend({ detail: optionalTextV3(6000), profit_sharing: z.boolean().optional() });

const parts = <Part extends typeof namedPart>(one: Part) =>
  list(one)
    .min(1, "must not be empty")
    .max(mostParts, `has more than ${String(mostParts)} parts`)
    .refine((all) => new Set(all.map(({ mchid, out_trade_no }) => `${mchid} ${out_trade_no}`)).size === all.length, {
      error: "two parts have the same mchid and out_trade_no",
    });

const sceneInfo = z.object({ device_id: optionalTextV3(32), payer_client_ip: textV3(45) });
const openids = { openid: optionalTextV3(128), sub_openid: optionalTextV3(128) };
const payer = z.object({ ...openids, identity: identity.optional() });
const limit = z.enum(["no_balance", "no_debit", "balance_only"]);

const order = z.object({
  combine_appid: id,
  combine_mchid: id,
  combine_out_trade_no: orderNo,
  scene_info: sceneInfo.optional(),
  sub_orders: parts(part),
  combine_payer_info: payer.optional(),
  time_start: timeV3.optional(),
  time_expire: timeV3.optional(),
  notify_url: notifyUrl,
  limit_pay: list(limit).optional(),
});

/** Bodies of the calls that place a combined order, by the last segment of their path. */
export const combinedOrderBodies = {
  jsapi: order
    .extend({ sub_orders: parts(detailedPart), combine_payer_info: payer, subsidy_info: subsidyInfo.optional() })
    .refine(({ combine_payer_info: { openid, sub_openid } }) => Boolean(openid ?? sub_openid), {
      error: "openid or sub_openid is required",
      path: ["combine_payer_info", "openid"],
    }),
  native: order,
  app: order.extend({
    sub_orders: parts(detailedPart),
    combine_payer_info: payer.pick({ identity: true }).optional(),
    subsidy_info: subsidyInfo.optional(),
  }),
  h5: order.extend({ scene_info: sceneInfo.extend({ device_id: textV3(32), h5_info: h5Info }) }),
};
type CombinedBody = z.output<(typeof combinedOrderBodies)["native"]>;
export interface CombinedOrderBody extends Omit<CombinedBody, "sub_orders"> {
  readonly sub_orders: readonly z.output<typeof detailedPart>[];
  readonly subsidy_info?: z.output<typeof subsidyInfo> | undefined;
}

export const combinedNumber = z.object({ combine_out_trade_no: orderNo });
export const combinedCloseBody = z.object({ combine_appid: id, sub_orders: parts(namedPart) });
