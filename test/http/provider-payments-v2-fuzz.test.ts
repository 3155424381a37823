/** Signed calls of version 2 with any value in any field: each gets a whole answer of its form, and breaks nothing. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../support/merchant-v2.ts";
import type { Fields } from "../support/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../support/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());

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
const changed = fc.constantFrom(...Object.keys(calls)).chain((path) =>
  fc.tuple(
    fc.constant(path),
    fc.dictionary(fc.constantFrom(...Object.keys(calls[path] ?? {}), "attach", "unknown"), value, {
      minKeys: 1,
      maxKeys: 3,
    }),
  ),
);

it("answers 200 and SUCCESS or a documented failure to 200 calls, and none of them is its own", async () => {
  await fc.assert(
    fc.asyncProperty(changed, async ([path, fields]) => {
      const reply = await merchant.call(path, { ...calls[path], ...fields });
      expect(reply.status).toBe(200);
      const outcome = outcomeOf(reply) ?? "";
      expect(outcome).not.toMatch(/SYSTEMERROR|系统|签名|sign error/);
      const isBill = path === "/pay/downloadbill";
      if (!isBill && reply.fields["return_code"] === "SUCCESS") expect(reply.isSigned).toBe(true);
      else expect(outcome).toMatch(isBill ? /./u : /^缺少参数/);
    }),
    { numRuns: 200 },
  );
});
