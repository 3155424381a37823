/** The fields of version 3 requests that a service provider sends for a sub-merchant. */
import { z } from "zod";
import { identity, settleInfo } from "../v3/payer-fields-v3.ts";
import { codeOrderBody, orderBodies, reverseBody } from "../v3/requests-v3.ts";

const id = orderBodies.native.shape.appid;
const { openid } = orderBodies.jsapi.shape.payer.shape;
const known = z.object({ identity: identity.optional() });
const openids = known.extend({ sp_openid: openid.optional(), sub_openid: openid.optional() });
const direct = { appid: true, mchid: true, payer: true } as const;
const both = { sp_appid: id, sp_mchid: id, sub_appid: id.optional(), sub_mchid: id };
const settled = { settle_info: settleInfo.optional() };
const order = orderBodies.native.omit(direct).extend({ ...both, ...settled, payer: known.optional() });
const subsidized = { subsidy_info: orderBodies.app.shape.subsidy_info };

/** Bodies of the calls that place an order, by the last segment of their path. */
export const partnerOrderBodies = {
  jsapi: order
    .extend({ payer: openids, ...subsidized })
    .refine(({ payer }) => payer.sp_openid !== undefined || payer.sub_openid !== undefined, {
      error: "sp_openid or sub_openid is required",
      path: ["payer", "sp_openid"],
    })
    .refine(({ payer, sub_appid }) => payer.sub_openid === undefined || sub_appid !== undefined, {
      error: "is required with sub_openid",
      path: ["sub_appid"],
    }),
  native: order,
  app: order.extend(subsidized),
  h5: order.extend({ scene_info: orderBodies.h5.shape.scene_info }),
};
export type PartnerOrderBody = Omit<z.output<typeof order>, "payer"> & {
  readonly payer?: z.output<typeof openids> | undefined;
  readonly subsidy_info?: z.output<typeof orderBodies.app>["subsidy_info"];
};

const withoutApp = { sp_appid: id.optional(), sub_appid: id.optional() };
export const partnerCodeBody = codeOrderBody.omit({ appid: true, mchid: true }).extend({ ...both, ...withoutApp });
export const partnerReverseBody = reverseBody.omit({ appid: true, mchid: true }).extend({ ...both, ...withoutApp });

/** The query of a query, and the body of a close. */
export const bySubMerchant = z.object({ sp_mchid: id, sub_mchid: id });
