/** Notifications of transfers, shares and contracts: encrypted, signed, and sent again until they are accepted. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { unseal } from "../../../server/payment-wire/sealed-v3.ts";
import { beginShare, beginTransfer } from "../../support/payments/begin-money-moves.ts";
import { encryptToPlatform } from "../../support/payments/encrypt-to-platform.ts";
import {
  createMerchantV3,
  isFromPlatform,
  readCredentials,
  type MerchantV3,
} from "../../support/payments/merchant-v3.ts";
import { createPapay } from "../../support/payments/papay.ts";
import { notificationReceiver, type ReceivedNotification } from "../../support/payments/notification-receiver.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

async function opened({ headers, body }: ReceivedNotification, mchId?: string) {
  const { api_v3_key, platform_certificate } = await readCredentials(provider.url, mchId);
  expect(isFromPlatform((name) => headers[name]?.toString(), body, platform_certificate)).toBe(true);
  const { resource, event_type, summary } = JSON.parse(body);
  const { original_type, associated_data } = resource;
  return { event_type, summary, original_type, associated_data, ...JSON.parse(unseal(resource, api_v3_key)) };
}

it("the end of a transfer is notified to its address, and once more after a refusal", async () => {
  let status = 500;
  await using receiver = await notificationReceiver((_request, response) => void response.writeHead(status).end());
  const id = await beginTransfer(provider, { notify_url: `${receiver.url}/transfers`, out_bill_no: "b1" });
  await provider.control("POST", `/transfers/${id}/fail`, { reason: "NAME_NOT_CORRECT" });
  await expect.poll(() => receiver.received.length).toBe(1);
  status = 204;
  await expect
    .poll(() => {
      provider.clock.offsetMs += 15_000;
      return receiver.received.length;
    })
    .toBe(2);
  const [first, second] = receiver.received;
  expect(first?.body).toBe(second?.body);
  expect(first && (await opened(first))).toMatchObject({
    ...{ event_type: "MCHTRANSFER.BILL.FINISHED", original_type: "mch_payment", associated_data: "mch_payment" },
    ...{ transfer_bill_no: id, out_bill_no: "b1", state: "FAIL", fail_reason: "NAME_NOT_CORRECT" },
  });
});

it("a merchant is notified of a part that it got, and of one that it returned; a person is not", async () => {
  await using receiver = await notificationReceiver();
  const shop = "1900000301";
  await provider.control("PUT", `/merchants/${shop}`, {
    ...{ app_ids: ["wx0000000000000301"], api_v2_key: "a".repeat(32), api_v3_key: "b".repeat(32) },
  });
  await provider.control("PUT", `/merchants/${shop}/share-settings`, { notify_url: `${receiver.url}/shares` });
  const { app_id: appid, platform_serial } = merchant.credentials;
  const serial = { headers: { "Wechatpay-Serial": platform_serial } };
  const name = encryptToPlatform(merchant.credentials, "Shop");
  const account = { type: "MERCHANT_ID", account: shop };
  await merchant.call(
    "POST",
    "/v3/profitsharing/receivers/add",
    { appid, ...account, name, relation_type: "STORE" },
    serial,
  );
  await provider.control("POST", `/shares/${await beginShare(provider)}/finish`, {});

  await merchant.place("native", "NOTICED", { settle_info: { profit_sharing: true } });
  await provider.control("POST", "/orders/NOTICED/pay");
  const { transaction_id } = (await merchant.query("NOTICED")).json;
  const shared = await merchant.call("POST", "/v3/profitsharing/orders", {
    ...{ appid, transaction_id, out_order_no: "P1", unfreeze_unsplit: false },
    receivers: [{ ...account, amount: 20, description: "shop" }],
  });
  await provider.control("POST", `/shares/${shared.json.order_id}/finish`, {});
  const back = { out_order_no: "P1", out_return_no: "R1", return_mchid: shop, amount: 5, description: "back" };
  await merchant.call("POST", "/v3/profitsharing/return-orders", back);

  await expect.poll(() => receiver.received.length).toBe(2);
  const notices = await Promise.all(receiver.received.map((one) => opened(one, shop)));
  expect(notices.toSorted((a, b) => a.event_type.localeCompare(b.event_type))).toMatchObject([
    { event_type: "PROFITSHARING.RETURN", out_order_no: "R1", receiver: { account: shop, amount: 5 } },
    { event_type: "PROFITSHARING.SUCCESS", out_order_no: "P1", transaction_id, receiver: { ...account, amount: 20 } },
  ]);
});

it("a contract's signing and end are notified, and a deduction that failed", async () => {
  await using receiver = await notificationReceiver();
  await provider.control("PATCH", "/settings", { refund_seconds: 60 });
  const papay = await createPapay(provider, merchant, undefined);
  const changed = { deduct_schedule: undefined, contract_notify_url: `${receiver.url}/contracts` };
  await papay.sign("jsapi", "noticed", changed);
  const contract_id = await papay.signed("noticed");
  expect(await opened(await receiver.at("/contracts"))).toMatchObject({
    ...{ event_type: "ENTRUST.SIGN", contract_id, contract_state: "SIGNED", openid: expect.any(String) },
  });
  await provider.control("POST", `/contracts/${contract_id}/fail-next`, { reason: "bank" });
  await papay.apply(contract_id, "NOTICED_1", { transaction_notify_url: `${receiver.url}/deductions` });
  papay.pass(60);
  await merchant.query("NOTICED_1");
  expect(await opened(await receiver.at("/deductions"))).toMatchObject({
    ...{ event_type: "TRANSACTION.FAIL", out_trade_no: "NOTICED_1", trade_state: "PAYERROR", trade_type: "PAP" },
  });
  await papay.terminate("noticed");
  await expect.poll(() => receiver.received.length).toBe(3);
  const last = receiver.received.at(-1);
  expect(last && (await opened(last))).toMatchObject({
    ...{ event_type: "ENTRUST.TERMINATE", contract_terminate_info: { contract_termination_remark: "moved" } },
  });
});

it("a saved state has the shares, transfers and contracts, and brings them back", async () => {
  const state = await provider.control("GET", "/state");
  const read = () => Promise.all(["/shares", "/transfers", "/contracts"].map((path) => provider.control("GET", path)));
  const before = await read();
  expect(JSON.stringify(before)).toMatch(/"P1".*"b1".*"noticed"/);
  await provider.control("DELETE", "/state");
  expect(await read()).toEqual([{ shares: [] }, { transfers: [] }, { contracts: [] }]);
  expect(await provider.control("PUT", "/state", state)).not.toHaveProperty("code");
  expect(await read()).toEqual(before);
});
