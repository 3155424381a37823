/** What tests of third-party payment clients share: a simulator, a receiver of notifications, and what orders look like. */
import { generateKeyPairSync } from "node:crypto";
import { expect } from "vitest";
import { readCredentials } from "./merchant-v3.ts";
import { notificationReceiver, type ReceivedNotification } from "./notification-receiver.ts";
import { startTestProvider } from "./test-provider.ts";

const total = 101;
const refund = 41;

/** What the platform signs by, of a notification of version 3. */
export function signatureOf({ headers }: ReceivedNotification) {
  const of = (name: string) => String(headers[`wechatpay-${name}`]);
  return { timestamp: of("timestamp"), nonce: of("nonce"), serial: of("serial"), signature: of("signature") };
}

/** The products of version 3, with what an order of each has that the others have not. */
export const productsV3 = [
  ["jsapi", "JSAPI", { payer: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" } }],
  ["native", "NATIVE", {}],
  ["app", "APP", {}],
  ["h5", "MWEB", { scene_info: { payer_client_ip: "127.0.0.1", h5_info: { type: "Wap" } } }],
] as const;

/** The terms of an order that is paid in instalments. */
export const subsidy = {
  subsidy_detail: [
    { subsidy_period_type: "DAILY", subsidy_plan: [{ subsidy_installment_num: 3, subsidy_percent: 100 }] },
  ],
};

export async function startSdkScene() {
  const provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 0, bills_at_once: true });
  const credentials = await readCredentials(provider.url);
  const receiver = await notificationReceiver();
  const { mch_id, app_id } = credentials;
  return {
    provider,
    credentials,
    /** The platform's and the merchant's parts of no key of theirs. */
    foreign: generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    }),
    app: { appid: app_id, mchid: mch_id },
    /** The person who has to pay, encrypted to the platform by a client's own function. */
    identity(encrypt: (text: string, key: string) => string) {
      const sealed = (text: string) => encrypt(text, credentials.platform_certificate);
      return { type: "IDCARD", number: sealed("11010519491231002X"), name: sealed("Ada") };
    },
    /** The header of a request with encrypted fields. */
    encrypted: { headers: { "Wechatpay-Serial": credentials.platform_serial } },
    pay: (outTradeNo: string) => provider.control("POST", `/orders/${outTradeNo}/pay`),
    /** The notification of an order's payment, or of its refund, once it is there. */
    toldOf: (outTradeNo: string) => receiver.at(`/${outTradeNo}`),
    toldOfRefund: (outTradeNo: string) => receiver.at(`/refund-${outTradeNo}`),
    notifyUrl: (outTradeNo: string) => `${receiver.url}/${outTradeNo}`,
    refundNotifyUrl: (outTradeNo: string) => `${receiver.url}/refund-${outTradeNo}`,
    total,
    refund,
    v3: {
      order: (outTradeNo: string, changed: object = {}) => ({
        description: "Tea for two",
        out_trade_no: outTradeNo,
        notify_url: `${receiver.url}/${outTradeNo}`,
        amount: { total, currency: "CNY" },
        ...changed,
      }),
      refund: (outTradeNo: string) => ({
        out_trade_no: outTradeNo,
        out_refund_no: `R-${outTradeNo}`,
        notify_url: `${receiver.url}/refund-${outTradeNo}`,
        amount: { total, refund, currency: "CNY" },
      }),
      /** What a paid order says, in a query as in its notification. */
      paid: (outTradeNo: string, tradeType: string) => ({
        appid: app_id,
        mchid: mch_id,
        out_trade_no: outTradeNo,
        trade_type: tradeType,
        trade_state: "SUCCESS",
        transaction_id: expect.stringMatching(/^\d{28}$/),
        amount: { total, payer_total: total, currency: "CNY", payer_currency: "CNY" },
      }),
      /** What the notification of a refund says. */
      refunded: (outTradeNo: string) => ({
        mchid: mch_id,
        out_trade_no: outTradeNo,
        out_refund_no: `R-${outTradeNo}`,
        refund_status: "SUCCESS",
        amount: { total, refund, payer_total: total, payer_refund: refund },
      }),
    },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}
export type SdkScene = Awaited<ReturnType<typeof startSdkScene>>;
