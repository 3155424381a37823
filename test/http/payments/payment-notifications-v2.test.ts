/** Which notifications of version 2 the merchant's side reads, and which it refuses. */
import { createCipheriv, createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { notificationVersion } from "../../../server/app/payments/provider/notification-version.ts";
import type { PaymentProvider } from "../../../server/app/payments/provider/provider-client.ts";
import type { SignType } from "../../../server/contract/provider/payment-terms.ts";
import { signatureV2, signedXml, xmlOf, type Fields } from "../../support/payments/payment-signatures.ts";
import { offlineClient, paymentMerchant } from "../../support/payments/scripted/scripted-payment-provider.ts";
import { merchantOfV3 } from "../../support/payments/scripted/scripted-payment-v3.ts";

const { mch_id, app_id: appid, api_v2_key: key } = paymentMerchant;
const headers = { "content-type": "text/xml" };
const payment = {
  appid,
  bank_type: "OTHERS",
  cash_fee: "101",
  fee_type: "CNY",
  is_subscribe: "N",
  mch_id,
  nonce_str: "5d2b6c2a8db53831f7eda20af46e531c",
  openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  out_trade_no: "HEARTH20260101000001",
  result_code: "SUCCESS",
  return_code: "SUCCESS",
  time_end: "20260101080000",
  total_fee: "101",
  trade_type: "JSAPI",
  transaction_id: "4200000000202601010000000001",
};
const read = {
  kind: "payment",
  version: "v2",
  outTradeNo: "HEARTH20260101000001",
  total: 101,
  currency: "CNY",
  transactionId: "4200000000202601010000000001",
  resultCode: "SUCCESS",
};
const readPayment = async (provider: PaymentProvider, xml: string | Buffer) =>
  provider.readerOf("v2").readPaymentNotification(Buffer.from(xml), headers);
const sign = (changed: Fields, type: SignType = "MD5") => signedXml({ ...payment, ...changed }, key, type);

describe("a payment notification of version 2", () => {
  it.each([
    ["MD5", "550AAE8F3F2D28CA0939A52245BEAF4E"],
    ["HMAC-SHA256", "247DD679CD53967FCD4133FB668499A6E4EE6D90B0B2CBF584647D8C9D7D38F9"],
  ] as const)("is read when it is signed by %s, as orders are", async (type, known) => {
    const client = offlineClient({ payment_sign_type: type });
    expect(await readPayment(client, xmlOf({ ...payment, sign: known }))).toEqual(read);
  });

  const client = offlineClient();
  it("is read whatever signed fields it has beyond those that are known", async () => {
    expect(await readPayment(client, sign({ brand_new: "1", coupon_fee_0: "1" }))).toEqual(read);
  });

  it("is read without CDATA, and with white space between its fields", async () => {
    const plain = Object.entries({ ...payment, sign: signatureV2(payment, key) });
    const xml = plain.map(([name, value]) => `\n  <${name}>${value}</${name}>`).join("");
    expect(await readPayment(client, `<?xml version="1.0"?><xml>${xml}\n</xml>`)).toEqual(read);
  });

  it("tells of a failed result as it stands, with or without an amount", async () => {
    const failed = sign({ result_code: "FAIL", err_code: "SYSTEMERROR", total_fee: "", transaction_id: "" });
    const bare = { ...read, resultCode: "FAIL", total: undefined, transactionId: undefined };
    expect(await readPayment(client, failed)).toEqual(bare);
    expect(await readPayment(client, sign({ result_code: "FAIL" }))).toEqual({ ...read, resultCode: "FAIL" });
  });

  it("is a communication failure, unsigned, when its return_code is not SUCCESS", async () => {
    const failure = { kind: "communication-failure", version: "v2" };
    const xml = xmlOf({ ...payment, return_code: "FAIL", return_msg: "no luck" });
    expect(await readPayment(client, xml)).toEqual({ ...failure, message: "no luck" });
  });

  const changed = (fields: Fields) => xmlOf({ ...payment, ...fields, sign: signatureV2(payment, key) });
  const deep = `<xml>${"<a>".repeat(5_000)}</xml>`;
  it.each([
    ["has no sign", xmlOf(payment), "bad_signature"],
    ["has an empty sign", xmlOf({ ...payment, sign: "" }), "bad_signature"],
    ["is signed with another key", signedXml(payment, "k".repeat(32)), "bad_signature"],
    ["is signed by the other type", sign({}, "HMAC-SHA256"), "bad_signature"],
    ["is signed by the other type and says so", sign({ sign_type: "HMAC-SHA256" }, "HMAC-SHA256"), "bad_signature"],
    ["is signed in lower case", xmlOf({ ...payment, sign: signatureV2(payment, key).toLowerCase() }), "bad_signature"],
    ["has another amount than was signed", changed({ total_fee: "1" }), "bad_signature"],
    ["has another order than was signed", changed({ out_trade_no: "HEARTH20260101000002" }), "bad_signature"],
    ["has a field more than was signed", changed({ coupon_fee: "1" }), "bad_signature"],
    ["is for another merchant", sign({ mch_id: "1900000110" }), "foreign"],
    ["is for another app", sign({ appid: "wx0" }), "foreign"],
    ["names no order", sign({ out_trade_no: "" }), "malformed"],
    ["has no result_code", sign({ result_code: "" }), "malformed"],
    ["is a success without an amount", sign({ total_fee: "" }), "malformed"],
    ["is a success without a transaction", sign({ transaction_id: "" }), "malformed"],
    ["has an amount that is no number", sign({ total_fee: "1e2" }), "malformed"],
    ["is empty", "", "malformed"],
    ["has no fields", "<xml></xml>", "malformed"],
    ["is no XML", "return_code=SUCCESS", "malformed"],
    ["has a document type", `<!DOCTYPE xml [<!ENTITY a "1">]>${sign({})}`, "malformed"],
    ["has a field twice", sign({}).replace("</xml>", "<total_fee>1</total_fee></xml>"), "malformed"],
    ["is nested deeply", deep, "malformed"],
    ["has 64 KiB and a byte", sign({ attach: "x".repeat(65_536) }), "too_long"],
  ])("is refused when it %s", async (_what, xml, reason) => {
    const refusal = await readPayment(client, xml).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: "NotificationRefused", reason });
    expect((refusal as Error).message.length).toBeLessThan(400);
    expect((refusal as Error).message).not.toContain(key);
  });

  it("is refused when its bytes are no UTF-8", async () => {
    const bytes = Buffer.from(sign({}).replace("OTHERS", "\u00ff"), "latin1");
    await expect(readPayment(client, bytes)).rejects.toMatchObject({ reason: "malformed" });
  });

  it("is refused when there is no key to read it with", async () => {
    using keys = await merchantOfV3();
    const own = offlineClient(keys.settings);
    await expect(readPayment(own, sign({}))).rejects.toMatchObject({ reason: "not_configured" });
  });

  it("is distinguished from version 3 by its content type, or by its first character", () => {
    const xml = Buffer.from(sign({}));
    expect(notificationVersion(xml, "application/json; charset=utf-8")).toBe("v3");
    for (const type of [undefined, "text/plain", "application/x-www-form-urlencoded"])
      expect(notificationVersion(xml, type)).toBe("v2");
    expect(notificationVersion(Buffer.from(' {"id":"1"}'))).toBe("v3");
  });
});

