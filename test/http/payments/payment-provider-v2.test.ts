/** How the merchant's side calls version 2, and what it makes of replies, against a provider that answers as scripted. */
import { message } from "../../../server/contract/messages/message.ts";
import { describe, expect, it } from "vitest";
import { fieldsOfXml, signatureV2, signedXml, xmlOf, type Fields } from "../../support/payments/payment-signatures.ts";
import {
  brokenTransport,
  paymentMerchant,
  withScriptedProvider,
  type Script,
} from "../../support/payments/scripted/scripted-payment-provider.ts";
import {
  failureV2,
  orderToPlace,
  outTradeNo,
  paidV2,
  signedV2,
  successV2,
} from "../../support/payments/scripted/scripted-payment-v2.ts";

const { mch_id, app_id, api_v2_key: key } = paymentMerchant;

describe("a call of version 2", () => {
  it.each(["MD5", "HMAC-SHA256"] as const)("is signed by %s over all that it says", async (type) => {
    const { scripted, client } = await withScriptedProvider(
      signedV2({ ...successV2, trade_type: "JSAPI", prepay_id: "wx1" }, type),
      {
        payment_sign_type: type,
      },
    );
    expect(await client.placeOrder(orderToPlace)).toEqual({
      outcome: "done",
      value: { prepayId: "wx1", signType: type },
      reply: { httpStatus: 200, returnCode: "SUCCESS", resultCode: "SUCCESS" },
    });
    expect(scripted.calls).toHaveLength(1);
    const [{ method, path, body } = { method: "", path: "", body: "" }] = scripted.calls;
    expect([method, path]).toEqual(["POST", "/pay/unifiedorder"]);
    const { sign, nonce_str, ...fields } = fieldsOfXml(body);
    expect(nonce_str).toMatch(/^[0-9a-f]{32}$/);
    expect(fields).toEqual({
      appid: app_id,
      mch_id,
      body: "Hearth test order",
      out_trade_no: outTradeNo,
      total_fee: "101",
      spbill_create_ip: "127.0.0.1",
      time_expire: "20260101000000",
      trade_type: "JSAPI",
      openid: orderToPlace.openid,
      notify_url: "http://127.0.0.1:3080/api/payments/notifications",
      ...(type !== "MD5" && { sign_type: type }),
    });
    expect(sign).toBe(signatureV2({ ...fields, nonce_str: nonce_str ?? "" }, key, type));
  });

  it.each([
    [
      "NATIVE",
      { code_url: "weixin://wxpay/bizpayurl?pr=1" },
      { product_id: outTradeNo },
      { codeUrl: "weixin://wxpay/bizpayurl?pr=1" },
    ],
    ["APP", { prepay_id: "wx1" }, {}, { prepayId: "wx1" }],
    [
      "MWEB",
      { mweb_url: "https://pay.example/1" },
      { scene_info: '{"h5_info":{"type":"Wap"}}' },
      { webUrl: "https://pay.example/1" },
    ],
  ] as const)("places an order of type %s", async (tradeType, told, asked, value) => {
    const { scripted, client } = await withScriptedProvider(signedV2({ ...successV2, ...told, trade_type: tradeType }));
    expect(await client.placeOrder({ ...orderToPlace, tradeType })).toMatchObject({ outcome: "done", value });
    const fields = fieldsOfXml(scripted.calls[0]?.body ?? "");
    expect(fields).toMatchObject({ ...asked, trade_type: tradeType });
    expect(fields).not.toHaveProperty("openid");
  });

  it("is not done when the reply lacks what the order is paid by, or is to an order of another type", async () => {
    const { scripted, client } = await withScriptedProvider(signedV2({ ...successV2, trade_type: "JSAPI" }));
    expect(await client.placeOrder(orderToPlace)).toMatchObject({ outcome: "unknown", reason: "malformed" });
    scripted.answerBy(signedV2({ ...successV2, trade_type: "APP", prepay_id: "wx1" }));
    expect(await client.placeOrder(orderToPlace)).toMatchObject({ outcome: "unknown", reason: "foreign" });
  });

  it("is refused with the code that is signed", async () => {
    const { client } = await withScriptedProvider(signedV2(failureV2("OUT_TRADE_NO_USED")));
    expect(await client.placeOrder(orderToPlace)).toEqual({
      outcome: "refused",
      code: "OUT_TRADE_NO_USED",
      description: "for a reason",
      reply: { httpStatus: 200, returnCode: "SUCCESS", resultCode: "FAIL" },
    });
  });

  it.each(["SYSTEMERROR", "BANKERROR", "FREQUENCY_LIMITED", "INVALID_REQ_TOO_MUCH", "BIZERR_NEED_RETRY"])(
    "has an unknown outcome when the code is %s",
    async (code) => {
      const { client } = await withScriptedProvider(signedV2(failureV2(code)));
      expect(await client.closeOrder(outTradeNo)).toMatchObject({ outcome: "unknown", reason: "undecided", code });
    },
  );

  it("is pending where the buyer types, and refused where that forbids it", async () => {
    const { client } = await withScriptedProvider(signedV2(failureV2("USERPAYING")));
    expect(await client.payByCode({ ...orderToPlace, authCode: "130000000000000000" })).toMatchObject({
      outcome: "unknown",
      reason: "undecided",
      code: "USERPAYING",
    });
    expect(await client.reverseOrder(outTradeNo)).toMatchObject({ outcome: "refused", code: "USERPAYING" });
  });

  const changed = (fields: Fields): Script => {
    const sign = signatureV2(paidV2, key);
    return () => ({ body: xmlOf({ ...paidV2, ...fields, sign }) });
  };
  const unknowns: readonly (readonly [string, Script, string])[] = [
    ...brokenTransport,
    ["is HTTP 201", () => ({ status: 201, body: signedXml(paidV2, key) }), "http_status"],
    ["is a redirect", () => ({ status: 302, headers: { Location: "/" }, body: "" }), "http_status"],
    ["is empty", () => ({ body: "" }), "malformed"],
    ["is JSON", () => ({ body: '{"return_code":"SUCCESS"}' }), "malformed"],
    ["has a document type", () => ({ body: `<!DOCTYPE xml>${signedXml(paidV2, key)}` }), "malformed"],
    [
      "has a field twice",
      () => ({ body: signedXml(paidV2, key).replace("</xml>", "<total_fee>1</total_fee></xml>") }),
      "malformed",
    ],
    ["is return_code FAIL", () => ({ body: xmlOf({ return_code: "FAIL", return_msg: "签名错误" }) }), "return_code"],
    ["is return_code FAIL, signed", signedV2({ ...paidV2, return_code: "FAIL" }), "return_code"],
    ["has no return_code", signedV2({ ...paidV2, return_code: "" }), "return_code"],
    ["has no sign", () => ({ body: xmlOf(paidV2) }), "bad_signature"],
    ["is signed with another key", () => ({ body: signedXml(paidV2, "k".repeat(32)) }), "bad_signature"],
    ["is signed by the other type", signedV2(paidV2, "HMAC-SHA256"), "bad_signature"],
    ["has a field that was changed", changed({ total_fee: "102" }), "bad_signature"],
    ["has a field that was added", changed({ coupon_fee: "1" }), "bad_signature"],
    ["is a failure without a sign", () => ({ body: xmlOf(failureV2("ORDERNOTEXIST")) }), "bad_signature"],
    ["is to another merchant", signedV2({ ...paidV2, mch_id: "1900000110" }), "foreign"],
    ["is to another app", signedV2({ ...paidV2, appid: "wx0" }), "foreign"],
    ["has no mch_id", signedV2({ ...paidV2, mch_id: "" }), "foreign"],
    ["is about another order", signedV2({ ...paidV2, out_trade_no: "HEARTH20260101000002" }), "foreign"],
    ["names no order", signedV2({ ...paidV2, out_trade_no: "" }), "malformed"],
    ["has no result_code", signedV2({ ...paidV2, result_code: "" }), "malformed"],
    ["is a failure without a code", signedV2(failureV2("")), "malformed"],
    ["has no trade_state", signedV2({ ...paidV2, trade_state: "" }), "malformed"],
    ["has a trade_state that nobody knows", signedV2({ ...paidV2, trade_state: "constructor" }), "malformed"],
    ["says SUCCESS without an amount", signedV2({ ...paidV2, total_fee: "" }), "malformed"],
    ["says SUCCESS with half a fen", signedV2({ ...paidV2, total_fee: "100.5" }), "malformed"],
    ["says SUCCESS without a transaction", signedV2({ ...paidV2, transaction_id: "" }), "malformed"],
  ];
  it.each(unknowns)("has an unknown outcome, and is tried once, when the reply %s", async (_what, script, reason) => {
    const late = reason === "timed_out";
    const { scripted, client } = await withScriptedProvider(script, { payment_timeout_ms: late ? 300 : 30_000 });
    const result = await client.queryOrder(outTradeNo);
    expect(result).toMatchObject({ outcome: "unknown", reason });
    expect(JSON.stringify(result)).not.toContain(key);
    if (late) expect(scripted.calls.length).toBeLessThanOrEqual(1);
    else expect(scripted.calls).toHaveLength(1);
  });

  it("has an unknown outcome when the provider does not listen", async () => {
    const { scripted, client } = await withScriptedProvider(signedV2(paidV2));
    await scripted[Symbol.asyncDispose]();
    expect(await client.queryOrder(outTradeNo)).toEqual({
      outcome: "unknown",
      reason: "no_answer",
      description: message("reply.none", { why: "ECONNREFUSED" }),
      reply: {},
    });
  });

  it("can be given less time than usual", async () => {
    const { client } = await withScriptedProvider(() => undefined, { payment_timeout_ms: 60_000 });
    expect(await client.queryOrder(outTradeNo, 100)).toMatchObject({ outcome: "unknown", reason: "timed_out" });
    expect(await client.queryRefund({ outTradeNo: "HEARTH-1", outRefundNo: "R1" }, 100)).toMatchObject({
      outcome: "unknown",
      reason: "timed_out",
    });
  });

  it("uses the connection of the one before", async () => {
    const { scripted, client } = await withScriptedProvider(signedV2(paidV2));
    for (let i = 0; i < 5; i++) expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
    expect(scripted.connections()).toBe(1);
  });

  it("ends with no answer when the server closes, and does not start afterwards", async () => {
    const { scripted, client } = await withScriptedProvider(() => undefined, { payment_timeout_ms: 60_000 });
    const underWay = client.queryOrder(outTradeNo);
    await expect.poll(() => scripted.calls).toHaveLength(1);
    client.close();
    expect(await underWay).toMatchObject({ outcome: "unknown", reason: "no_answer" });
    expect(await client.queryOrder(outTradeNo)).toMatchObject({ outcome: "unknown", reason: "no_answer" });
    expect(scripted.calls).toHaveLength(1);
  });

  it("goes below the path of a base URL that has one, with the settings' own merchant", async () => {
    const { scripted } = await withScriptedProvider(signedV2({ ...paidV2, appid: "wx1", mch_id: "7" }));
    const client = scripted.client({
      payment_base_url: `${scripted.url}/below`,
      payment_mch_id: "7",
      payment_app_id: "wx1",
      payment_api_v2_key: key,
      payment_notify_url: "https://shop.example",
    });
    expect((await client.queryOrder(outTradeNo)).outcome).toBe("done");
    await client.placeOrder(orderToPlace);
    client.close();
    expect(scripted.calls.map(({ path }) => path)).toEqual(["/below/pay/orderquery", "/below/pay/unifiedorder"]);
    expect(fieldsOfXml(scripted.calls[1]?.body ?? "")).toMatchObject({
      mch_id: "7",
      notify_url: "https://shop.example/api/payments/notifications",
    });
  });
});
