/** How version 3 answers what is refused, by the ledger or by a fault: HTTP status, code, signature. And its bills. */
import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

/** What the next call of a kind gets when the platform refuses it by this word of version 2. */
const refuse = (code: string, call: string) =>
  provider.control("POST", "/faults", { kind: "err_code", times: 1, params: { code, calls: [call] } });

describe("a refusal by version 2's word", () => {
  it.each([
    ["USERPAYING", 202, "USERPAYING"],
    ["PARAM_ERROR", 400, "PARAM_ERROR"],
    ["INVALID_REQUEST", 400, "INVALID_REQUEST"],
    ["APPID_MCHID_NOT_MATCH", 400, "APPID_MCHID_NOT_MATCH"],
    ["MCHID_NOT_EXIST", 400, "MCH_NOT_EXISTS"],
    ["ORDERPAID", 400, "ORDERPAID"],
    ["NOAUTH", 403, "NO_AUTH"],
    ["OUT_TRADE_NO_USED", 403, "OUT_TRADE_NO_USED"],
    ["RULELIMIT", 403, "RULE_LIMIT"],
    ["TRADE_ERROR", 403, "TRADE_ERROR"],
    ["NOTENOUGH", 403, "NOT_ENOUGH"],
    ["ACCOUNTERROR", 403, "ACCOUNT_ERROR"],
    ["USER_ACCOUNT_ABNORMAL", 403, "USER_ACCOUNT_ABNORMAL"],
    ["ORDERNOTEXIST", 404, "ORDER_NOT_EXIST"],
    ["FREQUENCY_LIMITED", 429, "FREQUENCY_LIMITED"],
    ["RATELIMIT_EXCEEDED", 429, "RATELIMIT_EXCEEDED"],
    ["SYSTEMERROR", 500, "SYSTEM_ERROR"],
    ["BANKERROR", 500, "BANK_ERROR"],
    ["OPENID_MISMATCH", 500, "OPENID_MISMATCH"],
    ["INVALID_TRANSACTIONID", 500, "INVALID_TRANSACTIONID"],
    ["SERVICE_UNAVAILABLE", 503, "SERVICE_UNAVAILABLE"],
  ])("%s is %i %s, signed", async (word, status, code) => {
    await refuse(word, "closeorder");
    const reply = await merchant.close("REFUSED_1");
    expect([reply.status, reply.json.code, reply.isSigned]).toEqual([status, code, true]);
    expect(reply.json.message).toMatch(/./);
  });

  it("SIGNERROR is 401 SIGN_ERROR, without a signature, as to any sender that is not known", async () => {
    await refuse("SIGNERROR", "closeorder");
    const reply = await merchant.close("REFUSED_2");
    expect([reply.status, reply.json.code]).toEqual([401, "SIGN_ERROR"]);
    expect(reply.headers.get("wechatpay-signature")).toBeNull();
  });

  it("of an order or merchant that is missing has other words for refunds", async () => {
    await refuse("MCHID_NOT_EXIST", "refund");
    const merchantMissing = await merchant.refund("REFUSED_3", "R-1", 1);
    const orderMissing = await merchant.refund("REFUSED_3", "R-1", 1);
    expect([merchantMissing, orderMissing].map(({ status, json }) => [status, json.code])).toEqual([
      [404, "MCH_NOT_EXISTS"],
      [404, "RESOURCE_NOT_EXISTS"],
    ]);
  });
});

it("a version 3 reply with 204 has no length, every other reply that of its bytes", async () => {
  await merchant.place("native", "LENGTH_1", { description: "茶" });
  const query = await merchant.query("LENGTH_1");
  expect(query.headers.get("content-length")).toBe(String(Buffer.byteLength(query.text)));
  expect((await merchant.close("LENGTH_1")).headers.get("content-length")).toBeNull();
});

