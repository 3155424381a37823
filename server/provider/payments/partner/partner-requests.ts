/** The fields of version 3 requests that a service provider sends for a sub-merchant. */
import { z } from "zod";
import { identified, orderBodies } from "../v3/requests-v3.ts";

const id = orderBodies.native.shape.appid;
const { openid } = orderBodies.jsapi.shape.payer.shape;
const openids = identified.extend({ sp_openid: openid.optional(), sub_openid: openid.optional() });
const direct = { appid: true, mchid: true, payer: true } as const;
const both = { sp_appid: id, sp_mchid: id, sub_appid: id.optional(), sub_mchid: id };
const { subsidy_info } = orderBodies.app.shape;
const order = orderBodies.native.omit(direct).extend({
  ...both,
  settle_info: z
    .object({ profit_sharing: z.boolean().optional(), subsidy_amount: z.int().min(0).optional() })
    .optional(),
});
const withPayer = order.extend({ payer: identified.optional() });

/** Bodies of the calls that place an order, by the last segment of their path. */
export const partnerOrderBodies = {
  jsapi: order
    .extend({ payer: openids, subsidy_info })
    .refine(({ payer }) => payer.sp_openid !== undefined || payer.sub_openid !== undefined, {
      error: "sp_openid or sub_openid is required",
      path: ["payer", "sp_openid"],
    })
    .refine(({ payer, sub_appid }) => payer.sub_openid === undefined || sub_appid !== undefined, {
      error: "is required with sub_openid",
      path: ["sub_appid"],
    }),
  native: withPayer,
  app: withPayer.extend({ subsidy_info }),
  h5: withPayer.extend({ scene_info: orderBodies.h5.shape.scene_info }),
};
export type PartnerOrderBody = z.output<typeof order> & {
  readonly payer?: z.output<typeof openids> | undefined;
  readonly subsidy_info?: z.output<typeof subsidy_info>;
};

/** The query of a query, and the body of a close. */
export const bySubMerchant = z.object({ sp_mchid: id, sub_mchid: id });
