/** Reads notifications of version 2: XML, signed by the signature type of the orders. */
import { outTradeNo } from "../../../../contract/provider/payment-terms.ts";
import { openRefundInfo } from "../../../../payment-wire/refund-info-v2.ts";
import { isSignedV2, type FieldsV2 } from "../../../../payment-wire/sign-v2.ts";
import { XmlFormatError } from "../../../../payment-wire/xml-v2.ts";
import { required, notificationText } from "../notification-text.ts";
import { NotificationRefused, type NotificationReader, type PaymentNotification } from "../provider-client.ts";
import { readFieldsV2 } from "./read-fields-v2.ts";
import { refundStatusOf } from "../read-order-fields.ts";
import { signTypeV2, type MerchantV2 } from "./reply-v2.ts";

export const createNotificationReaderV2 = (merchant: MerchantV2): NotificationReader => ({
  async readPaymentNotification(body, _headers, signTypeOf) {
    const fields = fieldsOf(notificationText(body));
    if (fields["return_code"] !== "SUCCESS") return communicationFailure(fields);
    // The signature is checked before any other field, even the merchant's number. Its type is that of the stored order
    // alone: the sender chooses the order, and what else the message says.
    const number = outTradeNo.safeParse(fields["out_trade_no"]);
    const signType = signTypeV2(number.success ? await signTypeOf?.(number.data) : undefined, merchant);
    if (!isSignedV2(fields, merchant.apiKey, signType))
      throw new NotificationRefused(
        "bad_signature",
        `The notification is not signed with ${signType} and the API v2 key.`,
      );
    mustBeOurs(fields, merchant);
    return readPayment(fields);
  },

  async readRefundNotification(body) {
    const outer = fieldsOf(notificationText(body));
    if (outer["return_code"] !== "SUCCESS") return communicationFailure(outer);
    mustBeOurs(outer, merchant);
    const fields = refundInfoOf(required("req_info", outer["req_info"]), merchant.apiKey);
    const status = required("refund_status", fields["refund_status"]);
    return {
      kind: "refund",
      version: "v2",
      outTradeNo: required("out_trade_no", fields["out_trade_no"]),
      outRefundNo: required("out_refund_no", fields["out_refund_no"]),
      status: refundStatusOf(status) ?? status,
      transactionId: fields["transaction_id"],
      amount: fenIn(fields, "refund_fee"),
      currency: fields["refund_fee_type"] ?? "CNY",
    };
  },
});

function fenIn(fields: FieldsV2, name: "total_fee" | "refund_fee"): number | undefined {
  const text = fields[name];
  if (text !== undefined && !/^\d{1,12}$/.test(text))
    throw new NotificationRefused("malformed", `The notification's ${name} is not a number of fen.`);
  return text === undefined ? undefined : Number(text);
}

function readPayment(fields: FieldsV2): PaymentNotification {
  const resultCode = required("result_code", fields["result_code"]);
  const { transaction_id: transactionId } = fields;
  if (resultCode === "SUCCESS") {
    required("total_fee", fields["total_fee"]);
    required("transaction_id", transactionId);
  }
  return {
    kind: "payment",
    version: "v2",
    outTradeNo: required("out_trade_no", fields["out_trade_no"]),
    total: fenIn(fields, "total_fee"),
    transactionId,
    currency: fields["fee_type"] ?? "CNY",
    resultCode,
  };
}

const communicationFailure = (fields: FieldsV2) =>
  ({ kind: "communication-failure", version: "v2", message: fields["return_msg"] ?? "" }) as const;

function mustBeOurs(fields: FieldsV2, { mchId, appId }: MerchantV2): void {
  if (fields["mch_id"] !== mchId || fields["appid"] !== appId)
    throw new NotificationRefused("foreign", "The notification is for another merchant or app.");
}

function fieldsOf(text: string): FieldsV2 {
  try {
    return readFieldsV2(text);
  } catch (error) {
    if (!(error instanceof XmlFormatError)) throw error;
    throw new NotificationRefused(
      "malformed",
      `The notification is not XML of version 2: ${error.message.slice(0, 200)}`,
    );
  }
}

function refundInfoOf(reqInfo: string, apiKey: string): FieldsV2 {
  let text: string;
  try {
    text = openRefundInfo(reqInfo, apiKey);
  } catch {
    throw new NotificationRefused("undecryptable", "req_info is not encrypted with the API v2 key.");
  }
  return fieldsOf(text);
}
