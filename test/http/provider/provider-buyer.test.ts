/** How a person of the simulated platform pays in a client, and by a code at a till. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appV2, appV3, miniProgramV2, miniProgramV3 } from "../../support/payments/client-payment.ts";
import { callControl } from "../../support/payments/control-merchants.ts";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3, type MerchantV3 } from "../../support/payments/merchant-v3.ts";
import { orderDetails } from "../../support/payments/order-details.ts";
import type { Fields } from "../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let v2: MerchantV2;
let v3: MerchantV3;
let adasOpenid: string;
beforeAll(async () => {
  provider = await startTestProvider();
  v2 = createMerchantV2(provider);
  v3 = await createMerchantV3(provider.url);
  adasOpenid = (await provider.user("ada")).openid;
});
afterAll(() => provider[Symbol.asyncDispose]());

const mchId = "1900000109";
const stateOf = async (own: TestProvider, number: string) => (await orderDetails(own, number)).order.trade_state;
const requestPayment = async (parameters: Fields, { user = "ada", outcome = "" } = {}) =>
  (await provider.control("POST", `/users/${user}/payments${outcome && `?outcome=${outcome}`}`, parameters))["errMsg"];

const failedBy = (reason: string) => ({ at: expect.any(String), result: "failed", reason });

/** Ada's order in a mini-program, with the parameters that her client is handed. */
async function adasParameters(number: string): Promise<Fields> {
  const { fields } = await v2.place(number, { openid: adasOpenid });
  return miniProgramV2(provider.app.appid, fields["prepay_id"] ?? "", v2.apiV2Key);
}

describe("a payment in the client", () => {
  const forms: [string, (number: string) => Promise<Fields>][] = [
    ["a mini-program, version 2, MD5", adasParameters],
    [
      "a mini-program, version 2, HMAC-SHA256",
      async (number) => {
        const { fields } = await v2.place(number, { openid: adasOpenid }, { signType: "HMAC-SHA256" });
        return miniProgramV2(provider.app.appid, fields["prepay_id"] ?? "", v2.apiV2Key, "HMAC-SHA256");
      },
    ],
    [
      "an app, version 2",
      async (number) => {
        const { fields } = await v2.place(number, { trade_type: "APP" });
        return appV2(provider.app.appid, mchId, fields["prepay_id"] ?? "", v2.apiV2Key);
      },
    ],
    [
      "a mini-program, version 3",
      async (number) => {
        const { json } = await v3.place("jsapi", number, { payer: { openid: adasOpenid } });
        return miniProgramV3(provider.app.appid, json.prepay_id as string, v3.credentials.merchant_private_key);
      },
    ],
    [
      "an app, version 3",
      async (number) => {
        const { json } = await v3.place("app", number);
        return appV3(provider.app.appid, mchId, json.prepay_id as string, v3.credentials.merchant_private_key);
      },
    ],
  ];
  it.each(forms)("of %s returns requestPayment:ok, and the order is paid", async (name, place) => {
    const number = `CLIENT-${String(forms.findIndex((form) => form[0] === name))}`;
    expect(await requestPayment(await place(number))).toBe("requestPayment:ok");
    expect((await orderDetails(provider, number)).order).toMatchObject({ trade_state: "SUCCESS" });
  });

  it.each(forms)("of %s fails when any parameter is not what was signed", async (name, place) => {
    const number = `CHANGED-${String(forms.findIndex((form) => form[0] === name))}`;
    const parameters = await place(number);
    for (const field of Object.keys(parameters)) {
      const changed = { ...parameters, [field]: `0${parameters[field] ?? ""}` };
      expect(await requestPayment(changed), field).toMatch(/^requestPayment:fail (?!cancel)./);
      expect(await requestPayment({ ...parameters, [field]: "" }), field).toMatch(/^requestPayment:fail ./);
    }
    expect(await stateOf(provider, number)).toBe("NOTPAY");
  });

  it("shows the text that should have been signed, without the key", async () => {
    const parameters = await adasParameters("SAYS_WHAT");
    const answer = await requestPayment({ ...parameters, paySign: "0".repeat(32) });
    expect(answer).toContain(`appId=${provider.app.appid}&nonceStr=`);
    expect(answer).not.toContain(v2.apiV2Key);
  });

  it.each([
    ["cancel", "requestPayment:fail cancel"],
    ["wrong_password", "requestPayment:fail wrong password"],
    ["no_funds", "requestPayment:fail not enough money"],
  ])("whose outcome is %s is %s; the order can still be paid", async (outcome, errMsg) => {
    const number = `FAILS-${outcome}`;
    const parameters = await adasParameters(number);
    expect(await requestPayment(parameters, { outcome })).toBe(errMsg);
    expect(await stateOf(provider, number)).toBe("NOTPAY");
    expect(await requestPayment(parameters)).toBe("requestPayment:ok");
    expect((await orderDetails(provider, number)).attempts).toEqual([failedBy(outcome)]);
  });

  it("that is slow is answered when it is done, and only then", async () => {
    const parameters = await adasParameters("SLOW-CLIENT");
    const slow = requestPayment(parameters, { outcome: "slow" });
    await expect
      .poll(async () => {
        provider.clock.offsetMs += 8_000; // it may not have begun at the first look
        return stateOf(provider, "SLOW-CLIENT");
      })
      .toBe("SUCCESS");
    expect(await slow).toBe("requestPayment:ok");
  });

  it("that is slow is cancelled when the simulator ends", async () => {
    await using own = await startTestProvider();
    const { openid } = await own.user("ada");
    const { fields } = await createMerchantV2(own).place("SLOW-ENDED", { openid });
    const parameters = miniProgramV2(own.app.appid, fields["prepay_id"] ?? "", v2.apiV2Key);
    const slow = own.control("POST", "/users/ada/payments?outcome=slow", parameters);
    const page = async () => (await fetch(`${own.url}/sim/pay/${fields["prepay_id"] ?? ""}`)).text();
    await expect.poll(page).toContain("being processed");
    const [answer] = await Promise.all([slow, own.restart()]);
    expect(answer).toEqual({ errMsg: "requestPayment:fail cancel" });
    expect(await stateOf(own, "SLOW-ENDED")).toBe("NOTPAY");
  });

  it("fails for another person than the order names, for one that is paid, and for one that is too late", async () => {
    const parameters = await adasParameters("ONLY_ADA");
    expect(await requestPayment(parameters, { user: "bob" })).toBe(
      "requestPayment:fail only ada can pay this order, not bob",
    );
    await requestPayment(parameters);
    expect(await requestPayment(parameters)).toBe("requestPayment:fail ORDERPAID");
    const late = await adasParameters("TOO_LATE");
    await provider.control("POST", "/orders/TOO_LATE/expire");
    expect(await requestPayment(late)).toBe("requestPayment:fail ORDER_EXPIRED");
  });

  it("fails when the prepay id is older than two hours", async () => {
    await using own = await startTestProvider();
    const { openid } = await own.user("ada");
    const { fields } = await createMerchantV2(own).place("OLD_PREPAY", { openid });
    own.clock.offsetMs += 2 * 3_600_000;
    const parameters = miniProgramV2(own.app.appid, fields["prepay_id"] ?? "", v2.apiV2Key);
    const { errMsg } = await own.control("POST", "/users/ada/payments", parameters);
    expect(errMsg).toMatch(/^requestPayment:fail the prepay id .* older than two hours/);
  });

  it("answers 400 for an unknown outcome, and names it", async () => {
    expect(await callControl(provider, "POST", "/users/ada/payments?outcome=steals", {})).toMatchObject({
      status: 400,
      body: { details: [{ field: "outcome" }] },
    });
  });
});

