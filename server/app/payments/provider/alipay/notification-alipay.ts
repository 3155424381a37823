/** Reads notifications of Alipay: a form, signed by Alipay. Nothing in it counts before its signature is verified. */
import { z } from "zod";
import { parseForm } from "../../../../http/formats/parse-form.ts";
import { HttpError } from "../../../../http/http-error.ts";
import { alipaySignText, type AlipayParams } from "../../../../payment-wire/sign-alipay.ts";
import { isSignedV3 } from "../../../../payment-wire/signature-v3.ts";
import { readYuan } from "../../../../payment-wire/yuan.ts";
import type { MerchantAlipay } from "./merchant-alipay.ts";
import { notificationText, required } from "../notification-text.ts";
import { NotificationRefused, type NotificationReader } from "../provider-client.ts";

const fields = z.record(z.string(), z.string());

/** @throws NotificationRefused for a form that has a name twice, or is none */
function readForm(body: Buffer): AlipayParams {
  const text = notificationText(body);
  try {
    const form = fields.safeParse({ ...parseForm(text, "body") });
    if (form.success) return form.data;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
  throw new NotificationRefused("malformed", "The notification is not a form with each name once.");
}

export function createNotificationReaderAlipay(merchant: () => Promise<MerchantAlipay>): NotificationReader {
  return {
    async readPaymentNotification(body) {
      const form = readForm(body);
      const { appId, sellerId, alipayKey } = await merchant();
      const signed = alipaySignText(form, ["sign", "sign_type"]);
      if (form["sign_type"] !== "RSA2" || !isSignedV3(signed, form["sign"] ?? "", alipayKey))
        throw new NotificationRefused("bad_signature", "The notification has no signature of Alipay by RSA2.");
      if (form["app_id"] !== appId || form["seller_id"] !== sellerId)
        throw new NotificationRefused("foreign", "The notification is for another app or merchant.");
      const total = readYuan(required("total_amount", form["total_amount"]));
      if (total === undefined) throw new NotificationRefused("malformed", "The total_amount is no amount in yuan.");
      return {
        kind: "payment",
        version: "alipay",
        outTradeNo: required("out_trade_no", form["out_trade_no"]),
        total,
        transactionId: required("trade_no", form["trade_no"]),
        currency: "CNY",
        tradeState: required("trade_status", form["trade_status"]),
      };
    },
    readRefundNotification: () =>
      Promise.reject(new NotificationRefused("wrong_kind", "Alipay reports refunds to the address of payments.")),
  };
}
