/** The words of the payment provider that both of its versions, both sides and the console share. */
import { z } from "zod";
import { conditions } from "../messages/en/conditions.ts";

/** Status of a payment order (spec: Trade state). Only this decides whether money moved. */
export const tradeState = z.enum(["SUCCESS", "REFUND", "NOTPAY", "CLOSED", "REVOKED", "USERPAYING", "PAYERROR"]);
export type TradeState = z.infer<typeof tradeState>;

/** How a buyer pays: in a mini-program, by a QR code, in an app, in a browser, by showing a payment code. */
export const buyerTradeType = z.enum(["JSAPI", "NATIVE", "APP", "MWEB", "MICROPAY"]);
export type BuyerTradeType = z.infer<typeof buyerTradeType>;
/** The buyer pays, or the merchant deducts by a contract (PAP). */
export const tradeType = z.enum([...buyerTradeType.options, "PAP"]);
export type TradeType = z.infer<typeof tradeType>;

/** Version of the provider's payment API: 2 speaks XML and signs with a shared key, 3 speaks JSON and signs with RSA. */
export const payVersion = z.enum(["v2", "v3"]);
export type PayVersion = z.infer<typeof payVersion>;

/** The API that placed an order and notifies of it: a version of WeChat Pay's, or Alipay's gateway. */
export const payWire = z.enum([...payVersion.options, "alipay"]);
export type PayWire = z.infer<typeof payWire>;

/** The platform that takes this server's payments. */
export const payProvider = z.enum(["wechat", "alipay"]);

/** Why a buyer's attempt to pay has failed: refused by the bank, cancelled, a wrong password, or too little money. */
export const paymentFailure = z.enum(["bank", "cancel", "wrong_password", "no_funds"]);
export type PaymentFailure = z.infer<typeof paymentFailure>;

/** The calls of both versions, by the names that version 2 has for them. */
export const payCall = z.enum([
  "unifiedorder",
  "orderquery",
  "closeorder",
  "refund",
  "refundquery",
  "reverse",
  "micropay",
  "downloadbill",
  "downloadfundflow",
  "certificates",
  "profitsharing",
  "profitsharingquery",
  "profitsharingfinish",
  "profitsharingreturn",
  "profitsharingreturnquery",
  "profitsharingaddreceiver",
  "profitsharingremovereceiver",
  "profitsharingorderamountquery",
  "transfer",
  "transferquery",
  "transfercancel",
  "transferreceipt",
  "complaintquery",
  "complaintreply",
  "complaintreceiver",
  "preentrustweb",
  "contractorder",
  "querycontract",
  "deletecontract",
  "contractnotify",
  "contractschedule",
  "pappayapply",
  "paporderquery",
  "mediaupload",
  "mediadownload",
  "authcodetoopenid",
  "shorturl",
  "report",
  "profitsharingmerchantratioquery",
  "profitsharingbill",
]);
export type PayCall = z.infer<typeof payCall>;

/** The subjects of notifications. */
export const notificationSubject = z.enum(["payment", "refund", "profit_sharing", "transfer", "complaint", "contract"]);
export type NotifiedThing = z.infer<typeof notificationSubject>;

/** Signature types of version 2. */
export const signType = z.enum(["MD5", "HMAC-SHA256"]);
export type SignType = z.infer<typeof signType>;

/** Status of a refund, in the words of version 3 (version 2 says CHANGE for ABNORMAL and REFUNDCLOSE for CLOSED). */
export const refundStatus = z.enum(["PROCESSING", "SUCCESS", "ABNORMAL", "CLOSED"]);
export type RefundStatus = z.infer<typeof refundStatus>;

/** Merchant's order number. */
export const outTradeNo = z.string().regex(/^[0-9A-Za-z_\-|*]{6,32}$/, conditions["is.outTradeNo"]);
/** Merchant's order number at either platform; Alipay allows shorter and longer ones. */
export const platformOrderNo = z.string().regex(/^[0-9A-Za-z_\-|*]{1,64}$/, conditions["is.orderNo"]);
/** Merchant's refund number. */
export const outRefundNo = z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/, conditions["is.outRefundNo"]);
/** Money: whole fen, 1/100 CNY. */
export const fen = z.int().min(1).max(1_000_000_000);

/** Data of the event `payment.failed`. */
export const failedPaymentSchema = z.object({
  mch_id: z.string(),
  out_trade_no: platformOrderNo,
  amount: z.number().int().describe("Amount in fen."),
  reason: paymentFailure,
});
