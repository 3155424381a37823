/** The merchant's money that a refund came from, in the words of whichever version tells of it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { refundInfo } from "../../../support/payments/receivers/notification-secrets.ts";
import { fieldsOfXml } from "../../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

const recharge = "REFUND_SOURCE_RECHARGE_FUNDS";
const unsettled = "REFUND_SOURCE_UNSETTLED_FUNDS";

let provider: TestProvider;
let v2: MerchantV2;
let v3: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { bills_at_once: true, refund_seconds: 0 });
  v2 = createMerchantV2(provider);
  v3 = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const refundV3 = (number: string, funds_account?: string) =>
  v3.call("POST", "/v3/refund/domestic/refunds", {
    ...{ out_trade_no: number, out_refund_no: `R-${number}`, funds_account },
    amount: { refund: 10, total: 100, currency: "CNY" },
  });

it.each([
  ["V3_AVAILABLE", { v3: "AVAILABLE" }, [recharge, "AVAILABLE"]],
  ["V3_UNSETTLED", { v3: "UNSETTLED" }, [unsettled, "UNSETTLED"]],
  ["V3_UNSAID", { v3: undefined }, [unsettled, "UNSETTLED"]],
  ["V2_RECHARGE", { v2: { refund_account: recharge } }, [recharge, "AVAILABLE"]],
  ["V2_UNSETTLED", { v2: { refund_account: unsettled } }, [unsettled, "UNSETTLED"]],
  ["V2_UNSAID", { v2: {} }, [unsettled, "UNSETTLED"]],
] as const)("of %s is the same in both versions' queries", async (number, asked, told) => {
  await v2.paid(number);
  if ("v2" in asked) expect(outcomeOf(await v2.refund(number, `R-${number}`, asked.v2))).toBe("SUCCESS");
  else expect((await refundV3(number, asked.v3)).json.funds_account).toBe(told[1]);
  const { fields } = await v2.refundQuery({ out_refund_no: `R-${number}` });
  const { json } = await v3.call("GET", `/v3/refund/domestic/refunds/R-${number}`);
  expect([fields["refund_account_0"], json.funds_account]).toEqual(told);
});

it("of a refund by version 3 puts it into the bill of refunds from own money", async () => {
  const day = new Date(provider.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll("-", "");
  const { text } = await v2.call("/pay/downloadbill", { bill_date: day, bill_type: "RECHARGE_REFUND" });
  expect(text).toContain("R-V3_AVAILABLE");
  expect(text).toContain("R-V2_RECHARGE");
  expect(text).not.toContain("R-V3_UNSETTLED");
});

it("is in version 2's notification in version 2's words", async () => {
  await using receiver = await notificationReceiver();
  await v2.paid("V2_TOLD");
  const refund = { refund_account: recharge, notify_url: `${receiver.url}/told` };
  expect(outcomeOf(await v2.refund("V2_TOLD", "R-V2_TOLD", refund))).toBe("SUCCESS");
  const { req_info } = fieldsOfXml((await receiver.at("/told")).body);
  expect(refundInfo(req_info, v2.apiV2Key)["refund_account"]).toBe(recharge);
});
