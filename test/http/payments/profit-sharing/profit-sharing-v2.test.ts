/** Profit sharing by version 2. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

const shop = { type: "MERCHANT_ID", account: "1900000300" };

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 60 });
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());

const call = (path: string, fields: Record<string, string>) => merchant.call(path, fields, { signType: "HMAC-SHA256" });
/** Without the app, which these calls do not know. */
const withoutApp = (path: string, fields: Record<string, string>) => call(path, { ...fields, appid: "" });

async function paid(outTradeNo: string, fields: Record<string, string>): Promise<string> {
  await merchant.place(outTradeNo, { total_fee: "1000", ...fields });
  await merchant.pay(outTradeNo);
  const { order } = await provider.control("GET", `/orders/${outTradeNo}`);
  return (order as { transaction_id: string }).transaction_id;
}

it("an order of version 2 is shared more than once, returned and finished", async () => {
  const receiver = JSON.stringify({ ...shop, name: "Shop", relation_type: "STORE" });
  expect((await call("/pay/profitsharingaddreceiver", { receiver })).fields["receiver"]).toBe(receiver);
  const transaction_id = await paid("V2_SHARED", { profit_sharing: "Y" });
  const receivers = JSON.stringify([{ ...shop, amount: 100, description: "shop" }]);
  const asked = await call("/secapi/pay/multiprofitsharing", { transaction_id, out_order_no: "P1", receivers });
  expect(asked).toMatchObject({ isSigned: true, fields: { result_code: "SUCCESS", out_order_no: "P1" } });
  const { order_id = "" } = asked.fields;

  provider.clock.offsetMs += 60_000;
  const found = await withoutApp("/pay/profitsharingquery", { transaction_id, out_order_no: "P1" });
  expect(found.fields).toMatchObject({ status: "FINISHED", order_id });
  expect(JSON.parse(found.fields["receivers"] ?? "")).toMatchObject([{ ...shop, amount: 100, result: "SUCCESS" }]);

  const back = { order_id, out_return_no: "R1", return_account_type: "MERCHANT_ID", return_account: shop.account };
  const returned = await call("/secapi/pay/profitsharingreturn", { ...back, return_amount: "40", description: "back" });
  expect(returned.fields).toMatchObject({ result: "SUCCESS", return_amount: "40", out_order_no: "P1" });
  const queried = await call("/pay/profitsharingreturnquery", { order_id, out_return_no: "R1" });
  expect(queried.fields["return_no"]).toBe(returned.fields["return_no"]);

  const unsplit = async () =>
    (await withoutApp("/pay/profitsharingorderamountquery", { transaction_id })).fields["unsplit_amount"];
  expect(await unsplit()).toBe("894");
  const finish = (out_order_no: string) =>
    call("/secapi/pay/profitsharingfinish", { transaction_id, out_order_no, description: "done" });
  expect(outcomeOf(await finish("F1"))).toBe("SUCCESS");
  expect([await unsplit(), outcomeOf(await finish("F2"))]).toEqual(["0", "NOTENOUGH"]);
});

it("a single request frees the rest; what cannot be shared is refused", async () => {
  const receiver = JSON.stringify(shop);
  await call("/pay/profitsharingaddreceiver", {
    receiver: JSON.stringify({ ...shop, name: "Shop", relation_type: "STORE" }),
  });
  const transaction_id = await paid("V2_SINGLE", { profit_sharing: "Y" });
  const receivers = JSON.stringify([{ ...shop, amount: 10, description: "shop" }]);
  const once = (fields: Record<string, string>) =>
    call("/secapi/pay/profitsharing", { transaction_id, out_order_no: "S1", receivers, ...fields });
  expect(outcomeOf(await once({ receivers: "[" }))).toBe("PARAM_ERROR");
  expect(outcomeOf(await once({}))).toBe("SUCCESS");
  expect(outcomeOf(await once({ out_order_no: "S2" }))).toBe("NOTENOUGH");
  const plain = await paid("V2_PLAIN", {});
  expect(outcomeOf(await once({ out_order_no: "S3", transaction_id: plain }))).toBe("NOT_SHARE_ORDER");
  expect(outcomeOf(await merchant.call("/pay/profitsharingremovereceiver", { receiver }))).not.toBe("SUCCESS");
  expect(outcomeOf(await call("/pay/profitsharingremovereceiver", { receiver }))).toBe("SUCCESS");
});