describe("bills", () => {
  const billOf = (own: MerchantV3, day: string, more = "") =>
    own.call("GET", `/v3/bill/tradebill?bill_date=${day}${more}`);
  /** Path and query of an address at the simulator. */
  const targetOf = (address: string) => address.replace(/^http:\/\/[^/]+/, "");

  it("of a day that is not over is 400 STATEMENT_CREATING, of one without payments 400 NO_STATEMENT_EXIST, signed", async () => {
    const day = (agoMs: number) => new Date(Date.now() + 8 * 3_600_000 - agoMs).toISOString().slice(0, 10);
    const replies = [await billOf(merchant, day(0)), await billOf(merchant, day(10 * 86_400_000))];
    expect(replies.map(({ status, json, isSigned }) => [status, json.code, isSigned])).toEqual([
      [400, "STATEMENT_CREATING", true],
      [400, "NO_STATEMENT_EXIST", true],
    ]);
  });

  it("is there the next day: an address that works for its merchant and for five minutes, unsigned, with the stated digest", async () => {
    await using own = await startTestProvider();
    const seller = await createMerchantV3(own.url);
    await seller.place("native", "BILLED_1");
    await own.control("POST", "/orders/BILLED_1/pay");
    // A refund that is closed has moved no money.
    await own.control("PATCH", "/settings", { refund_seconds: 600 });
    const { refund_id } = (await seller.refund("BILLED_1", "CLOSED_1", 101)).json;
    await own.control("POST", `/refunds/${String(refund_id)}/finish`, { status: "CLOSED" });
    const { success_time } = (await seller.query("BILLED_1")).json;
    own.clock.offsetMs = 2 * 86_400_000;
    const day = success_time.slice(0, 10);

    const plain = await billOf(seller, day, "&bill_type=SUCCESS");
    expect([plain.status, plain.isSigned, plain.json.hash_type]).toEqual([200, true, "SHA1"]);
    const file = await seller.call("GET", targetOf(plain.json.download_url));
    expect([file.status, file.headers.get("wechatpay-signature")]).toEqual([200, null]);
    const bytes = Buffer.from(`\uFEFF${file.text}`);
    expect(createHash("sha1").update(bytes).digest("hex")).toBe(plain.json.hash_value);
    expect(file.text).toMatch(/^[^`]+\r\n`.*,`BILLED_1,.*,`1\.01,/);

    const flow = await seller.call("GET", `/v3/bill/fundflowbill?bill_date=${day}`);
    const flows = (await seller.call("GET", targetOf(flow.json.download_url))).text.split("\r\n");
    expect([flows.length, flows[0]]).toEqual([6, expect.stringContaining("资金流水单号")]);
    expect(flows[1]).toMatch(/,`交易,`交易,`收入,`1[.]01,`1[.]01,`system,.*,`BILLED_1$/);
    expect(flows[2]).toMatch(/,`交易,`扣除交易手续费,`支出,`0[.]01,`1[.]00,/);

    const packed = await billOf(seller, day, "&bill_type=SUCCESS&tar_type=GZIP");
    expect(packed.json.hash_value).toBe(plain.json.hash_value);
    const raw = await seller.fetchBytes(targetOf(packed.json.download_url));
    expect(gunzipSync(raw).equals(bytes)).toBe(true);

    await own.control("PUT", "/merchants/1900000112", {
      app_ids: [seller.credentials.app_id],
      api_v2_key: "2".repeat(32),
      api_v3_key: "3".repeat(32),
    });
    const other = await createMerchantV3(own.url, "1900000112");
    const address = targetOf(plain.json.download_url);
    expect((await other.call("GET", address)).json.code).toBe("RESOURCE_NOT_EXISTS");
    expect((await seller.call("GET", address, undefined, { signedTarget: "/" })).status).toBe(401);
    own.clock.offsetMs += 301_000;
    const late = await seller.call("GET", address);
    expect([late.status, late.json.code]).toEqual([404, "RESOURCE_NOT_EXISTS"]);
  });
});