describe("a payment code", () => {
  const code = async (body: object = {}) => await callControl(provider, "POST", "/users/carl/payment-codes", body);

  it("has 18 digits, pays once, and the payer is its owner", async () => {
    const { status, body } = await code();
    expect([status, body["auth_code"]]).toEqual([201, expect.stringMatching(/^1[0-5]\d{16}$/)]);
    const auth_code = String(body["auth_code"]);
    const paid = await v2.micropay("CODE_PAYS", { auth_code });
    expect(paid.fields).toMatchObject({ result_code: "SUCCESS", openid: (await provider.user("carl")).openid });
    expect(outcomeOf(await v2.micropay("CODE_AGAIN", { auth_code }))).toBe("AUTH_CODE_INVALID");
  });

  it("of two tills at once only one is paid", async () => {
    const auth_code = String((await code()).body["auth_code"]);
    const outcomes = await Promise.all(
      ["TILL_ONE", "TILL_TWO"].map(async (number) => outcomeOf(await v2.micropay(number, { auth_code }))),
    );
    expect(outcomes.toSorted()).toEqual(["AUTH_CODE_INVALID", "SUCCESS"]);
  });

  it.each([
    ["asks-password", "USERPAYING", "USERPAYING"],
    ["refused", "BANKERROR", "PAYERROR"],
  ])("whose outcome is %s is answered by %s", async (outcome, answer, tradeState) => {
    const auth_code = String((await code({ outcome })).body["auth_code"]);
    const number = `CODE-${outcome}`;
    expect(outcomeOf(await v2.micropay(number, { auth_code }))).toBe(answer);
    expect(await stateOf(provider, number)).toBe(tradeState);
  });

  it("answers 400 for an unknown outcome, and names it", async () => {
    expect(await code({ outcome: "free" })).toMatchObject({ status: 400, body: { details: [{ field: "outcome" }] } });
  });
});
