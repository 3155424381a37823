/** The fields of requests about contracts and deductions in version 3. */
import { z } from "zod";
import { outContractCode } from "../../../contract/provider/papay/contract-terms.ts";
import { fen, outTradeNo } from "../../../contract/provider/payment-terms.ts";
import { isDay } from "../../../payment-wire/provider-time.ts";
import { currencyV3, notifyUrl, optionalTextV3, textV3 } from "../v3/requests-v3.ts";

const currency = currencyV3.default("CNY");
const amount = z.object({ total: fen, currency });
const plan = z.int().min(1).max(4_294_967_295);
const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "must be a date like 2026-01-31")
  .refine((text) => isDay(text.replaceAll("-", "")), "this day does not exist");

const contract = z.object({
  plan_id: plan,
  out_contract_code: outContractCode,
  contract_display_account: textV3(64),
  contract_notify_url: notifyUrl,
  out_user_code: optionalTextV3(32),
  deduct_schedule: z
    .object({ estimated_deduct_date: day, estimated_deduct_amount: amount, description: textV3(128) })
    .optional(),
});
const direct = contract.extend({ appid: textV3(32), openid: optionalTextV3(128) });
const partner = contract.extend({
  ...{ sp_appid: textV3(32), sp_openid: optionalTextV3(128) },
  ...{ sub_mchid: textV3(32), sub_appid: optionalTextV3(32), sub_openid: optionalTextV3(128) },
});
const jump = { jump_control: z.object({ jump_appid: optionalTextV3(32) }).optional() };

/** Bodies of the calls that prepare a contract with one deduction, by the last segment of their path. */
export const signBodies = {
  app: direct,
  h5: direct.extend(jump),
  jsapi: direct,
  "mini-program": direct,
};
export const partnerSignBodies = {
  app: partner,
  h5: partner.extend(jump),
  jsapi: partner,
  "mini-program": partner,
};
export type SignBody = z.output<typeof direct>;
export type PartnerSignBody = z.output<typeof partner>;

const devices = ["UNKNOW", "PHONE", "PAD", "TV", "WATCH"].map((one) => `DEVICE_TYPE_${one}`);
const days = [
  "UNKNOW",
  "WITHIN_1_DAY",
  ...["7", "30", "90", "180"].map((n) => `WITHIN_${n}_DAYS`),
  "MORE_THEN_180_DAYS",
];

/** The call that prepares a contract for an app or for a code to be scanned. */
export const sceneSignBody = contract.omit({ deduct_schedule: true, out_user_code: true }).extend({
  sign_scene: z.enum(["SIGN_SCENE_APP", "SIGN_SCENE_QRCODE"]),
  appid: textV3(32),
  openid: optionalTextV3(128),
  out_user_code: textV3(32),
  return_url: notifyUrl.optional(),
  device_info: z.object({
    device_type: z.enum(devices),
    device_os: textV3(64),
    device_id: textV3(128),
    device_running_as_root: z.boolean(),
    device_ip: textV3(45),
    weixin_installed: z.boolean(),
    weixin_version: textV3(64),
    days_since_first_login: z.enum(days.map((one) => `DAYS_SINCE_FIRST_LOGIN_${one}`)),
  }),
});

export const contractCode = z.object({
  plan_id: z.coerce.number().int().min(1).max(4_294_967_295),
  out_contract_code: outContractCode,
});
export const contractNumber = z.object({ contract_id: textV3(32) });
export const bySub = z.object({ sub_mchid: textV3(32) });
export const terminateBody = z.object({ contract_termination_remark: textV3(512) });
export const partnerTerminateBody = terminateBody.extend(bySub.shape);

export const scheduleBody = z.object({ appid: textV3(32), schedule_amount: amount });
const ofPartner = { sp_appid: textV3(32), sub_mchid: textV3(32), sub_appid: optionalTextV3(32) };
export const partnerScheduleBody = scheduleBody.omit({ appid: true }).extend(ofPartner);

const deduction = z.object({
  out_trade_no: z.string().max(32).pipe(outTradeNo),
  description: textV3(128),
  transaction_notify_url: notifyUrl,
  contract_id: textV3(32),
  amount,
  goods_tag: optionalTextV3(32),
  attach: optionalTextV3(128),
});
export const applyBody = deduction.extend({ appid: textV3(32) });
export const partnerApplyBody = deduction.extend(ofPartner);
export const harmonyApplyBody = applyBody.extend({ harmony_account_id: textV3(128), mcc: optionalTextV3(8) });
export type ApplyBody = z.output<typeof deduction>;

const days3 = z.literal([1, 2, 3]);
const estimated = { estimated_amount: z.object({ amount: fen, currency }) };
export const announceBody = z.object({
  ...{ mchid: textV3(32), appid: textV3(32), ...estimated },
  deduct_duration: z.object({ count: days3, unit: z.enum(["DAY"]).optional() }).optional(),
});
export const partnerAnnounceBody = z.object({
  ...{ sp_mchid: textV3(32), ...ofPartner, ...estimated },
  deduct_duration: z.object({ count: z.int().min(1).max(7), unit: z.enum(["DAY"]).optional() }).optional(),
});
export const failNotifyBody = z.object({ mchid: textV3(32), appid: textV3(32) });
export const partnerFailNotifyBody = z.object({ sp_mchid: textV3(32), ...ofPartner });
