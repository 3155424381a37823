/** What comes from who says that it is the platform or the payment provider: notifications, replies, encrypted data. */
import { generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { createNotificationReaderV2 } from "../../server/app/payments/provider/v2/notification-v2.ts";
import { createNotificationReaderV3 } from "../../server/app/payments/provider/v3/notification-v3.ts";
import { readReplyV2 } from "../../server/app/payments/provider/v2/reply-v2.ts";
import { readReplyV3 } from "../../server/app/payments/provider/v3/reply-v3.ts";
import { decryptOpenData, signingKey } from "../../server/app/sessions/open-data.ts";
import { HttpError } from "../../server/http/http-error.ts";
import { sealRefundInfo } from "../../server/payment-wire/refund-info-v2.ts";
import { seal } from "../../server/payment-wire/sealed-v3.ts";
import { signV2 } from "../../server/payment-wire/sign-v2.ts";
import { readAuthorization, replyMessage } from "../../server/payment-wire/signature-v3.ts";
import { writeXmlV2 } from "../../server/payment-wire/xml-v2.ts";
import { encryptOpenData } from "../../server/provider/identity/open-data.ts";
import { fuzz, refusesBy } from "./families.ts";
import { changed, changedBytes, changedJson } from "./inputs/changes.ts";
import { anyText } from "./inputs/texts.ts";

const now = Date.UTC(2026, 0, 1);
const apiV2Key = "hearthApiV2Key0123456789abcdef01";
const apiV3Key = "hearthApiV3Key0123456789abcdef01";
const merchant = { mchId: "1900000109", appId: "wxd930ea5d5a258f4f", apiKey: apiV2Key, signType: "MD5" } as const;
const xmlWords = [
  "<![CDATA[",
  "]]>",
  "<xml>",
  "</xml>",
  "<a>",
  "<!--",
  "<?",
  "&lt;",
  "&#0;",
  "&#x110000;",
  "<!DOCTYPE",
  '"',
];

const refund = {
  out_trade_no: "H1",
  out_refund_no: "R1",
  refund_status: "SUCCESS",
  success_time: "2026-01-01 08:00:00",
};
const common = { return_code: "SUCCESS", appid: merchant.appId, mch_id: merchant.mchId, nonce_str: "5d2b6c2a8db5" };
const payment = {
  ...common,
  result_code: "SUCCESS",
  total_fee: "101",
  transaction_id: "4200000000000000000000000001",
  out_trade_no: "H1",
  time_end: "20260101080000",
};
/** Fields like these, signed after they were changed, so that what comes after the signature is met, too. */
const signedFields = fc
  .tuple(
    fc.constantFrom<Record<string, string>>(payment, { ...payment, result_code: "FAIL", err_code: "ORDERNOTEXIST" }),
    fc.dictionary(fc.constantFrom(...Object.keys(payment), "fee_type", "err_code", "refund_fee"), changed(anyText), {
      maxKeys: 2,
    }),
  )
  .map(([fields, odd]) => {
    const all: Record<string, string> = { ...fields, ...odd };
    return writeXmlV2({ ...all, sign: signV2(all, apiV2Key) });
  });

describe("messages of version 2:", () => {
  const reader = createNotificationReaderV2(merchant);
  const sealed = changed(fc.constant(writeXmlV2(refund, "root")), { words: xmlWords }).map((text) =>
    writeXmlV2({ ...common, req_info: sealRefundInfo(text, apiV2Key) }),
  );
  const messages = fc
    .oneof(signedFields, sealed, changed(fc.oneof(signedFields, sealed), { words: xmlWords }))
    .map((text) => Buffer.from(text));

  fuzz("notifications of version 2", {
    inputs: fc.tuple(messages, fc.boolean()),
    read: ([body, isRefund]) =>
      isRefund ? reader.readRefundNotification(body, {}) : reader.readPaymentNotification(body, {}),
    refuses: refusesBy("NotificationRefused"),
  });

  fuzz("replies of version 2", {
    inputs: fc.record({ status: fc.constantFrom(200, 200, 200, 404, 500), headers: fc.constant({}), body: messages }),
    read: (answer) => readReplyV2(answer, "queryOrder", merchant),
  });
});

describe("messages of version 3:", () => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const keys = { find: (serial: string) => Promise.resolve(serial === "A1" ? publicKey : undefined) };
  const reader = createNotificationReaderV3({ merchant, access: { apiV3Key }, keys, now: () => now });
  const resources = changedJson(
    fc.constantFrom<object>(
      {
        appid: merchant.appId,
        mchid: merchant.mchId,
        out_trade_no: "H1",
        transaction_id: "42",
        trade_state: "SUCCESS",
        amount: { total: 101, currency: "CNY" },
      },
      { ...refund, mchid: merchant.mchId },
    ),
    ["appid", "mchid", "out_trade_no", "amount", "total", "trade_state", "refund_status"],
  ).map((value) => JSON.stringify(value));
  const envelopes = changedJson(
    fc
      .tuple(changed(resources), fc.constantFrom("TRANSACTION.SUCCESS", "REFUND.SUCCESS"))
      .map(([text, event_type]) => ({
        id: "1",
        event_type,
        resource_type: "encrypt-resource",
        resource: seal(text, apiV3Key, "transaction", "0123456789ab"),
      })),
    ["event_type", "resource", "algorithm", "ciphertext", "nonce", "associated_data"],
  ).map((value) => JSON.stringify(value));
  const bodies = changedBytes(
    fc
      .oneof(envelopes, changed(resources), changed(envelopes, { words: ['"', "\\", "\\ud800", ":", ","] }))
      .map((text) => Buffer.from(text)),
  );
  const signed = fc
    .tuple(bodies, fc.boolean(), fc.option(changed(anyText), { freq: 20, nil: undefined }))
    .map(([body, isSigned, odd]) => {
      const timestamp = String(now / 1000);
      const message = replyMessage(timestamp, "n", body.toString("utf8"));
      return {
        body,
        headers: {
          "wechatpay-timestamp": timestamp,
          "wechatpay-nonce": "n",
          "wechatpay-serial": "A1",
          "wechatpay-signature":
            odd ?? (isSigned ? sign("RSA-SHA256", Buffer.from(message), privateKey).toString("base64") : "AAAA"),
        },
      };
    });

  fuzz("notifications of version 3", {
    inputs: fc.tuple(signed, fc.boolean()),
    read: ([{ body, headers }, isRefund]) =>
      isRefund ? reader.readRefundNotification(body, headers) : reader.readPaymentNotification(body, headers),
    refuses: refusesBy("NotificationRefused"),
  });

  fuzz("replies of version 3", {
    inputs: fc.tuple(signed, fc.constantFrom(200, 204, 400, 404, 500)),
    read: ([answer, status]) => readReplyV3({ ...answer, status }, { call: "queryOrder", keys, now }),
  });

  fuzz("authorizations of version 3", {
    inputs: changed(
      fc.constant('WECHATPAY2-SHA256-RSA2048 mchid="1",nonce_str="n",timestamp="1",serial_no="A",signature="x"'),
      {
        words: ['"', "=", ",", 'a="', "mchid", "__proto__"],
      },
    ),
    read: readAuthorization,
  });
});

describe("what clients hand on from the platform:", () => {
  const key = Buffer.alloc(16, 7).toString("base64");
  const plain = changedJson(
    fc.constant({ purePhoneNumber: "1", countryCode: "86", watermark: { appid: "app", timestamp: now / 1000 } }),
    ["watermark", "appid", "timestamp", "purePhoneNumber"],
  );
  const sealed = plain.map((value) => encryptOpenData(value ?? null, key, Buffer.alloc(16)));

  fuzz("encrypted data", {
    inputs: fc.oneof(
      sealed,
      sealed.chain(({ encryptedData, iv }) =>
        fc.record({ encryptedData: changed(fc.constant(encryptedData)), iv: changed(fc.constant(iv)) }),
      ),
    ),
    read({ encryptedData, iv }) {
      expect(decryptOpenData(encryptedData, iv, [key, "", "!"], "app", now)).toHaveProperty("watermark.appid", "app");
    },
    refuses: (error) => error instanceof HttpError && [400, 401].includes(error.status),
  });

  fuzz("signed data", {
    inputs: fc.tuple(changed(anyText), changed(anyText)),
    read: ([rawData, signature]) => signingKey(rawData, signature, [key]),
    refuses: (error) => error instanceof HttpError && error.status === 401,
  });
});
