/** The settings of the payment platform, and of the merchant there. */
import { z } from "zod";
import { payProvider, payVersion, signType } from "../provider/payment-terms.ts";
import { apiKey, baseUrl, number } from "./setting-values.ts";

export const platformPaymentSettings = {
  payment_provider: payProvider
    .default("wechat")
    .describe("Payment platform: WeChat Pay, or Alipay, whose gateway is `/gateway.do` below the base URL."),
  payment_version: payVersion
    .default("v2")
    .describe("Version of the WeChat Pay API to call: v2 is XML and a shared key, v3 is JSON and RSA."),
  payment_base_url: baseUrl
    .optional()
    .describe(
      "Base URL of the payment platform, for example the real one. Default: the simulator, with its built-in merchant if no payment key or number is set.",
    ),
  payment_mch_id: z
    .string()
    .regex(/^\d{1,32}$/, "digits are required")
    .optional()
    .describe("Merchant number on the payment platform. For Alipay, the seller's number."),
  payment_app_id: z.string().min(1).max(32).optional().describe("App id bound to the merchant number."),
  payment_api_v2_key: apiKey
    .optional()
    .describe("API v2 key of the merchant. It is never shown again. Required by v2."),
  payment_api_v3_key: apiKey
    .optional()
    .describe("API v3 key of the merchant. It is never shown again. Required by v3."),
  payment_merchant_key_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File with the merchant's private key, which signs calls. Required by v3 and Alipay. PEM, or for Alipay one line of base64 (PKCS8).",
    ),
  payment_merchant_serial: z
    .string()
    .regex(/^[0-9A-Fa-f]{1,64}$/, "hexadecimal digits are required")
    .optional()
    .describe("Serial number of the merchant's certificate. Required by v3."),
  payment_platform_key_file: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File to verify replies with. For v3, PEM: the platform's certificate or, with payment_platform_key_id, its public key. Default: the certificates that the platform serves. Required by Alipay: its public key as PEM or one line of base64, or its certificate.",
    ),
  payment_platform_key_id: z
    .string()
    .regex(/^PUB_KEY_ID_\w{1,64}$/, "it begins with PUB_KEY_ID_")
    .optional()
    .describe(
      "Id of the platform's public key, for merchants that verify with the public key instead of certificates.",
    ),
  payment_sign_type: signType
    .default("MD5")
    .describe("Signature type of v2 calls. Replies and notifications with another type are refused."),
  payment_notify_url: baseUrl
    .pipe(
      z
        .string()
        .max(200)
        .regex(/^[^?#]*$/, "it has no query"),
    )
    .optional()
    .describe(
      "Base URL where the payment platform reaches this server; /api/payments/… is appended. Default: this server's own address.",
    ),
  payment_timeout_ms: number
    .pipe(z.number().int().min(100).max(60_000))
    .default(10_000)
    .describe("Timeout of calls to the payment platform, in ms."),
};
