/** The small calls of version 2: who shows a code, short texts of QR codes, reports, ratios of shares. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());

const newCode = async () => String((await provider.control("POST", "/users/ada/payment-codes", {}))["auth_code"]);
const whoShows = (auth_code: string) => merchant.call("/tools/authcodetoopenid", { auth_code });

it("a code tells its buyer's openid before it is used, not after, and not once it is old", async () => {
  const { openid } = await provider.user("ada");
  const auth_code = await newCode();
  expect((await whoShows(auth_code)).fields).toMatchObject({ result_code: "SUCCESS", openid });
  expect(outcomeOf(await merchant.micropay("TOOLS_CODE", { auth_code }))).toBe("SUCCESS");
  expect(outcomeOf(await whoShows(auth_code))).toBe("AUTH_CODE_INVALID");
  expect(outcomeOf(await whoShows("1"))).toBe("AUTH_CODE_ERROR");
  expect(outcomeOf(await whoShows("130000000000000000"))).toBe("AUTH_CODE_INVALID");
  const old = await newCode();
  provider.clock.offsetMs += 60_000;
  expect(outcomeOf(await whoShows(old))).toBe("AUTHCODEEXPIRE");
});

it("the text of a QR code has one short form; another text is refused", async () => {
  const shorten = (long_url: string) => merchant.call("/tools/shorturl", { long_url });
  const { fields, isSigned } = await shorten("weixin://wxpay/bizpayurl?pr=1");
  expect([isSigned, fields["short_url"]]).toEqual([true, expect.stringMatching(/^weixin:[/][/]wxpay[/]s[/].{8}$/)]);
  expect((await shorten("weixin://wxpay/bizpayurl?pr=1")).fields["short_url"]).toBe(fields["short_url"]);
  expect((await shorten("weixin://wxpay/bizpayurl?pr=2")).fields["short_url"]).not.toBe(fields["short_url"]);
  expect(outcomeOf(await shorten("https://example.com"))).toBe("PARAM_ERROR");
});

it("a report is accepted, unsigned; one without its list is refused", async () => {
  const sent = { interface_url: "https://api.mch.weixin.qq.com/pay", user_ip: "127.0.0.1", trades: "[]" };
  expect((await merchant.call("/payitil/report", sent)).fields).toEqual({
    ...{ return_code: "SUCCESS", return_msg: "OK", result_code: "SUCCESS" },
  });
  expect(outcomeOf(await merchant.call("/payitil/report", { ...sent, trades: "[" }))).toBe("PARAM_ERROR");
  expect(outcomeOf(await merchant.call("/payitil/report", { ...sent, trades: "" }))).toBe("缺少参数trades");
});

it("the ratio of shares is the one that is set, in both versions, and no other merchant's", async () => {
  await provider.control("PUT", "/merchants/1900000109/share-settings", { max_ratio: 1_000 });
  const hmac = { signType: "HMAC-SHA256" } as const;
  const asked = await merchant.call("/pay/profitsharingmerchantratioquery", { appid: "" }, hmac);
  expect(asked.fields["max_ratio"]).toBe("1000");
  expect(outcomeOf(await merchant.call("/pay/profitsharingmerchantratioquery", { appid: "" }))).toBe("SIGNERROR");
  const v3 = await createMerchantV3(provider.url);
  const ratioOf = (mchId: string) => v3.call("GET", `/v3/profitsharing/merchant-configs/${mchId}`);
  expect((await ratioOf("1900000109")).json).toEqual({ sub_mchid: "1900000109", max_ratio: 1_000 });
  const { subMchId } = await createPartner(provider, v3);
  const ofSub = { appid: "", sub_mch_id: subMchId };
  expect((await merchant.call("/pay/profitsharingmerchantratioquery", ofSub, hmac)).fields).toMatchObject({
    ...{ sub_mch_id: subMchId, max_ratio: "3000" },
  });
  expect((await ratioOf(subMchId)).json).toEqual({ sub_mchid: subMchId, max_ratio: 3_000 });
  expect((await ratioOf("1900000999")).json).toMatchObject({ code: "NO_AUTH" });
});

it("refunds by the calls for single goods are those of the order, and the detail is JSON", async () => {
  await merchant.paid("TOOLS_GOODS");
  const refund = { out_trade_no: "TOOLS_GOODS", out_refund_no: "TOOLS_G", total_fee: "100", refund_fee: "10" };
  expect(outcomeOf(await merchant.call("/secapi/pay/refundv2", { ...refund, detail: "{" }))).toBe("PARAM_ERROR");
  const asked = await merchant.call("/secapi/pay/refundv2", { ...refund, detail: "{}" });
  expect(asked.fields["promotion_detail"]).toBeUndefined();
  const query = (path: string) => merchant.call(path, { out_refund_no: "TOOLS_G" });
  expect((await query("/pay/refundqueryv2")).fields["refund_id_0"]).toBe(asked.fields["refund_id"]);
  expect((await query("/pay/refundquery")).fields["refund_id_0"]).toBe(asked.fields["refund_id"]);
  expect(outcomeOf(await merchant.call("/secapi/pay/refund", { ...refund, detail: "{}" }))).toMatch(
    /^不识别的参数detail$/,
  );
});
