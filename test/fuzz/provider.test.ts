/** The payment provider's and the platform's own endpoints, and where the application server receives their notifications. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { signV2 } from "../../server/payment-wire/sign-v2.ts";
import { writeXmlV2 } from "../../server/payment-wire/xml-v2.ts";
import { loopDelay } from "../support/busy-loop.ts";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../support/payments/merchant-v3.ts";
import type { Fields } from "../support/payments/payment-signatures.ts";
import { apiV2Key, startPaymentsApp } from "../support/payments/payments-app.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";
import { fuzz } from "./families.ts";
import { changed, changedBytes, changedJson } from "./inputs/changes.ts";
import { anyText } from "./inputs/texts.ts";

let provider: TestProvider;
let merchant: MerchantV2;
let merchantV3: Awaited<ReturnType<typeof createMerchantV3>>;
let payments: Awaited<ReturnType<typeof startPaymentsApp>>;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
  merchantV3 = await createMerchantV3(provider.url);
  payments = await startPaymentsApp();
});
afterAll(async () => {
  await payments[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const clock = loopDelay();

/** Fields that make each call a good one. */
const calls: Record<string, Fields> = {
  "/pay/unifiedorder": {
    body: "Tea",
    out_trade_no: "FUZZED_ORDER",
    total_fee: "100",
    spbill_create_ip: "127.0.0.1",
    notify_url: "http://127.0.0.1:9/notifications",
    trade_type: "APP",
    time_start: "20260101080000",
    time_expire: "20990101080000",
    detail: "{}",
  },
  "/pay/orderquery": { out_trade_no: "FUZZED_ORDER", transaction_id: "42" },
  "/pay/closeorder": { out_trade_no: "FUZZED_OTHER" },
  "/pay/refundquery": { out_trade_no: "FUZZED_ORDER", offset: "0", refund_id: "50", out_refund_no: "FUZZED" },
  "/secapi/pay/refund": { out_trade_no: "FUZZED_ORDER", out_refund_no: "FUZZED", total_fee: "100", refund_fee: "1" },
  "/secapi/pay/reverse": { out_trade_no: "FUZZED_ORDER" },
  "/pay/micropay": {
    body: "Tea",
    out_trade_no: "FUZZED_CODE",
    total_fee: "100",
    spbill_create_ip: "127.0.0.1",
    auth_code: "130000000000000000",
  },
  "/pay/downloadbill": { bill_date: "20260101", bill_type: "ALL", tar_type: "GZIP" },
};

/** XML has no place for other control characters, for halves of pairs, and none for a carriage return that stays one. */
const isXmlText = (text: string) => text.isWellFormed() && !/[^\P{Cc}\t\n]|[\ufffe\uffff]|\]\]>/u.test(text);
const value = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }).filter(isXmlText),
  fc.constantFrom("0", "-1", "1e9", "99999999999999999999", "00000000", "99999999999999", "'; --", "%s", "NaN", "[]"),
  fc.constantFrom("9".repeat(32), "x".repeat(5_000), "__proto__", "值".repeat(64), "http://[", "20260230250000"),
);
const changedFields = fc.constantFrom(...Object.keys(calls)).chain((path) =>
  fc.tuple(
    fc.constant(path),
    fc.dictionary(fc.constantFrom(...Object.keys(calls[path] ?? {}), "attach", "unknown"), value, {
      minKeys: 1,
      maxKeys: 3,
    }),
  ),
);

const xmlWords = ["<![CDATA[", "]]>", "<xml>", "</xml>", "<a>", "<!--", "<?", "&lt;", "&#0;", "<!DOCTYPE", "\0"];
const message = fc
  .constantFrom(...Object.keys(calls))
  .map((path) => [path, writeXmlV2({ ...calls[path], sign: "0".repeat(32) })] as const);

