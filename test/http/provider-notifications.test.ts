/** What merchants are told of payments and refunds, and how the simulator judges what they answer. */
import { createDecipheriv, createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, type MerchantV2 } from "../support/merchant-v2.ts";
import { createMerchantV3, isFromPlatform, type MerchantV3 } from "../support/merchant-v3.ts";
import { acceptedV2, notificationReceiver } from "../support/notification-receiver.ts";
import { attemptsOf, orderDetails } from "../support/order-details.ts";
import { fieldsOfXml, signatureV2 } from "../support/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../support/test-provider.ts";

let provider: TestProvider;
let v2: MerchantV2;
let v3: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  v2 = createMerchantV2(provider);
  v3 = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const pay = (outTradeNo: string) => provider.control("POST", `/orders/${outTradeNo}/pay`);
const finish = (refundId: string | undefined, status: string) =>
  provider.control("POST", `/refunds/${refundId ?? ""}/finish`, { status });

function unsealed(body: string, key: string) {
  const { resource } = JSON.parse(body) as { resource: Record<string, string> };
  const sealed = Buffer.from(resource["ciphertext"] ?? "", "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, resource["nonce"] ?? "");
  decipher.setAAD(Buffer.from(resource["associated_data"] ?? "")).setAuthTag(sealed.subarray(-16));
  return JSON.parse(decipher.update(sealed.subarray(0, -16)).toString() + decipher.final().toString()) as object;
}

function refundInfo(reqInfo: string | undefined, key: string) {
  const decipher = createDecipheriv("aes-256-ecb", createHash("md5").update(key).digest("hex"), null);
  return fieldsOfXml(decipher.update(reqInfo ?? "", "base64", "utf8") + decipher.final("utf8"));
}

describe("a payment in version 2", () => {
  it("is told in XML with the documented fields, signed by MD5", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("NOTIFYV2-MD5", { notify_url: `${receiver.url}/paid`, attach: "a <b>&c", device_info: "till-3" });
    await pay("NOTIFYV2-MD5");
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

  it("is signed by HMAC-SHA256 where the order was", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("NOTIFYV2-HMAC", { notify_url: `${receiver.url}/paid` }, { signType: "HMAC-SHA256" });
    await pay("NOTIFYV2-HMAC");
    const fields = fieldsOfXml((await receiver.at("/paid")).body);
    expect(fields["sign"]).toBe(signatureV2(fields, v2.apiV2Key, "HMAC-SHA256"));
  });

  it("is told once, when it is accepted, and the order shows what was sent and answered", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("NOTIFYV2-ONCE", { notify_url: `${receiver.url}/paid` });
    await pay("NOTIFYV2-ONCE");
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

describe("a payment in version 3", () => {
  it("is told sealed, and signed by the platform over the exact bytes", async () => {
    await using receiver = await notificationReceiver();
    await v3.place("native", "NOTIFYV3-PAID", { notify_url: `${receiver.url}/paid`, attach: "mine" });
    await pay("NOTIFYV3-PAID");
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
  it("comes by itself, and is told in version 2 without a signature, sealed by the API key", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("REFUNDV2-OWN");
    await pay("REFUNDV2-OWN");
    const accepted = await v2.refund("REFUNDV2-OWN", "R-REFUNDV2-OWN", { notify_url: `${receiver.url}/refunded` });
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
  ])("is told as %s in version 3 and as %s in version 2", async (status, statusV2) => {
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

  it("is not told to a merchant that gave no address for it", async () => {
    await v2.place("REFUNDV2-QUIET");
    await pay("REFUNDV2-QUIET");
    const { fields } = await v2.refund("REFUNDV2-QUIET", "R-1");
    await finish(fields["refund_id"], "SUCCESS");
    const { refunds, notifications } = await orderDetails(provider, "REFUNDV2-QUIET");
    expect(refunds).toMatchObject([{ status: "SUCCESS", refund: 10 }]);
    expect(notifications.map(({ about }) => about)).toEqual(["payment"]);
  });
});

type Answer = (response: ServerResponse) => void;
const xml = (code: string) => `<xml><return_code>${code}</return_code></xml>`;
const answering =
  (status: number, body = ""): Answer =>
  (response) =>
    response.writeHead(status).end(body);

describe("the verdict", () => {
  async function verdictOn(version: "v2" | "v3", outTradeNo: string, answer: Answer) {
    await using receiver = await notificationReceiver((_request, response) => answer(response));
    const notify_url = `${receiver.url}/paid`;
    await (version === "v2" ? v2.place(outTradeNo, { notify_url }) : v3.place("app", outTradeNo, { notify_url }));
    await pay(outTradeNo);
    const [attempt] = await attemptsOf(provider, outTradeNo, 1);
    const { notifications } = await orderDetails(provider, outTradeNo);
    return { attempt, state: notifications[0]?.state };
  }
  const accepted = { verdict: "accepted", state: "accepted" };
  const again = (verdict: string) => ({ verdict, state: "pending" });

  it.each<[string, "v2" | "v3", Answer, { verdict: string; state: string }]>([
    ["200 with return_code SUCCESS in CDATA", "v2", answering(200, acceptedV2), accepted],
    ["200 with return_code SUCCESS without CDATA", "v2", answering(200, xml("SUCCESS")), accepted],
    ["200 with return_code FAIL", "v2", answering(200, xml("FAIL")), again("refused")],
    ["500", "v2", answering(500), again("refused")],
    ["the word success", "v2", answering(200, "success"), again("wrong_body")],
    ["JSON", "v2", answering(200, '{"return_code":"SUCCESS"}'), again("wrong_body")],
    ["nothing", "v2", answering(200), again("wrong_body")],
    ["another case of letters", "v2", answering(200, xml("success")), again("wrong_body")],
    ["SUCCESS behind a document type", "v2", answering(200, `<!DOCTYPE x>${acceptedV2}`), again("wrong_body")],
    ["201 with return_code SUCCESS", "v2", answering(201, acceptedV2), again("wrong_status")],
    ["204", "v2", answering(204), again("wrong_status")],
    ["more than 64 KiB", "v2", answering(200, " ".repeat(70_000) + acceptedV2), again("wrong_body")],
    ["200", "v3", answering(200), accepted],
    ["204", "v3", answering(204), accepted],
    ["200 whose body says FAIL", "v3", answering(200, '{"code":"FAIL"}'), accepted],
    ["201", "v3", answering(201), again("wrong_status")],
    ["202", "v3", answering(202), again("wrong_status")],
    ["a redirect", "v3", answering(302), again("wrong_status")],
    ["401", "v3", answering(401, '{"code":"FAIL"}'), again("refused")],
    ["503", "v3", answering(503), again("refused")],
    ["a connection that is cut", "v2", (response) => void response.destroy(), again("connection_failed")],
    [
      "a reply that is cut",
      "v3",
      (response) => void response.writeHead(200, { "Content-Length": 9 }).write("x", () => response.destroy()),
      again("connection_failed"),
    ],
  ])("on %s in %s", async (name, version, answer, expected) => {
    const outTradeNo = `V-${createHash("md5").update(`${name}${version}`).digest("hex").slice(0, 20)}`;
    const { attempt, state } = await verdictOn(version, outTradeNo, answer);
    expect({ verdict: attempt?.verdict, state }).toEqual(expected);
    expect(attempt?.reply?.body.length ?? 0).toBeLessThanOrEqual(65_536);
  });

  it("is slow when no whole answer comes in time", async () => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/settings", { notification_timeout_ms: 50 });
    await using receiver = await notificationReceiver(
      (_request, response) => void response.writeHead(200).write("<xml>"),
    );
    const merchant = createMerchantV2(own);
    await merchant.place("V-SLOWLY", { notify_url: `${receiver.url}/paid` });
    await own.control("POST", "/orders/V-SLOWLY/pay");
    const [attempt] = await attemptsOf(own, "V-SLOWLY", 1);
    expect(attempt).toMatchObject({ verdict: "slow", trusted_result_code: false });
    expect(attempt?.reply).toBeUndefined();
  });

  it.each([
    ["a port on which nobody listens", "http://127.0.0.1:9/"],
    ["a name that nobody has", "http://receiver.invalid/"],
  ])("is connection_failed for %s, with the reason", async (_name, notify_url) => {
    const outTradeNo = `V-${createHash("md5").update(notify_url).digest("hex").slice(0, 20)}`;
    await v2.place(outTradeNo, { notify_url });
    await pay(outTradeNo);
    const [attempt] = await attemptsOf(provider, outTradeNo, 1);
    expect(attempt).toMatchObject({ verdict: "connection_failed", reason: expect.stringMatching(/\w/) });
  });
});

describe("trusted_result_code", () => {
  it("marks a receiver that accepts a payment without asking for the order", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("TRUSTING-V2", { notify_url: `${receiver.url}/paid` });
    await v2.query("TRUSTING-V2"); // it was not paid then
    await pay("TRUSTING-V2");
    expect(await attemptsOf(provider, "TRUSTING-V2", 1)).toMatchObject([{ trusted_result_code: true }]);
  });

  it("does not mark one that asks first, nor a copy of what it has settled by that", async () => {
    await using receiver = await notificationReceiver(
      (_request, response) => void asked().then(() => response.end(acceptedV2)),
    );
    let queries = 0;
    const asked = async () => (queries++ === 0 ? v2.query("ASKING-V2") : undefined);
    await v2.place("ASKING-V2", { notify_url: `${receiver.url}/paid` });
    await pay("ASKING-V2");
    await attemptsOf(provider, "ASKING-V2", 1);
    const again = await provider.control("POST", "/orders/ASKING-V2/notify");
    expect(again).toMatchObject({ deliveries: [{ accepted: true, verdict: "accepted" }] });
    expect(await attemptsOf(provider, "ASKING-V2", 2)).toMatchObject([
      { attempt: 1, trusted_result_code: false },
      { attempt: 2, trusted_result_code: false },
    ]);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  });

  it("marks who accepts a refund without asking for it, and not who asks by the query of refunds", async () => {
    await using receiver = await notificationReceiver(({ path }, response) => {
      const asked = path === "/asking" ? v2.call("/pay/refundquery", { out_trade_no: "REFUND-ASKING" }) : undefined;
      void Promise.resolve(asked).then(() => response.end(acceptedV2));
    });
    for (const name of ["asking", "trusting"]) {
      const outTradeNo = `REFUND-${name.toUpperCase()}`;
      await v2.place(outTradeNo);
      await pay(outTradeNo);
      const { fields } = await v2.refund(outTradeNo, `R-${name}`, { notify_url: `${receiver.url}/${name}` });
      await finish(fields["refund_id"], "SUCCESS");
      await receiver.at(`/${name}`);
      expect(await attemptsOf(provider, outTradeNo, 1)).toMatchObject([{ trusted_result_code: name === "trusting" }]);
    }
  });
});
