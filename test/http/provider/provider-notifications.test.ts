/** What merchants are told of payments and refunds, in the version by which they asked. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, type MerchantV2 } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3, isFromPlatform, type MerchantV3 } from "../../support/payments/merchant-v3.ts";
import { acceptedV2, notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { attemptsOf, orderDetails } from "../../support/payments/order-details.ts";
import { refundInfo, unsealed } from "../../support/payments/receivers/notification-secrets.ts";
import { fieldsOfXml, signatureV2 } from "../../support/payments/payment-signatures.ts";
import { switchProtocols } from "../../support/switch-protocols.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let v2: MerchantV2;
let v3: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  v2 = createMerchantV2(provider);
  v3 = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const finish = (refundId: string | undefined, status: string) =>
  provider.control("POST", `/refunds/${refundId ?? ""}/finish`, { status });

describe("a payment in version 2", () => {
  it("is notified in XML with the documented fields, signed by MD5", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("NOTIFYV2-MD5", { notify_url: `${receiver.url}/paid`, attach: "a <b>&c", device_info: "till-3" });
    await v2.pay("NOTIFYV2-MD5");
    const { headers, body } = await receiver.at("/paid");
    const { sign, ...fields } = fieldsOfXml(body);
    expect(headers["content-type"]).toBe("text/xml");
    expect(fields).toEqual({
      return_code: "SUCCESS",
      appid: provider.app.appid,
      mch_id: "1900000109",
      device_info: "till-3",
      nonce_str: expect.stringMatching(/^\w{32}$/),
      result_code: "SUCCESS",
      openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
      is_subscribe: "N",
      trade_type: "JSAPI",
      bank_type: "OTHERS",
      total_fee: "100",
      fee_type: "CNY",
      cash_fee: "100",
      transaction_id: expect.stringMatching(/^42000\d{23}$/),
      out_trade_no: "NOTIFYV2-MD5",
      attach: "a <b>&c",
      time_end: expect.stringMatching(/^\d{14}$/),
    });
    expect(sign).toBe(signatureV2(fields, v2.apiV2Key));
  });

  it.each([true, false])("is signed by HMAC-SHA256 where the order was, and names it: %j, as set", async (named) => {
    const order = `NOTIFYV2-HMAC-${String(named)}`;
    await provider.control("PATCH", "/settings", { notification_sign_type: named });
    await using receiver = await notificationReceiver();
    await v2.place(order, { notify_url: `${receiver.url}/paid` }, { signType: "HMAC-SHA256" });
    await v2.pay(order);
    const fields = fieldsOfXml((await receiver.at("/paid")).body);
    expect(fields["sign"]).toBe(signatureV2(fields, v2.apiV2Key, "HMAC-SHA256"));
    expect(fields["sign_type"]).toBe(named ? "HMAC-SHA256" : undefined);
  });

  it("is notified once, when it is accepted, and the order shows both messages", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("NOTIFYV2-ONCE", { notify_url: `${receiver.url}/paid` });
    await v2.pay("NOTIFYV2-ONCE");
    const [attempt] = await attemptsOf(provider, "NOTIFYV2-ONCE", 1);
    expect(attempt).toMatchObject({
      attempt: 1,
      verdict: "accepted",
      request: { headers: { "Content-Type": "text/xml" }, body: receiver.received[0]?.body },
      reply: { status: 200, headers: { "content-type": "text/xml" }, body: acceptedV2 },
      faults: [],
    });
    const { order, notifications } = await orderDetails(provider, "NOTIFYV2-ONCE");
    expect(order).toMatchObject({ trade_state: "SUCCESS", total: 100, version: "v2", sign_type: "MD5" });
    expect(notifications).toMatchObject([{ about: "payment", state: "accepted", url: `${receiver.url}/paid` }]);
    provider.clock.offsetMs += 48 * 3_600_000;
    expect(receiver.received).toHaveLength(1);
  });
});

it("a receiver that switches protocols has not taken the notification", async () => {
  await using receiver = await notificationReceiver((_notification, response) => switchProtocols(response));
  await v2.place("NOTIFYV2-101", { notify_url: receiver.url });
  await v2.pay("NOTIFYV2-101");
  expect(await attemptsOf(provider, "NOTIFYV2-101", 1)).toMatchObject([{ verdict: "connection_failed" }]);
});

describe("a payment in version 3", () => {
  it("is notified encrypted, and signed by the platform over the exact bytes", async () => {
    await using receiver = await notificationReceiver();
    await v3.place("native", "NOTIFYV3-PAID", { notify_url: `${receiver.url}/paid`, attach: "mine" });
    await v2.pay("NOTIFYV3-PAID");
    const { headers, body } = await receiver.at("/paid");
    const of = (name: string) => headers[name] as string | undefined;
    expect(isFromPlatform(of, body, v3.credentials.platform_certificate)).toBe(true);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "wechatpay-serial": v3.credentials.platform_serial,
      "wechatpay-signature-type": "WECHATPAY2-SHA256-RSA2048",
      "request-id": expect.any(String),
    });
    expect(JSON.parse(body)).toMatchObject({
      id: expect.any(String),
      create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/),
      event_type: "TRANSACTION.SUCCESS",
      resource_type: "encrypt-resource",
      resource: { original_type: "transaction", algorithm: "AEAD_AES_256_GCM", associated_data: "transaction" },
    });
    const told = (await v3.query("NOTIFYV3-PAID")).json as object;
    expect(unsealed(body, v3.credentials.api_v3_key)).toEqual(told);
  });
});

describe("the end of a refund", () => {
  it("comes by itself, and is notified in version 2 without a signature, encrypted by the API key", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("REFUNDV2-OWN");
    await v2.pay("REFUNDV2-OWN");
    const accepted = await v2.refund("REFUNDV2-OWN", "R-REFUNDV2-OWN", { notify_url: `${receiver.url}/refunded` });
    provider.clock.offsetMs += 1_000;
    const { sign, req_info, ...outer } = fieldsOfXml((await receiver.at("/refunded")).body);
    expect(sign).toBeUndefined();
    expect(outer).toEqual({
      return_code: "SUCCESS",
      appid: provider.app.appid,
      mch_id: "1900000109",
      nonce_str: expect.any(String),
    });
    expect(refundInfo(req_info, v2.apiV2Key)).toMatchObject({
      out_trade_no: "REFUNDV2-OWN",
      out_refund_no: "R-REFUNDV2-OWN",
      refund_id: accepted.fields["refund_id"],
      transaction_id: accepted.fields["transaction_id"],
      total_fee: "100",
      refund_fee: "10",
      settlement_refund_fee: "10",
      refund_status: "SUCCESS",
      success_time: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      refund_recv_accout: expect.any(String),
      refund_account: "REFUND_SOURCE_UNSETTLED_FUNDS",
      refund_request_source: "API",
    });
  });

  it.each([
    ["ABNORMAL", "CHANGE"],
    ["CLOSED", "REFUNDCLOSE"],
  ])("is notified as %s in version 3 and as %s in version 2", async (status, statusV2) => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/settings", { refund_seconds: 3600 });
    await using receiver = await notificationReceiver();
    const [old, young] = [createMerchantV2(own), await createMerchantV3(own.url)];
    await old.place("REFUND-ENDS-V2");
    await own.control("POST", "/orders/REFUND-ENDS-V2/pay");
    await young.place("app", "REFUND-ENDS-V3");
    await own.control("POST", "/orders/REFUND-ENDS-V3/pay");
    const first = await old.refund("REFUND-ENDS-V2", "R-V2", { notify_url: `${receiver.url}/v2` });
    const second = await young.call("POST", "/v3/refund/domestic/refunds", {
      out_trade_no: "REFUND-ENDS-V3",
      out_refund_no: "R-1",
      notify_url: `${receiver.url}/v3`,
      amount: { total: 101, refund: 101, currency: "CNY" },
    });
    for (const refundId of [first.fields["refund_id"], second.json.refund_id as string])
      await own.control("POST", `/refunds/${refundId ?? ""}/finish`, { status });
    const toldV2 = fieldsOfXml((await receiver.at("/v2")).body);
    expect(refundInfo(toldV2["req_info"], old.apiV2Key)).toMatchObject({ refund_status: statusV2 });
    const { body } = await receiver.at("/v3");
    expect(JSON.parse(body)).toMatchObject({ event_type: `REFUND.${status}` });
    expect(unsealed(body, young.credentials.api_v3_key)).toMatchObject({ refund_status: status, out_refund_no: "R-1" });
  });

  it("is not notified to a merchant that gave no address for it", async () => {
    await v2.place("REFUNDV2-QUIET");
    await v2.pay("REFUNDV2-QUIET");
    const { fields } = await v2.refund("REFUNDV2-QUIET", "R-1");
    await finish(fields["refund_id"], "SUCCESS");
    const { refunds, notifications } = await orderDetails(provider, "REFUNDV2-QUIET");
    expect(refunds).toMatchObject([{ status: "SUCCESS", refund: 10 }]);
    expect(notifications.map(({ about }) => about)).toEqual(["payment"]);
  });
});
