/** Differences from the published description that are meant, each with its reason. */

/** A difference by operation and text, as `compareFields` and `compareReply` say it. */
export interface Explanation {
  readonly operation: RegExp;
  readonly difference: RegExp;
  readonly reason: string;
}

export const explanations: readonly Explanation[] = [
  {
    operation: /^POST/,
    difference: /^body [/].*amount[/]currency: one of CNY here$/,
    reason: "the platform's page on each call allows CNY only",
  },
  {
    operation: /^POST .*transactions[/](?:jsapi|app|h5|native)$/,
    difference: /^body [/]scene_info[/]/,
    reason: "the platform's page requires payer_client_ip, store_info.id and the type of H5, and no other member",
  },
  {
    operation: /transactions[/]h5$/,
    difference: /^body [/]scene_info[/]h5_info/,
    reason: "the platform's page requires h5_info",
  },
  {
    operation: /transactions[/](?:app|h5|native)$/,
    difference: /^body [/]payer[/]openid: only here$/,
    reason: "SDKs send it with every order; it has no effect",
  },
  {
    operation: /partner[/]transactions[/]jsapi$/,
    difference: /^body [/]payer[/]sp_openid: required there only$/,
    reason: "the platform's page takes sub_openid in its place",
  },
  {
    operation: /./,
    difference: /[/]sub_mchid: (?:only there|required there only)$/,
    reason: "a field of partners: the description joins their calls with those of direct merchants",
  },
  {
    operation: /^POST .*refunds$/,
    difference: /^body [/]funds_account: one of UNSETTLED, AVAILABLE here$/,
    reason: "the platform's page names these two",
  },
  {
    operation: /combine-transactions[/]app$/,
    difference:
      /^body [/](?:contract_info|prepay_id|trade_scenario|sub_orders[/][*][/]individual_(?:auth_id|name)): only/,
    reason: "listed as missing: fields of payments that sign a contract, and of payments to persons",
  },
  {
    operation: /combine-transactions[/].*[/]close$/,
    difference: /[/]individual_auth_id: only there$/,
    reason: "a field of payments to persons, which are placed by a call of their own",
  },
  {
    operation: /^GET .*combine-transactions[/]/,
    difference: /^reply [/]combine_transaction_id: missing$/,
    reason: "an order that nobody paid has none",
  },
  {
    operation: /sub-merchant-fundflowbill$/,
    difference: /^query [/]algorithm: SM4_GCM only there$/,
    reason: "the platform's page says that only AES-256-GCM is supported at present",
  },
  {
    operation: /billdownload[/]file$/,
    difference: /^query [/]tartype: only there$/,
    reason: "the token says already which file it is",
  },
  {
    operation: /certificates$/,
    difference: /^query [/]algorithm_type: only there$/,
    reason: "read by the call itself; SM2 is listed as missing",
  },
  {
    operation: /^GET .*transactions[/]/,
    difference: /^reply [/](?:description|notify_url): missing$/,
    reason: "the description reuses the fields of the order; replies seen live have neither",
  },
  {
    operation: /^GET .*transactions[/]/,
    difference: /^reply [/](?:payer|amount[/]payer_(?:total|currency)|promotion_detail): only here$/,
    reason: "the platform's page has them, and live replies too",
  },
  {
    operation: /^GET .*transactions[/]/,
    difference: /^reply [/](?:amount[/]payer_total|payer[/]openid): missing$/,
    reason: "an order that nobody paid has neither",
  },
  {
    operation: /^POST [/]v3[/]profitsharing[/]orders$/,
    difference: /^body [/]receivers: required here only$/,
    reason: "the platform's page requires it; the remaining money alone is freed by the call to unfreeze",
  },
  {
    operation: /^GET [/]v3[/]profitsharing[/]orders[/]/,
    difference: /^reply [/](?:state|receivers[/][*][/]result): [A-Z]+ is none of /,
    reason: "the description has the values of another field here; those of the call that asks are right",
  },
  {
    operation: /^POST [/]v3[/]profitsharing[/]orders[/]unfreeze$/,
    difference: /^reply [/]receivers[/][*][/]fail_reason: missing$/,
    reason: "nothing has failed; the query of the same request does not require it",
  },
  {
    operation: /^POST .*mch-transfer[/]transfer-bills$/,
    difference: /^body [/]transfer_scene_id: one of /,
    reason: "the platform's page takes every scene that the merchant was granted, such as 1006",
  },
  {
    operation: /^POST [/]v3[/]partner-papay[/]contracts[/].*notify$/,
    difference: /^body [/]deduct_duration[/]unit: one of DAY here$/,
    reason: "the platform's page names days only",
  },
  {
    operation: /images[/][{]media_id[}]$/,
    difference: /^path [/]media_id: required here only$/,
    reason: "it is a part of the path",
  },
];