describe("calls of the payment provider:", () => {
  fuzz("signed calls of version 2", {
    inputs: changedFields,
    async read([path, fields]) {
      const reply = await merchant.call(path, { ...calls[path], ...fields });
      expect(reply.status).toBe(200);
      const outcome = outcomeOf(reply) ?? "";
      expect(outcome).not.toMatch(/SYSTEMERROR|系统|签名|sign error/);
      const isBill = path === "/pay/downloadbill";
      if (!isBill && reply.fields["return_code"] === "SUCCESS") expect(reply.isSigned).toBe(true);
      else expect(outcome).toMatch(isBill ? /./u : /^(?:缺少参数|不识别的参数)/);
    },
    clock,
  });

  fuzz("messages of version 2", {
    inputs: message.chain(([path, text]) =>
      fc.tuple(fc.constant(path), changedBytes(fc.constant(Buffer.from(text)), { words: xmlWords })),
    ),
    async read([path, bytes]) {
      const reply = await merchant.send(path, new Uint8Array(bytes));
      expect(reply.status).toBeLessThan(500);
      expect(reply.text).not.toMatch(/SYSTEMERROR|系统/);
    },
    clock,
  });

  const order = changedJson(
    fc.constant({
      description: "Tea",
      out_trade_no: "FUZZED_V3",
      notify_url: "http://127.0.0.1:9/notifications",
      amount: { total: 101, currency: "CNY" },
      payer: { openid: "o" },
      scene_info: { payer_client_ip: "127.0.0.1", h5_info: { type: "Wap" } },
      time_expire: "2099-01-01T08:00:00+08:00",
    }),
    [
      "amount",
      "total",
      "currency",
      "payer",
      "openid",
      "out_trade_no",
      "appid",
      "mchid",
      "scene_info",
      "refund",
      "attach",
    ],
  );
  const paths = ["jsapi", "native", "app", "h5"].map((product) => `/v3/pay/transactions/${product}`);
  const target = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...paths, "/v3/refund/domestic/refunds") },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom("FUZZED_V3", "%00", "a..")
        .map((no) => `/v3/pay/transactions/out-trade-no/${no}/close`),
    },
  );
  fuzz("calls of version 3", {
    inputs: fc.tuple(
      target,
      fc.oneof(
        order.map((value) =>
          typeof value === "object" && value !== null && !Array.isArray(value)
            ? JSON.stringify({ appid: "wxd930ea5d5a258f4f", mchid: "1900000109", ...value })
            : JSON.stringify(value),
        ),
        changed(order.map((value) => JSON.stringify(value) ?? "")).map((text) => text.toWellFormed()),
      ),
      fc.option(
        changed(fc.constant('WECHATPAY2-SHA256-RSA2048 mchid="1900000109",nonce_str="n",timestamp="1"')).map((text) =>
          text.replaceAll(/[^ -~]/g, "").slice(0, 8_000),
        ),
        { freq: 8, nil: undefined },
      ),
    ),
    async read([path, body, authorization]) {
      const reply = await merchantV3.call("POST", path, body, authorization === undefined ? {} : { authorization });
      expect(reply.status).toBeLessThan(500);
      if (reply.status >= 400) expect(reply.json).toHaveProperty("code");
    },
    clock,
  });
});

describe("calls of the platform:", () => {
  const text = changed(anyText).map((value) => value.toWellFormed().slice(0, 4_000));
  fuzz("calls of the platform", {
    inputs: fc.tuple(
      fc.constantFrom("/sns/jscode2session", "/cgi-bin/token", "/wxa/checksession", "/wxa/business/getuserphonenumber"),
      fc.dictionary(
        fc.constantFrom(
          "appid",
          "secret",
          "js_code",
          "grant_type",
          "access_token",
          "openid",
          "signature",
          "sig_method",
          "x",
        ),
        text,
        { maxKeys: 5 },
      ),
      fc.option(
        changed(fc.constant('{"code":"x"}')).map((body) => body.toWellFormed()),
        { nil: undefined },
      ),
    ),
    async read([path, query, body]) {
      const url = `${provider.url}${path}?${String(new URLSearchParams(query))}`;
      const response = await fetch(url, body === undefined ? {} : { method: "POST", body });
      expect(response.status).toBeLessThan(500);
      await response.text();
    },
    clock,
  });
});

describe("where notifications are received:", () => {
  const fields = {
    return_code: "SUCCESS",
    appid: "wxd930ea5d5a258f4f",
    mch_id: "1900000109",
    nonce_str: "5d2b6c2a8db53831f7eda20af46e531c",
    result_code: "SUCCESS",
    total_fee: "101",
    transaction_id: "4200000000000000000000000001",
    out_trade_no: "H1",
    time_end: "20260101080000",
  };
  const signed = fc
    .dictionary(fc.constantFrom(...Object.keys(fields), "fee_type", "req_info"), value, { maxKeys: 2 })
    .map((odd) => ({ ...fields, ...odd }))
    .map((all) => writeXmlV2({ ...all, sign: signV2(all, apiV2Key) }));
  const json = changedJson(
    fc.constant({
      event_type: "TRANSACTION.SUCCESS",
      resource: { algorithm: "AEAD_AES_256_GCM", ciphertext: "AA==", nonce: "n" },
    }),
    ["event_type", "resource", "ciphertext"],
  ).map((value) => JSON.stringify(value) ?? "");
  const statuses = [200, 204, 400, 403, 404, 409, 415, 503];

  fuzz("notifications", {
    inputs: fc.tuple(
      fc.constantFrom("notifications", "refund-notifications"),
      fc.constantFrom("text/xml", "application/json", "application/xml; charset=utf-8", "text/plain", "x"),
      changedBytes(
        fc.oneof(signed, json).map((body) => Buffer.from(body)),
        { words: xmlWords },
      ),
    ),
    async read([path, type, body]) {
      const reply = await payments.post(new Uint8Array(body), path, { "Content-Type": type });
      expect(statuses).toContain(reply.status);
      expect(reply.text).toMatch(/^(?:<xml>|\{|$)/);
    },
    clock,
  });
});
