/** The payment provider, by version 3 of its API: the merchant's calls, and its notifications. */
import { Aes, Formatter, Rsa, Wechatpay } from "wechatpay-axios-plugin";

/** A notification of another time may be an old one, sent again by somebody else. */
const maxSkewSeconds = 300;
/** The provider waits 5 s for the answer to a notification. */
const timeout = 3_000;

export async function createProvider(baseURL) {
  // With a real provider these are your own merchant's keys.
  const keys = await (await fetch(`${baseURL}/sim/credentials`)).json();
  /** By serial. While a merchant switches to the platform's public key, either may sign. */
  const platformKeys = {
    [keys.platform_serial]: keys.platform_certificate,
    ...(keys.platform_public_key && { [keys.platform_public_key_id]: keys.platform_public_key }),
  };
  const { pay } = new Wechatpay({
    baseURL: `${baseURL}/`,
    timeout,
    mchid: keys.mch_id,
    serial: keys.merchant_serial,
    privateKey: keys.merchant_private_key,
    certs: platformKeys,
  }).v3;

  return {
    /** @returns the text of the QR code by which the order is paid */
    async place({ number, amount }, notify_url) {
      const { data } = await pay.transactions.native.post({
        appid: keys.app_id,
        mchid: keys.mch_id,
        description: "Tea",
        out_trade_no: number,
        notify_url,
        amount: { total: amount, currency: "CNY" },
      });
      return data.code_url;
    },

    /** The client checks the signature of the answer. @throws Error where it is none of the provider's */
    async query(number) {
      const { data } = await pay.transactions.outTradeNo.$no$.get({ params: { mchid: keys.mch_id }, no: number });
      return data;
    },

    /** @returns what the notification says of a payment; @throws Error where it is not the provider's, or not ours */
    open(headers, body) {
      const header = (name) => headers[`wechatpay-${name}`] ?? "";
      const age = Math.abs(Date.now() / 1000 - Number(header("timestamp")));
      const message = Formatter.response(header("timestamp"), header("nonce"), body);
      const platformKey = platformKeys[header("serial")];
      if (!platformKey || !(age <= maxSkewSeconds)) throw new Error("not the provider's");
      if (!Rsa.verify(message, header("signature"), Rsa.from(platformKey, "public")))
        throw new Error("not the provider's");
      const { ciphertext, nonce, associated_data } = JSON.parse(body).resource;
      const payment = JSON.parse(Aes.AesGcm.decrypt(ciphertext, keys.api_v3_key, nonce, associated_data));
      if (payment.mchid !== keys.mch_id || payment.appid !== keys.app_id) throw new Error("somebody else's");
      return payment;
    },
  };
}
