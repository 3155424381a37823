/** The field rules of each version 2 call. The platform refuses a field that the call has no rule for. */
import { fen, outRefundNo, outTradeNo, signType } from "../../../contract/provider/payment-terms.ts";
import { readCompactTime } from "../../../payment-wire/provider-time.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";

export interface FieldRule {
  readonly name: string;
  /** In characters. */
  readonly max: number;
  readonly required: boolean;
  readonly accepts?: (((value: string) => boolean) & { readonly choices?: readonly string[] }) | undefined;
}

type Accepts = FieldRule["accepts"];

export const needed = (name: string, max: number, accepts?: Accepts): FieldRule => ({
  name,
  max,
  required: true,
  accepts,
});
export const optional = (name: string, max: number, accepts?: Accepts): FieldRule => ({
  name,
  max,
  required: false,
  accepts,
});

export const isFen = (value: string) => /^\d{1,10}$/.test(value) && fen.safeParse(Number(value)).success;
/** Names its values, by which the rule can be compared with the published description. */
export const isOneOf = (choices: readonly string[]): Accepts =>
  Object.assign((value: string) => choices.includes(value), { choices });
const isTime = (value: string) => readCompactTime(value) !== undefined;
const isOutTradeNo = (value: string) => outTradeNo.safeParse(value).success;
export const isOutRefundNo = (value: string) => outRefundNo.safeParse(value).success;
export const isTransactionId = (value: string) => /^\d{1,32}$/.test(value);

/** The platform appends nothing to the address and refuses one that already has a query. */
export const isNotifyUrl = (value: string) =>
  /^https?:\/\//i.test(value) && URL.canParse(value) && !value.includes("?");

export function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

export const commonRules: readonly FieldRule[] = [
  needed("appid", 32),
  needed("mch_id", 32),
  needed("nonce_str", 32),
  needed("sign", 64),
  optional("sign_type", 32, isOneOf(signType.options)),
];

/** The fields of the call for the sandbox key. */
export const sandboxKeyRules: readonly FieldRule[] = commonRules.filter(({ name }) =>
  ["mch_id", "nonce_str", "sign"].includes(name),
);

export const orderNumberField = needed("out_trade_no", 32, isOutTradeNo);
export const orderNumbers: readonly FieldRule[] = [
  optional("transaction_id", 32),
  optional("out_trade_no", 32, isOutTradeNo),
];

/** The form of the details of goods. */
export const versionField = optional("version", 32, isOneOf(["1.0"]));

/** The fields that both kinds of payment share. */
export const paymentRules: readonly FieldRule[] = [
  needed("body", 128),
  orderNumberField,
  needed("total_fee", 10, isFen),
  needed("spbill_create_ip", 64),
  optional("detail", 6000),
  optional("attach", 127),
  optional("fee_type", 16, isOneOf(["CNY"])),
  optional("device_info", 32),
  optional("time_start", 14, isTime),
  optional("time_expire", 14, isTime),
  optional("goods_tag", 32),
  optional("limit_pay", 32, isOneOf(["no_credit"])),
  optional("receipt", 8, isOneOf(["Y", "N"])),
  optional("scene_info", 256, isJson),
  versionField,
  optional("profit_sharing", 1, isOneOf(["Y", "N"])),
];

/** The first required field that is missing. */
export const missingField = (fields: FieldsV2, rules: readonly FieldRule[]): string | undefined =>
  rules.find(({ name, required }) => required && (fields[name] ?? "") === "")?.name;

/** The fields by which a service provider names its sub-merchant. The platform knows them in every call. */
export const partnerFields = new Set(["sub_mch_id", "sub_appid", "sub_openid"]);

/** The first field that the call does not know. */
export const unknownField = (fields: FieldsV2, rules: readonly FieldRule[]): string | undefined =>
  Object.keys(fields).find((field) => {
    if (fields[field] === "" || partnerFields.has(field)) return false;
    return ![commonRules, rules].some((known) => known.some(({ name }) => name === field));
  });

/** The first field that is too long or malformed, with advice. */
export function malformedField(fields: FieldsV2, rules: readonly FieldRule[]): string | undefined {
  for (const { name, max, accepts } of rules) {
    const value = fields[name] ?? "";
    if (value === "") continue;
    if (value.length > max && [...value].length > max) return `${name}参数长度有误，最多${String(max)}个字符`;
    if (accepts && !accepts(value)) return `${name}参数格式有误`;
  }
  return undefined;
}