describe("a refund notification of version 2", () => {
  const client = offlineClient();
  function sealed(xml: string, apiKey = key): string {
    const cipher = createCipheriv("aes-256-ecb", createHash("md5").update(apiKey).digest("hex"), null);
    return Buffer.concat([cipher.update(xml), cipher.final()]).toString("base64");
  }
  const inner = { out_trade_no: "HEARTH20260101000001", out_refund_no: "R1", refund_status: "SUCCESS" };
  const outer = (changed: Fields) =>
    xmlOf({ return_code: "SUCCESS", appid, mch_id, nonce_str: "n", req_info: sealed(xmlOf(inner)), ...changed });
  const readRefund = (xml: string) => client.readerOf("v2").readRefundNotification(Buffer.from(xml), headers);

  it.each([
    ["SUCCESS", "SUCCESS"],
    ["CHANGE", "ABNORMAL"],
    ["REFUNDCLOSE", "CLOSED"],
    ["SOMETHING_NEW", "SOMETHING_NEW"],
  ])("is read from its encrypted part: %s", async (word, status) => {
    const req_info = sealed(xmlOf({ ...inner, refund_status: word }).replaceAll("xml>", "root>"));
    expect(await readRefund(outer({ req_info }))).toEqual({
      kind: "refund",
      version: "v2",
      outTradeNo: "HEARTH20260101000001",
      outRefundNo: "R1",
      status,
      currency: "CNY",
    });
  });

  it("is a communication failure when its return_code is not SUCCESS", async () => {
    const told = await readRefund(xmlOf({ return_code: "FAIL", return_msg: "no luck" }));
    expect(told).toEqual({ kind: "communication-failure", version: "v2", message: "no luck" });
  });

  const known =
    "iFl7TRSvZyGVFyNg0R/ecmw8hSoaCfD/HmC/fs3uVo+yqqepLBxtcglqZs9FRghGdpTxbgZ5qlCGbfjIrgO7Oqp786GleHSXpzIUzUFb689dQgcdLzMhgW476XPz8dzlZ2SKHb/EFxE8rFDjYy3Prw==";
  it.each([
    ["names no order, as the known one", outer({ req_info: known }), "malformed"],
    ["has no encrypted part", outer({ req_info: "" }), "malformed"],
    ["is encrypted with another key", outer({ req_info: sealed(xmlOf(inner), "k".repeat(32)) }), "undecryptable"],
    ["is cut", outer({ req_info: known.slice(0, 40) }), "undecryptable"],
    ["is encrypted, and no XML inside", outer({ req_info: sealed("hello") }), "malformed"],
    ["has a document type inside", outer({ req_info: sealed(`<!DOCTYPE a>${xmlOf(inner)}`) }), "malformed"],
    ["is for another merchant", outer({ mch_id: "1900000110" }), "foreign"],
    ["is for another app", outer({ appid: "wx0" }), "foreign"],
    ["is a payment notification", sign({}), "malformed"],
    ["is too long", outer({ attach: "x".repeat(65_536) }), "too_long"],
  ])("is refused when it %s", async (_what, xml, reason) => {
    await expect(readRefund(xml)).rejects.toMatchObject({ name: "NotificationRefused", reason });
  });
});
