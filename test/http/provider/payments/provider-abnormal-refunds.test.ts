/** Refunds that the buyer's account does not take, and what a merchant does about them. */
import { publicEncrypt, X509Certificate } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 3_600 });
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const finish = (refundId: string, status: string) =>
  provider.control("POST", `/refunds/${refundId}/finish`, { status });
const serial = () => ({ headers: { "Wechatpay-Serial": merchant.credentials.platform_serial } });
const apply = (refundId: string, body: unknown, changed: Parameters<MerchantV3["call"]>[3] = serial()) =>
  merchant.call("POST", `/v3/refund/domestic/refunds/${refundId}/apply-abnormal-refund`, body, changed);

/** As the platform asks for what is secret: RSA-OAEP with the platform's public key, in base64. */
const encrypted = (text: string) =>
  publicEncrypt(new X509Certificate(merchant.credentials.platform_certificate).publicKey, Buffer.from(text)).toString(
    "base64",
  );
const card = (outRefundNo: string) => ({
  out_refund_no: outRefundNo,
  type: "USER_BANK_CARD",
  bank_type: "ICBC_DEBIT",
  bank_account: encrypted("6222020200112230404"),
  real_name: encrypted("张三"),
});

async function abnormalRefund(outTradeNo: string, outRefundNo: string, notifyUrl?: string): Promise<string> {
  await merchant.place("native", outTradeNo);
  await provider.control("POST", `/orders/${outTradeNo}/pay`);
  const { json } = await merchant.call("POST", "/v3/refund/domestic/refunds", {
    out_trade_no: outTradeNo,
    out_refund_no: outRefundNo,
    notify_url: notifyUrl,
    amount: { refund: 40, total: 101, currency: "CNY" },
  });
  await finish(json.refund_id, "ABNORMAL");
  return json.refund_id;
}

it("An abnormal refund goes to the buyer's bank card by apply-abnormal-refund, and both of its ends are notified", async () => {
  await using receiver = await notificationReceiver();
  const refundId = await abnormalRefund("ABNORMAL_CARD", "A-1", `${receiver.url}/refunds`);
  const query = async () => (await merchant.call("GET", "/v3/refund/domestic/refunds/A-1")).json;
  expect(await query()).toMatchObject({ status: "ABNORMAL", channel: "ORIGINAL" });

  const applied = await apply(refundId, card("A-1"));
  const elsewhere = { channel: "OTHER_BANKCARD", user_received_account: "ICBC_DEBIT0404", refund_id: refundId };
  expect([applied.status, applied.isSigned]).toEqual([200, true]);
  expect(applied.json).toMatchObject({ ...elsewhere, status: "PROCESSING", out_trade_no: "ABNORMAL_CARD" });
  expect((await apply(refundId, card("A-1"))).json).toEqual(applied.json);

  await finish(refundId, "SUCCESS");
  expect(await query()).toMatchObject({ ...elsewhere, status: "SUCCESS", success_time: expect.any(String) });
  const events = () => receiver.received.map(({ body }) => (JSON.parse(body) as { event_type: string }).event_type);
  await expect.poll(events).toEqual(["REFUND.ABNORMAL", "REFUND.SUCCESS"]);
  expect((await merchant.query("ABNORMAL_CARD")).json.trade_state).toBe("REFUND");
});

it("An abnormal refund goes to the merchant's own account, where nothing is encrypted", async () => {
  const refundId = await abnormalRefund("ABNORMAL_OWN", "B-1");
  const applied = await apply(refundId, { out_refund_no: "B-1", type: "MERCHANT_BANK_CARD" }, {});
  expect(applied.json).toMatchObject({ status: "PROCESSING", user_received_account: "商户结算银行账户" });
});

it("An abnormal refund of version 2 is CHANGE, and after apply-abnormal-refund SUCCESS by another channel", async () => {
  const v2 = createMerchantV2(provider);
  await v2.paid("ABNORMAL_V2");
  const { fields } = await v2.refund("ABNORMAL_V2", "C-1");
  const refundId = fields["refund_id"] ?? "";
  const query = async () => (await v2.refundQuery({ out_refund_no: "C-1" })).fields;
  await finish(refundId, "ABNORMAL");
  expect(await query()).toMatchObject({ refund_status_0: "CHANGE", refund_channel_0: "ORIGINAL" });
  await apply(refundId, card("C-1"));
  await finish(refundId, "SUCCESS");
  expect(await query()).toMatchObject({
    refund_status_0: "SUCCESS",
    refund_channel_0: "OTHER_BANKCARD",
    refund_recv_accout_0: "ICBC_DEBIT0404",
  });
});

