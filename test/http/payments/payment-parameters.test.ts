/** What a client hands to the platform to start a payment, against the known signatures. */
import { createVerify, X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import type { BuyerTradeType } from "../../../server/contract/provider/payment-terms.ts";
import { offlineClient, paymentMerchant } from "../../support/payments/scripted/scripted-payment-provider.ts";
import { merchantOfV3 } from "../../support/payments/scripted/scripted-payment-v3.ts";

const stamp = () => ({ nonce: "5K8264ILTKCH16CQ2502SI8ZNMTM67VS", timestamp: "1767225600" });
const placed = { prepayId: "wx201410272009395522657a690389285100", signType: "MD5" } as const;
const placedByV3 = { ...placed, signType: "RSA" } as const;
const { app_id: appId, mch_id: mchId } = paymentMerchant;
const jsapi = {
  appId,
  timeStamp: "1767225600",
  nonceStr: "5K8264ILTKCH16CQ2502SI8ZNMTM67VS",
  package: "prepay_id=wx201410272009395522657a690389285100",
};
const app = {
  appid: appId,
  partnerid: mchId,
  prepayid: "wx201410272009395522657a690389285100",
  package: "Sign=WXPay",
  noncestr: "5K8264ILTKCH16CQ2502SI8ZNMTM67VS",
  timestamp: "1767225600",
};

it.each([
  ["MD5", "B0B7150F1FF3D549EDAF17472376A0B0"],
  ["HMAC-SHA256", "8F3F6269DA0A09C5C49775545CDEEEB4B707774D003B1BE622FBF7DD44CC9331"],
] as const)("version 2 signs those of a mini-program by %s", async (signType, paySign) => {
  const client = offlineClient({ payment_sign_type: signType }, { stamp });
  expect(await client.payParameters("JSAPI", { ...placed, signType })).toEqual({ ...jsapi, signType, paySign });
});

it("version 2 signs the pay parameters of an app", async () => {
  const sign = "E36971867501E0A36C6A613D5FF20A5B";
  expect(await offlineClient({}, { stamp }).payParameters("APP", placed)).toEqual({ ...app, sign });
});

it("of a version without keys are what needs no signature", async () => {
  using keys = await merchantOfV3();
  const client = offlineClient(keys.settings, { stamp });
  expect(await client.payParameters("JSAPI", placed)).toEqual({});
  const address = { codeUrl: "weixin://1", signType: "MD5" } as const;
  expect(await client.payParameters("NATIVE", address)).toEqual({ code_url: "weixin://1" });
});

it("version 3 signs the pay parameters of app and page with the merchant's key", async () => {
  using keys = await merchantOfV3();
  const client = offlineClient(keys.settings, { stamp });
  const isSigned = (lines: readonly string[], signature = "") =>
    createVerify("RSA-SHA256")
      .update(lines.map((line) => `${line}\n`).join(""))
      .verify(new X509Certificate(keys.merchant.publicPart).publicKey, signature, "base64");
  const { paySign, ...rest } = await client.payParameters("JSAPI", placedByV3);
  expect(rest).toEqual({ ...jsapi, signType: "RSA" });
  expect(isSigned([appId, jsapi.timeStamp, jsapi.nonceStr, jsapi.package], paySign)).toBe(true);
  const { sign, ...ofApp } = await client.payParameters("APP", placedByV3);
  expect(ofApp).toEqual(app);
  expect(isSigned([appId, app.timestamp, app.noncestr, app.prepayid], sign)).toBe(true);
});

it.each(["v2", "v3"] as const)("%s gives an address and no signature for payments on other pages", async (version) => {
  const client = offlineClient({ payment_version: version });
  const signType = version === "v3" ? "RSA" : "MD5";
  const parameters = (type: BuyerTradeType, what: object) => client.payParameters(type, { ...what, signType });
  expect(await parameters("NATIVE", { codeUrl: "weixin://1" })).toEqual({ code_url: "weixin://1" });
  expect(await parameters("MWEB", { webUrl: "https://pay.example/1" })).toEqual({ mweb_url: "https://pay.example/1" });
  expect(await parameters("MICROPAY", {})).toEqual({});
});

it.each(["v2", "v3"] as const)("%s makes a new nonce each time, and sends the current seconds", async (version) => {
  using keys = await merchantOfV3();
  const client = offlineClient(version === "v3" ? keys.settings : {}, { realNow: () => 1_767_225_600_999 });
  const make = () => client.payParameters("JSAPI", version === "v3" ? placedByV3 : placed);
  const [one, other] = [await make(), await make()];
  expect(one["timeStamp"]).toBe("1767225600");
  expect(one["nonceStr"]).toMatch(/^[0-9a-f]{32}$/);
  expect(one["nonceStr"]).not.toBe(other["nonceStr"]);
  expect(JSON.stringify(one)).not.toMatch(/hearthApi|PRIVATE/);
});
