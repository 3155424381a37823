/** How the merchant's side calls version 3, and what it makes of replies, against a provider that answers as scripted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { headersV3 } from "../../support/payments/payment-signatures.ts";
import {
  brokenTransport,
  paymentMerchant,
  withScriptedProvider,
  type Script,
} from "../../support/payments/scripted/scripted-payment-provider.ts";
import { orderToPlace, outTradeNo } from "../../support/payments/scripted/scripted-payment-v2.ts";
import {
  isSignedBy,
  merchantOfV3,
  signedReplyV3,
  signedV3,
  type MerchantV3,
} from "../../support/payments/scripted/scripted-payment-v3.ts";

const { mch_id: mchid, app_id: appid, api_v3_key: apiV3Key } = paymentMerchant;
const paid = {
  appid,
  mchid,
  out_trade_no: outTradeNo,
  trade_state: "SUCCESS",
  trade_state_desc: "paid",
  transaction_id: "4200000000202601010000000001",
  success_time: "2026-01-01T08:00:00+08:00",
  amount: { total: 101, payer_total: 101, currency: "CNY", payer_currency: "CNY" },
  payer: { openid: orderToPlace.openid },
};

let keys: MerchantV3;
beforeAll(async () => void (keys = await merchantOfV3()));
afterAll(() => keys[Symbol.dispose]());

/** A provider whose merchant is set by files, as that of the real provider is. */
const start = async (script: Script, timeoutMs = 30_000) => {
  const { scripted } = await withScriptedProvider(script);
  const settings = { ...keys.settings, payment_base_url: scripted.url, payment_timeout_ms: timeoutMs };
  return { scripted, client: scripted.client(settings) };
};
const says =
  (body: unknown, status = 200): Script =>
  (call, res) =>
    signedV3(keys.platform, { body, status })(call, res);

