/** Bills of what was refunded: amounts that come to nothing in all, and how each refund ended. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readBill } from "../../../support/payments/bill-lines.ts";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 3_600, bills_at_once: true });
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());
/** Every test has a day of its own, and so a bill. */
beforeEach(() => void (provider.clock.offsetMs += 24 * 3_600_000));

const bill_date = () => new Date(provider.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll("-", "");
async function flowSummary() {
  const fields = { bill_date: bill_date(), account_type: "Basic" };
  return readBill((await merchant.call("/pay/downloadfundflow", fields, { signType: "HMAC-SHA256" })).text).summary;
}

it.each([
  ["at once, where the fee ends in half a fen", 250, [250]],
  ["in two parts", 199, [100, 99]],
  ["in parts too small for a fee of their own", 170, [60, 60, 50]],
])("of the account's money: a payment that is refunded %s leaves nothing", async (_how, total, parts) => {
  const number = `FLOW_${String(total)}`;
  await merchant.place(number, { total_fee: String(total) });
  await merchant.pay(number);
  for (const [index, part] of parts.entries()) {
    provider.clock.offsetMs += 1;
    const asked = { total_fee: String(total), refund_fee: String(part) };
    expect(outcomeOf(await merchant.refund(number, `${number}_${String(index)}`, asked))).toBe("SUCCESS");
  }
  const { 资金流水总笔数: count, 收入金额: received, 支出金额: spent } = await flowSummary();
  expect(count).toBe(String(2 + parts.length));
  expect(received).toBe(spent);
});

it("of refunds names each one's way, and a time of success where it succeeded", async () => {
  await merchant.paid("REFUNDS");
  const columns = ["商户退款单号", "退款状态", "退款类型", "退款成功时间"];
  const rows = async () => {
    const fields = { bill_date: bill_date(), bill_type: "REFUND" };
    const { rows } = readBill((await merchant.call("/pay/downloadbill", fields)).text);
    return rows.map((row) => columns.map((column) => row[column])).toSorted();
  };
  const refundIds = new Map<string, string>();
  for (const [number, status] of Object.entries({
    CARD: "ABNORMAL",
    CHANGED: "ABNORMAL",
    DONE: "SUCCESS",
    FAILED: "CLOSED",
  })) {
    const { refund_id = "" } = (await merchant.refund("REFUNDS", number)).fields;
    await provider.control("POST", `/refunds/${refund_id}/finish`, { status });
    refundIds.set(number, refund_id);
  }
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string;
  const others = [
    ["CHANGED", "CHANGE", "ORIGINAL", ""],
    ["DONE", "SUCCESS", "ORIGINAL", time],
    ["FAILED", "FAIL", "ORIGINAL", ""],
  ];
  expect(await rows()).toEqual([["CARD", "CHANGE", "ORIGINAL", ""], ...others]);

  const v3 = await createMerchantV3(provider.url);
  const elsewhere = { out_refund_no: "CARD", type: "MERCHANT_BANK_CARD" };
  await v3.call("POST", `/v3/refund/domestic/refunds/${refundIds.get("CARD") ?? ""}/apply-abnormal-refund`, elsewhere);
  expect(await rows()).toEqual([["CARD", "PROCESSING", "OTHER_BANKCARD", ""], ...others]);
});
