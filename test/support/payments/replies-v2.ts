/** A reply of each call of version 2, to compare with the published description. */
import { createMerchantV2, type MerchantV2, type ReplyV2 } from "./merchant-v2.ts";
import { signedXml, type Fields } from "./payment-signatures.ts";
import type { TestProvider } from "./test-provider.ts";

export type CollectedV2 = readonly (readonly [operation: string, reply: ReplyV2])[];

const hmac = { signType: "HMAC-SHA256" } as const;
const oldSandbox = "/sandboxnew";
const newSandbox = "/xdc/apiv2sandbox";

/** Calls the merchant's functions, and notes the replies under their paths. */
function notesOf(merchant: MerchantV2) {
  const collected: (readonly [string, ReplyV2])[] = [];
  return {
    collected,
    call: async (path: string, fields: Fields, sent: Parameters<MerchantV2["call"]>[2] = {}): Promise<Fields> => {
      const reply = await merchant.call(path, fields, sent);
      collected.push([`POST ${path}`, reply]);
      return reply.fields;
    },
    note: (path: string, reply: ReplyV2) => void collected.push([`POST ${path}`, reply]),
  };
}

const order = (out_trade_no: string, changed: Fields = {}): Fields => ({
  ...{ body: "Tea", out_trade_no, total_fee: "101", spbill_create_ip: "127.0.0.1", device_info: "till 1", attach: "a" },
  ...{ notify_url: "http://127.0.0.1:9/notifications", trade_type: "NATIVE", product_id: "tea" },
  ...changed,
});
const byCode = (out_trade_no: string, auth_code: string): Fields => ({
  ...{ body: "Tea", out_trade_no, total_fee: "101", spbill_create_ip: "127.0.0.1", device_info: "till 1", auth_code },
});

