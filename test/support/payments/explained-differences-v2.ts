/** Differences from the published description of version 2 that are meant, each with its reason. */
import type { Explanation } from "./explained-differences.ts";

export const explanationsV2: readonly Explanation[] = [
  {
    operation: /./,
    difference: /^(?:body|reply) [/]sign: (?:maxLength 64 here, 32 there|longer than 32)$/,
    reason: "a signature by HMAC-SHA256 has 64 digits",
  },
  {
    operation: /./,
    difference: /^body [/](?:refund_)?fee_type: one of CNY here$/,
    reason: "our choice: the simulated merchants are paid in CNY",
  },
  {
    operation: /(?:unifiedorder|micropay)$/,
    difference: /^body [/](?:limit_pay|trade_type|receipt|version): one of /,
    reason: "our choice: an unknown value is taken for a mistake",
  },
  {
    operation: /(?:query|refund|refundv2|refundqueryv2|reverse)$/,
    difference: /^body [/](?:transaction_id|out_trade_no|out_refund_no|refund_id): required there only$/,
    reason: "one of the numbers suffices, as client libraries say, such as wechatpy",
  },
  {
    operation: /(?:refund|refundv2|refundquery|refundqueryv2|downloadbill)$/,
    difference: /^body [/](?:device_info|op_user_id): only here$/,
    reason: "client libraries still send them, such as wechatpy; they have no effect",
  },
  {
    operation:
      /(?:downloadbill|authcodetoopenid|report|contract|[/]entrustweb|contractorder|paporderquery|pappayapply)$/,
    difference: /^body [/]sign_type: only here$/,
    reason: "a field of every call",
  },
  {
    operation: /download(?:bill|fundflow)$/,
    difference: /^body [/](?:bill|account)_type: maxLength /,
    reason: "the described values RECHARGE_REFUND and Operation are longer than the described length",
  },
  {
    operation: /pay[/]refund(?:v2)?$/,
    difference: /^body [/]refund_account: one of REFUND_SOURCE_UNSETTLED_FUNDS, REFUND_SOURCE_RECHARGE_FUNDS here$/,
    reason: "client libraries name these two, such as wechatpy and WxJava",
  },
  {
    operation: /downloadfundflow$/,
    difference: /^body [/]sign_type: one of MD5, HMAC-SHA256 here$/,
    reason: "another type than HMAC-SHA256 is refused as SIGNERROR",
  },
  {
    operation: /profitsharing/,
    difference: /^body [/]sign_type: (?:required there only|MD5 only here|one of HMAC-SHA256 there)$/,
    reason: "our choice: without it HMAC-SHA256 is meant; another type is refused as SIGNERROR",
  },
  {
    operation: /profitsharing(?:merchantratioquery)?$/,
    difference: /^body [/]brand_mch_id: only there$/,
    reason: "a field of brands, whose sharing has calls of its own",
  },
  {
    operation: /profitsharingquery$/,
    difference: /^body [/]out_order_no: maxLength 64 here, 32 there$/,
    reason: "the call that creates the number takes 64",
  },
  {
    operation: /unifiedorder$/,
    difference: /^reply [/]mweb_url: longer than 64$/,
    reason: "an address on this machine is longer",
  },
  {
    operation: /orderquery$/,
    difference: /^reply [/]\w+: missing$/,
    reason: "only an order that is paid has these fields",
  },
  {
    operation: /refundquery(?:v2)?$/,
    difference: /^reply [/]err_code(?:_des)?: missing$/,
    reason: "a success has no error",
  },
  {
    operation: /profitsharing(?:orderamount|merchantratio)query$/,
    difference: /^reply [/]result_code: only here$/,
    reason: "a refusal is told by it, as in every signed reply",
  },
  {
    operation: /[/]entrustweb$/,
    difference: /^body [/]\w+: required here only$/,
    reason: "our choice: a request without one of them is taken for a mistake",
  },
  {
    operation: /entrustweb$/,
    difference: /^body [/]version: one of 1[.]0 here$/,
    reason: "our choice: another version is taken for a mistake",
  },
  {
    operation: /papay[/]partner[/]/,
    difference: /^body [/]sub_mch_id: required there only$/,
    reason: "required by the call itself",
  },
  {
    operation: /papay[/]querycontract$/,
    difference: /^body [/](?:appid: maxLength 32 here|mch_id: string here)/,
    reason: "texts of 32 characters, as in every other call",
  },
  {
    operation: /pappayapply$/,
    difference: /^body [/](?:trade_type|receipt): one of /,
    reason: "our choice: an unknown value is taken for a mistake",
  },
  {
    operation: /querycontract$/,
    difference: /^reply [/]request_serial: string here, uint64 there$/,
    reason: "digits; the described type is none of JSON Schema",
  },
];
