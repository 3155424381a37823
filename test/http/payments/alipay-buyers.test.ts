/** What buyers do at the simulated Alipay: show codes, pay on the phone, log in. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAlipayMerchant, type AlipayMerchant } from "../../support/payments/alipay-merchant.ts";

let scene: AlipayMerchant;
beforeAll(async () => {
  scene = await startAlipayMerchant("BUYERS");
});
afterAll(() => scene[Symbol.asyncDispose]());
const checked = { validateSign: true };

describe("a payment by code", () => {
  async function codeOf(body: object = {}): Promise<string> {
    return String((await scene.provider.control("POST", "/users/ada/payment-codes", body))["auth_code"]);
  }
  const pay = (auth_code: string, more: object = {}) =>
    scene.place("alipay.trade.pay", { auth_code, scene: "bar_code", ...more });

  it("is paid at once, is told to the merchant, and is returned by cancelling it", async () => {
    const out_trade_no = scene.newNumber();
    const notify_url = scene.notifyUrl(out_trade_no);
    const paid = await scene.place("alipay.trade.pay", { out_trade_no, auth_code: await codeOf() }, { notify_url });
    expect(paid).toMatchObject({ code: "10000", outTradeNo: out_trade_no, receiptAmount: "10.00" });
    expect(await scene.noticeOf(out_trade_no)).toMatchObject({ trade_no: paid.tradeNo, trade_status: "TRADE_SUCCESS" });
    const cancel = () => scene.call("alipay.trade.cancel", { out_trade_no });
    expect(await cancel()).toMatchObject({ code: "10000", action: "refund", retryFlag: "N" });
    expect(await cancel()).toMatchObject({ code: "10000", action: "refund" });
    expect(await scene.query(out_trade_no)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
  });

  it("is 10003 while the buyer types the password, and is closed by cancelling it", async () => {
    const asked = await pay(await codeOf({ outcome: "asks-password" }));
    expect(asked).toMatchObject({ code: "10003", msg: "order success pay inprocess", tradeNo: expect.any(String) });
    expect(await scene.query(asked.outTradeNo)).toMatchObject({ tradeStatus: "WAIT_BUYER_PAY" });
    const cancelled = await scene.call("alipay.trade.cancel", { out_trade_no: asked.outTradeNo });
    expect(cancelled).toMatchObject({ code: "10000", action: "close" });
    expect(await scene.query(asked.outTradeNo)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
  });

  it("is 40004 for an unknown code and for a buyer without money, whose trade is closed", async () => {
    expect(await pay("280000000000000000")).toMatchObject({ subCode: "ACQ.PAYMENT_AUTH_CODE_INVALID" });
    const out_trade_no = scene.newNumber();
    const refused = await pay(await codeOf({ outcome: "refused" }), { out_trade_no });
    expect(refused).toMatchObject({ code: "40004", subCode: "ACQ.BUYER_BALANCE_NOT_ENOUGH" });
    expect(await scene.query(out_trade_no)).toMatchObject({ tradeStatus: "TRADE_CLOSED" });
  });

  it("takes a code of Alipay's form, which WeChat Pay refuses", async () => {
    const code = await codeOf({ platform: "alipay" });
    expect(code).toMatch(/^28\d{16}$/);
    expect(await pay(code)).toMatchObject({ code: "10000" });
  });

  it("cancels what was never placed without an action", async () => {
    const cancelled = await scene.call("alipay.trade.cancel", { out_trade_no: "NEVER_PLACED" });
    expect(cancelled).toMatchObject({ code: "10000", outTradeNo: "NEVER_PLACED" });
    expect(cancelled.action).toBeUndefined();
  });
});

describe("the phone", () => {
  const payOn = (parameters: object, outcome = "pay") =>
    scene.provider.control("POST", `/users/ada/payments?outcome=${outcome}`, parameters);

  it("pays the order that an app has signed, and no other", async () => {
    const out_trade_no = scene.newNumber();
    const bizContent = { out_trade_no, total_amount: "10.00", subject: "Tea", product_code: "QUICK_MSECURITY_PAY" };
    const orderStr: string = scene.client.sdkExecute("alipay.trade.app.pay", { bizContent });
    expect(await payOn({ orderStr: orderStr.replace("10.00", "1.00") })).toMatchObject({
      errMsg: expect.stringContaining("isv.invalid-signature"),
    });
    expect(await payOn({ orderStr }, "cancel")).toEqual({ errMsg: "requestPayment:fail cancel" });
    expect(await scene.query(out_trade_no)).toMatchObject({ tradeStatus: "WAIT_BUYER_PAY" });
    expect(await payOn({ orderStr })).toEqual({ errMsg: "requestPayment:ok" });
    expect(await scene.query(out_trade_no)).toMatchObject({ tradeStatus: "TRADE_SUCCESS" });
  });

  it("pays the trade of a mini-program by its number", async () => {
    const { outTradeNo, tradeNo } = await scene.create();
    expect(await payOn({ tradeNO: tradeNo })).toEqual({ errMsg: "requestPayment:ok" });
    expect(await scene.query(outTradeNo)).toMatchObject({ tradeStatus: "TRADE_SUCCESS" });
  });
});

describe("a person", () => {
  const exchange = (params: object) => scene.client.exec("alipay.system.oauth.token", params);

  it("is known by a login code once, by its tokens, and not by others", async () => {
    const { code } = (await scene.provider.control("POST", "/users/ada/login")) as { code: string };
    const tokens = await exchange({ grantType: "authorization_code", code });
    expect(tokens).toMatchObject({ userId: expect.stringMatching(/^2088\d{12}$/), openId: expect.any(String) });
    expect(tokens.code).toBeUndefined();
    const person = await scene.client.exec("alipay.user.info.share", { authToken: tokens.accessToken }, checked);
    expect(person).toMatchObject({ code: "10000", userId: tokens.userId, nickName: "ada" });
    const renewed = await exchange({ grantType: "refresh_token", refreshToken: tokens.refreshToken });
    expect(renewed.userId).toBe(tokens.userId);
    expect(await exchange({ grantType: "authorization_code", code })).toMatchObject({
      ...{ code: "40002", subCode: "isv.code-invalid" },
    });
    expect(
      await scene.client.exec("alipay.user.info.share", { authToken: tokens.refreshToken }, checked),
    ).toMatchObject({
      ...{ code: "20001", subCode: "aop.invalid-auth-token" },
    });
  });
});