async function orderReplies(provider: TestProvider, merchant: MerchantV2): Promise<CollectedV2> {
  const { collected, call, note } = notesOf(merchant);
  for (const [trade_type, more] of [
    ["NATIVE", {}],
    ["JSAPI", { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" }],
    ["APP", {}],
    ["MWEB", { scene_info: '{"h5_info":{"type":"Wap"}}' }],
  ] as const)
    await call("/pay/unifiedorder", order(`DESC2_${trade_type}`, { trade_type, ...more }));
  await call("/pay/orderquery", { out_trade_no: "DESC2_NATIVE" });
  await provider.control("POST", "/orders/DESC2_NATIVE/pay", { coupon_fen: 11 });
  const { transaction_id = "", time_end = "" } = await call("/pay/orderquery", { out_trade_no: "DESC2_NATIVE" });
  await call("/secapi/pay/refund", { transaction_id, out_refund_no: "D2", total_fee: "101", refund_fee: "40" });
  await call("/pay/refundquery", { transaction_id });
  await call("/secapi/pay/refundv2", { transaction_id, out_refund_no: "D2G", total_fee: "101", refund_fee: "10" });
  await call("/pay/refundqueryv2", { transaction_id });
  await call("/pay/closeorder", { out_trade_no: "DESC2_APP" });
  const { auth_code } = await provider.control("POST", "/users/ada/payment-codes", {});
  await call("/tools/authcodetoopenid", { auth_code: String(auth_code) });
  await call("/tools/shorturl", { long_url: "weixin://wxpay/bizpayurl?pr=tea" });
  const trades = JSON.stringify([{ out_trade_no: "DESC2_CODE", state: "OK" }]);
  await call("/payitil/report", { interface_url: "https://api.mch.weixin.qq.com/pay", user_ip: "127.0.0.1", trades });
  await call("/pay/micropay", byCode("DESC2_CODE", String(auth_code)));
  await call("/secapi/pay/reverse", { out_trade_no: "DESC2_CODE" });
  // A bill itself is a file, which the description has no fields of: its refusal is a message.
  const day = time_end.slice(0, 8);
  await call("/pay/downloadbill", { bill_date: "20200101" });
  await call("/pay/downloadfundflow", { bill_date: "20200101", account_type: "Basic" }, hmac);
  expectFile(await merchant.call("/pay/downloadbill", { bill_date: day }));
  expectFile(await merchant.call("/pay/downloadfundflow", { bill_date: day, account_type: "Basic" }, hmac));
  note("/pay/closeorder", await merchant.close("DESC2_MWEB"));
  return collected;
}

function expectFile({ text }: ReplyV2): void {
  if (text.startsWith("<xml>")) throw new Error(text);
}

async function shareReplies(provider: TestProvider, merchant: MerchantV2): Promise<CollectedV2> {
  const { collected, call } = notesOf(merchant);
  const shop = { type: "MERCHANT_ID", account: "1900000300" };
  const receiver = JSON.stringify({ ...shop, name: "Shop", relation_type: "STORE" });
  await call("/pay/profitsharingaddreceiver", { receiver }, hmac);
  await merchant.paid("DESC2_SHARED", { total_fee: "1000", profit_sharing: "Y" });
  const { transaction_id = "" } = (await merchant.query("DESC2_SHARED")).fields;
  const receivers = JSON.stringify([{ ...shop, amount: 50, description: "shop" }]);
  await call("/secapi/pay/multiprofitsharing", { transaction_id, out_order_no: "D2M", receivers }, hmac);
  const asked = { transaction_id, out_order_no: "D2M" };
  await call("/pay/profitsharingquery", { ...asked, appid: "" }, hmac);
  await call("/pay/profitsharingorderamountquery", { transaction_id, appid: "" }, hmac);
  await call("/pay/profitsharingmerchantratioquery", { appid: "" }, hmac);
  provider.clock.offsetMs += 60_000;
  const back = { out_order_no: "D2M", return_account_type: "MERCHANT_ID", return_account: shop.account };
  await call(
    "/secapi/pay/profitsharingreturn",
    { ...back, out_return_no: "D2R", return_amount: "20", description: "back" },
    hmac,
  );
  await call("/pay/profitsharingreturnquery", { out_order_no: "D2M", out_return_no: "D2R" }, hmac);
  await call("/secapi/pay/profitsharing", { transaction_id, out_order_no: "D2S", receivers }, hmac);
  await merchant.paid("DESC2_FINISHED", { total_fee: "1000", profit_sharing: "Y" });
  const { transaction_id: other = "" } = (await merchant.query("DESC2_FINISHED")).fields;
  const rest = { transaction_id: other, out_order_no: "D2F", description: "done" };
  await call("/secapi/pay/profitsharingfinish", rest, hmac);
  await call("/pay/profitsharingremovereceiver", { receiver: JSON.stringify(shop) }, hmac);
  return collected;
}

async function sandboxReplies(provider: TestProvider, merchant: MerchantV2): Promise<CollectedV2> {
  const { collected, call, note } = notesOf(merchant);
  const { mch_id = "", nonce_str = "" } = merchant.common();
  const asked = signedXml({ mch_id, nonce_str }, merchant.apiV2Key);
  for (const path of ["/sandboxnew/pay/getsignkey", "/xdc/apiv2getsignkey/sign/getsignkey"])
    note(path, await merchant.send(path, asked));
  const key = collected[0]?.[1].fields["sandbox_signkey"] ?? "";
  for (const prefix of [oldSandbox, newSandbox]) {
    const out_trade_no = `DESC2_${prefix.slice(1, 4)}`;
    const { auth_code } = await provider.control("POST", "/users/ada/payment-codes", {});
    await call(`${prefix}/pay/micropay`, byCode(out_trade_no, String(auth_code)), { key });
    await call(`${prefix}/pay/orderquery`, { out_trade_no }, { key });
  }
  await call(`${oldSandbox}/pay/unifiedorder`, order("DESC2_SANDBOX"), { key });
  const refund = { out_trade_no: "DESC2_san", out_refund_no: "D2X", total_fee: "101", refund_fee: "1" };
  await call(`${oldSandbox}/pay/refund`, refund, { key });
  await call(`${oldSandbox}/pay/refundquery`, { out_trade_no: "DESC2_san" }, { key });
  await call(`${oldSandbox}/pay/downloadbill`, { bill_date: "20200101" }, { key });
  return collected;
}

export async function repliesV2(provider: TestProvider): Promise<CollectedV2> {
  const merchant = createMerchantV2(provider);
  return [
    ...(await orderReplies(provider, merchant)),
    ...(await sandboxReplies(provider, merchant)),
    ...(await shareReplies(provider, merchant)),
  ];
}