it("A fault that is spent on an abnormal refund leaves it alone once it is redirected, and one that is not hits it again", async () => {
  const fault = { kind: "refund_outcome", times: 2, params: { status: "ABNORMAL" } };
  await provider.control("POST", "/faults", fault);
  await merchant.place("native", "ABNORMAL_TWICE");
  await provider.control("POST", "/orders/ABNORMAL_TWICE/pay");
  const { refund_id } = (await merchant.refund("ABNORMAL_TWICE", "F-1", 40)).json;
  const query = async () => (await merchant.call("GET", "/v3/refund/domestic/refunds/F-1")).json;
  for (const redirected of [{ channel: "ORIGINAL" }, { channel: "OTHER_BANKCARD" }]) {
    expect(await query()).toMatchObject({ ...redirected, status: "ABNORMAL" });
    await apply(refund_id, { out_refund_no: "F-1", type: "MERCHANT_BANK_CARD" }, {});
    provider.clock.offsetMs += 1;
  }
  expect(await query()).toMatchObject({ status: "PROCESSING" });
  // The fault is remembered by its refund, whoever asks again.
  await provider.restart();
  merchant = await createMerchantV3(provider.url);
  expect(await query()).toMatchObject({ status: "PROCESSING" });
  provider.clock.offsetMs += 3_600_000;
  expect(await query()).toMatchObject({ status: "SUCCESS" });
});

it("A redirected refund ends as long after its redirection as others after they were accepted, also after a restart", async () => {
  const refundId = await abnormalRefund("ABNORMAL_LATE", "L-1");
  const query = async () => (await merchant.call("GET", "/v3/refund/domestic/refunds/L-1")).json.status as string;
  provider.clock.offsetMs += 3_000_000;
  await apply(refundId, card("L-1"));
  provider.clock.offsetMs += 3_000_000;
  expect(await query()).toBe("PROCESSING");
  await provider.restart();
  merchant = await createMerchantV3(provider.url);
  expect(await query()).toBe("PROCESSING");
  provider.clock.offsetMs += 600_000;
  expect(await query()).toBe("SUCCESS");
});

it("apply-abnormal-refund is refused with 400 or 404 for another refund, another state, and what is not encrypted to the platform", async () => {
  const refundId = await abnormalRefund("ABNORMAL_REFUSED", "D-1");
  const refusal = async (...args: Parameters<typeof apply>) => {
    const { status, json } = await apply(...args);
    return [status, json.code, json.detail?.field ?? json.message];
  };
  for (const bank_type of [undefined, "HEARTH_DEBIT"])
    expect(await refusal(refundId, { ...card("D-1"), bank_type })).toEqual([400, "PARAM_ERROR", "/bank_type"]);
  expect(await refusal(refundId, { ...card("D-1"), type: "CASH" })).toEqual([400, "PARAM_ERROR", "/type"]);
  const named = expect.stringContaining("Wechatpay-Serial");
  expect(await refusal(refundId, card("D-1"), {})).toEqual([400, "PARAM_ERROR", named]);
  const foreign = { headers: { "Wechatpay-Serial": merchant.credentials.merchant_serial } };
  expect(await refusal(refundId, card("D-1"), foreign)).toEqual([400, "PARAM_ERROR", named]);
  const plain = { ...card("D-1"), bank_account: "6222020200112230404" };
  expect(await refusal(refundId, plain)).toEqual([400, "PARAM_ERROR", expect.stringContaining("/bank_account")]);
  const missing = [404, "RESOURCE_NOT_EXISTS", expect.any(String)];
  expect(await refusal(refundId, card("D-2"))).toEqual(missing);
  expect(await refusal("50000000000000000000000000000", card("D-1"))).toEqual(missing);
  await apply(refundId, card("D-1"));
  await finish(refundId, "CLOSED");
  const other = { out_refund_no: "D-1", type: "MERCHANT_BANK_CARD" };
  expect(await refusal(refundId, other)).toEqual([400, "INVALID_REQUEST", expect.stringContaining("CLOSED")]);
});