describe("a call of version 3", () => {
  it("is signed over its exact bytes, and its reply verified", async () => {
    const { scripted, client } = await start(says({ prepay_id: "wx1" }));
    expect(await client.placeOrder(orderToPlace)).toEqual({
      outcome: "done",
      value: { prepayId: "wx1", signType: "RSA" },
      reply: { httpStatus: 200 },
    });
    const [call] = scripted.calls;
    expect(call && isSignedBy(keys.merchant, call)).toBe(true);
    expect(call).toMatchObject({
      method: "POST",
      path: "/v3/pay/transactions/jsapi",
      headers: { accept: "application/json", "content-type": "application/json", "user-agent": "Hearth" },
    });
    expect(JSON.parse(call?.body ?? "")).toEqual({
      appid,
      mchid,
      description: "Hearth test order",
      out_trade_no: outTradeNo,
      time_expire: "2026-01-01T00:00:00+08:00",
      notify_url: "http://127.0.0.1:3080/api/payments/notifications",
      amount: { total: 101, currency: "CNY" },
      payer: { openid: orderToPlace.openid },
      scene_info: { payer_client_ip: "127.0.0.1" },
    });
  });

  it("is signed with its path as it is sent, below that of the base URL and percent-encoded", async () => {
    const odd = "A|B*-_12";
    const { scripted } = await start(says({ ...paid, out_trade_no: odd }));
    const client = scripted.client({ ...keys.settings, payment_base_url: `${scripted.url}/below` });
    expect((await client.queryOrder(odd)).outcome).toBe("done");
    const [call] = scripted.calls;
    expect(call?.path).toBe(`/below/v3/pay/transactions/out-trade-no/A%7CB*-_12?mchid=${mchid}`);
    expect(call?.body).toBe("");
    expect(call && isSignedBy(keys.merchant, call)).toBe(true);
  });

  it("is refused with a signed code, in the words of version 2", async () => {
    const { scripted, client } = await start(says({ code: "ORDER_NOT_EXIST", message: "none" }, 404));
    const refusal = { outcome: "refused", code: "ORDERNOTEXIST", description: "none", reply: { httpStatus: 404 } };
    expect(await client.queryOrder(outTradeNo)).toEqual(refusal);
    for (const [code, word] of [
      ["ORDERNOTEXIST", "ORDERNOTEXIST"],
      ["NO_AUTH", "NOAUTH"],
      ["NOT_ENOUGH", "NOTENOUGH"],
      ["ORDER_CLOSED", "ORDERCLOSED"],
      ["OUT_TRADE_NO_USED", "OUT_TRADE_NO_USED"],
      ["MCH_NOT_EXISTS", "MCHID_NOT_EXIST"],
      ["RULELIMIT", "RULE_LIMIT"],
      ["ACCOUNTERROR", "ACCOUNT_ERROR"],
      ["SOMETHING_NEW", "SOMETHING_NEW"],
    ]) {
      scripted.answerBy(says({ code, message: "m" }, 403));
      expect(await client.placeOrder(orderToPlace)).toMatchObject({ outcome: "refused", code: word });
    }
    scripted.answerBy(says({ code: "RESOURCE_NOT_EXISTS", message: "m" }, 404));
    expect(await client.queryRefund({ outTradeNo: "HEARTH-1", outRefundNo: "R1" })).toMatchObject({
      outcome: "refused",
      code: "REFUNDNOTEXIST",
    });
    const refund = { outTradeNo, outRefundNo: "R1", total: 101, amount: 50 };
    expect(await client.refund(refund)).toMatchObject({ outcome: "refused", code: "ORDERNOTEXIST" });
  });

  it("is refused by a final code, whatever the status", async () => {
    const { scripted, client } = await start(says({ code: "USERPAYING", message: "m" }, 202));
    for (const end of [client.closeOrder(outTradeNo), client.reverseOrder(outTradeNo)])
      expect(await end).toMatchObject({ outcome: "refused", code: "USERPAYING" });
    for (const code of ["OPENID_MISMATCH", "INVALID_TRANSACTIONID"]) {
      scripted.answerBy(says({ code, message: "m" }, 500));
      expect(await client.placeOrder(orderToPlace)).toMatchObject({ outcome: "refused", code });
    }
  });

  it("takes a payment by code, which names a store and no address to notify, and takes it back", async () => {
    const { scripted, client } = await start(says(paid));
    const auth_code = "130000000000000000";
    const result = await client.payByCode({ ...orderToPlace, authCode: auth_code });
    expect(result).toMatchObject({ outcome: "done", value: { outTradeNo, tradeState: "SUCCESS" } });
    const [call] = scripted.calls;
    expect(call).toMatchObject({ method: "POST", path: "/v3/pay/transactions/codepay" });
    expect(JSON.parse(call?.body ?? "")).toEqual({
      ...{ appid, mchid, description: "Hearth test order", out_trade_no: outTradeNo },
      time_expire: "2026-01-01T00:00:00+08:00",
      amount: { total: 101, currency: "CNY" },
      payer: { auth_code },
      scene_info: { device_ip: "127.0.0.1", store_info: { out_id: mchid } },
    });

    scripted.answerBy(says({ appid, mchid, out_trade_no: outTradeNo }));
    expect(await client.reverseOrder(outTradeNo)).toMatchObject({ outcome: "done", value: { again: false } });
    const path = `/v3/pay/transactions/out-trade-no/${outTradeNo}/reverse`;
    expect(scripted.calls.at(-1)).toMatchObject({ method: "POST", path, body: JSON.stringify({ appid, mchid }) });
    scripted.answerBy(says({ appid, mchid, out_trade_no: "ANOTHER" }));
    expect(await client.reverseOrder(outTradeNo)).toMatchObject({ outcome: "unknown", reason: "foreign" });
  });

  it("has an unknown outcome when a final code is not signed, or the code of a 503 is not known", async () => {
    const body = '{"code":"OPENID_MISMATCH","message":"m"}';
    const { scripted, client } = await start(() => ({ status: 500, body }));
    expect(await client.placeOrder(orderToPlace)).toMatchObject({ outcome: "unknown", reason: "http_status" });
    scripted.answerBy(says({ code: "SERVICE_UNAVAILABLE", message: "m" }, 503));
    expect(await client.placeOrder(orderToPlace)).toMatchObject({ outcome: "unknown", reason: "http_status" });
  });

  const failure = (code: string, status: number): readonly [Script, string, string] => [
    says({ code, message: "m" }, status),
    status >= 429 ? "http_status" : "undecided",
    code,
  ];
  it.each([
    ["USERPAYING", ...failure("USERPAYING", 202)],
    ["SYSTEMERROR", ...failure("SYSTEM_ERROR", 500)],
    ["BANKERROR", ...failure("BANK_ERROR", 500)],
    ["FREQUENCY_LIMITED", ...failure("RATELIMIT_EXCEEDED", 429)],
    ["SYSTEMERROR", ...failure("SYSTEM_ERROR", 400)],
  ])("has an unknown outcome when the code is %s", async (code, script, reason) => {
    const { client } = await start(script);
    expect(await client.placeOrder(orderToPlace)).toMatchObject({ outcome: "unknown", reason, code });
  });

  const altered =
    (alter: (headers: Record<string, string>) => Record<string, string>, body = JSON.stringify(paid)): Script =>
    () => ({ headers: alter(headersV3(body, keys.platform)), body });
  const without = (name: string) =>
    altered((headers) => Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)));
  const unknowns: readonly (readonly [string, Script, string])[] = [
    ...brokenTransport,
    ["is signed and no JSON", says("hello"), "malformed"],
    ["is signed and empty", says(undefined), "malformed"],
    ["is signed and says a name twice", says(JSON.stringify(paid).replace("{", '{"mchid":"1",')), "malformed"],
    ["has no Wechatpay headers", () => ({ body: JSON.stringify(paid) }), "bad_signature"],
    ["has no signature", without("wechatpay-signature"), "bad_signature"],
    ["has no timestamp", without("wechatpay-timestamp"), "bad_signature"],
    ["has no nonce", without("wechatpay-nonce"), "bad_signature"],
    ["has no serial", without("wechatpay-serial"), "bad_signature"],
    ["has another nonce than was signed", altered((all) => ({ ...all, "wechatpay-nonce": "other" })), "bad_signature"],
    [
      "has another body than was signed",
      () => ({ headers: headersV3("{}", keys.platform), body: JSON.stringify(paid) }),
      "bad_signature",
    ],
    [
      "is signed by the merchant's key",
      () => ({
        headers: headersV3(JSON.stringify(paid), { ...keys.merchant, serial: keys.platform.serial }),
        body: JSON.stringify(paid),
      }),
      "bad_signature",
    ],
    [
      "is a probe",
      altered((all) => ({ ...all, "wechatpay-signature": `WECHATPAY/SIGNTEST/${all["wechatpay-signature"] ?? ""}` })),
      "bad_signature",
    ],
    ["is 6 minutes old", () => signedReplyV3(keys.platform, { body: paid, at: Date.now() - 360_000 }), "bad_signature"],
    [
      "is of 6 minutes ahead",
      () => signedReplyV3(keys.platform, { body: paid, at: Date.now() + 360_000 }),
      "bad_signature",
    ],
    [
      "is a 4xx that is not signed",
      () => ({ status: 404, body: '{"code":"ORDER_NOT_EXIST","message":"m"}' }),
      "bad_signature",
    ],
    [
      "is a 401 as for a wrong Authorization",
      () => ({ status: 401, body: '{"code":"SIGN_ERROR","message":"m"}' }),
      "bad_signature",
    ],
    ["is a route that is not there", () => ({ status: 404, body: "" }), "bad_signature"],
    ["is 204 to a query", says(undefined, 204), "malformed"],
    ["is signed, 4xx and has no code", says({ message: "m" }, 400), "http_status"],
    ["is of another merchant", says({ ...paid, mchid: "7" }), "foreign"],
    ["is of another app", says({ ...paid, appid: "wx0" }), "foreign"],
    ["is about another order", says({ ...paid, out_trade_no: "HEARTH20260101000002" }), "foreign"],
    ["has a trade_state that nobody knows", says({ ...paid, trade_state: "constructor" }), "malformed"],
    ["says SUCCESS without an amount", says({ ...paid, amount: undefined }), "malformed"],
    ["says SUCCESS with half a fen", says({ ...paid, amount: { total: 100.5 } }), "malformed"],
    ["says SUCCESS with a text for an amount", says({ ...paid, amount: { total: "101" } }), "malformed"],
    ["says SUCCESS without a transaction", says({ ...paid, transaction_id: undefined }), "malformed"],
  ];
  it.each(unknowns)("has an unknown outcome, and is tried once, when the reply %s", async (_what, script, reason) => {
    const late = reason === "timed_out";
    const { scripted, client } = await start(script, late ? 300 : 30_000);
    const result = await client.queryOrder(outTradeNo);
    expect(result).toMatchObject({ outcome: "unknown", reason });
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`${apiV3Key}|PRIVATE KEY|Authorization:`));
    if (late) expect(scripted.calls.length).toBeLessThanOrEqual(1);
    else expect(scripted.calls).toHaveLength(1);
  });
});
