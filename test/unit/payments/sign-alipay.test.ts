import { generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { encodeGbk } from "../../../server/payment-wire/gbk.ts";
import { isSignedAlipay, signAlipayForm } from "../../../server/payment-wire/sign-alipay.ts";

it("signs a form over its sorted fields without the signature and its type", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { sign_type: _type, ...form } = await signAlipayForm({ b: "2", a: "1", empty: "" }, privateKey);
  expect(isSignedAlipay(form, publicKey)).toBe(true);
  expect(isSignedAlipay({ ...form, a: "2" }, publicKey)).toBe(false);
});

it("writes GBK that a decoder reads, and a question mark for what GBK does not have", () => {
  expect(new TextDecoder("gbk").decode(encodeGbk("业务明细 1.00元，Tea🍵"))).toBe("业务明细 1.00元，Tea?");
});
