/** Payments of sub-merchants by a code, and the bill of a sub-merchant's money, in version 3. */
import { constants, createDecipheriv, createHash, privateDecrypt } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { encryptToPlatform } from "../../../support/payments/encrypt-to-platform.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
let partner: Awaited<ReturnType<typeof createPartner>>;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { bills_at_once: true });
  merchant = await createMerchantV3(provider.url);
  partner = await createPartner(provider, merchant);
});
afterAll(() => provider[Symbol.asyncDispose]());

const result = ({ status, json }: { status: number; json?: { code?: string } }) => [status, json?.code];
const newCode = async () => String((await provider.control("POST", "/users/ada/payment-codes", {}))["auth_code"]);

it("are answered at once with both merchants' ids, and are reversed", async () => {
  const { both, subAppId } = partner;
  const paid = await partner.payByCode("BY_CODE", await newCode(), { sub_appid: subAppId, sp_appid: undefined });
  const sp_appid = merchant.credentials.app_id;
  expect(paid.json).toMatchObject({ ...both, sp_appid, sub_appid: subAppId, trade_state: "SUCCESS" });
  const reversed = await partner.reverse("BY_CODE");
  expect(reversed.json).toEqual({ ...both, sp_appid, sub_appid: subAppId, out_trade_no: "BY_CODE" });
  expect((await partner.query("out-trade-no/BY_CODE")).json.trade_state).toBe("REVOKED");
});

it("are refused for a sub-merchant that is not bound, and reversed only by its number", async () => {
  const other = { sub_mchid: "1900000509" };
  expect(result(await partner.payByCode("NOT_BOUND", await newCode(), other))).toEqual([403, "NO_AUTH"]);
  await partner.payByCode("HIDDEN", await newCode());
  expect(result(await partner.reverse("HIDDEN", other))).toEqual([404, "ORDER_NOT_EXIST"]);
  const { app_id: appid, mch_id: mchid } = merchant.credentials;
  const direct = merchant.call("POST", "/v3/pay/transactions/out-trade-no/HIDDEN/reverse", { appid, mchid });
  expect(result(await direct)).toEqual([404, "ORDER_NOT_EXIST"]);
});

it("has a bill of its own money, which is refused for another provider's and for another cipher", async () => {
  await partner.place("native", "SUB_BILLED");
  const paid = await provider.control("POST", "/orders/SUB_BILLED/pay");
  await merchant.place("native", "OWN_BILLED");
  await provider.control("POST", "/orders/OWN_BILLED/pay");
  const day = new Date(Date.parse(String(paid["paid_at"])) + 8 * 3_600_000).toISOString().slice(0, 10);
  for (const packed of [{}, { tar_type: "GZIP" }]) {
    const { json } = await partner.flowBill(day, packed);
    expect(json.download_bill_count).toBe(1);
    const [file] = json.download_bill_list;
    const { pathname, search } = new URL(file.download_url);
    const sealed = await merchant.fetchBytes(pathname + search);
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const own = { key: merchant.credentials.merchant_private_key, padding };
    const key = privateDecrypt(own, Buffer.from(file.encrypt_key, "base64"));
    const cipher = createDecipheriv("aes-256-gcm", key, file.nonce).setAuthTag(sealed.subarray(-16));
    const bytes = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    const text = ("tar_type" in packed ? gunzipSync(bytes) : bytes).toString();
    expect(file.hash_value).toBe(createHash("sha1").update(text).digest("hex"));
    expect([text.includes("`SUB_BILLED"), text.includes("`OWN_BILLED")]).toEqual([true, false]);
  }
  expect(result(await partner.flowBill(day, { sub_mchid: "1900000509" }))).toEqual([403, "NO_AUTH"]);
  expect(result(await partner.flowBill(day, { algorithm: "SM4_GCM" }))).toEqual([400, "PARAM_ERROR"]);
  expect(result(await partner.flowBill(day, { account_type: "DEPOSIT" }))).toEqual([400, "NO_STATEMENT_EXIST"]);
});

it("an order keeps the payer's identity and instalments, and refuses an identity that is not encrypted", async () => {
  const { credentials } = merchant;
  const sealed = (text: string) => encryptToPlatform(credentials, text);
  const identity = { type: "IDCARD", number: sealed("110101199001011234"), name: sealed("Ada") };
  const serial = { headers: { "Wechatpay-Serial": credentials.platform_serial } };
  const subsidy_plan = [{ subsidy_installment_num: 3, subsidy_percent: 100 }];
  const subsidy_info = { subsidy_detail: [{ subsidy_period_type: "PERIOD", subsidy_plan }] };
  const place = (number: string, changed: object) =>
    merchant.call("POST", "/v3/pay/transactions/app", merchant.order(number, { ...changed }), serial);
  const payer = { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o", identity };
  expect((await place("IDENTIFIED", { payer, subsidy_info })).status).toBe(200);
  expect(result(await place("IDENTIFIED", { payer }))).toEqual([400, "INVALID_REQUEST"]);
  const plain = { payer: { identity: { ...identity, name: "QWRh" } } };
  expect(result(await place("PLAIN_NAME", plain))).toEqual([400, "PARAM_ERROR"]);
  const other = { subsidy_info: { subsidy_detail: [{ subsidy_period_type: "PERIOD", subsidy_plan: [{}] }] } };
  expect(result(await place("WRONG_PLAN", other))).toEqual([400, "PARAM_ERROR"]);
  const byPartner = (settle_info: object) =>
    partner.place("native", "SUBSIDISED", { settle_info, payer: { identity } });
  expect(result(await byPartner({ profit_sharing: true, subsidy_amount: 10 }))).toEqual([400, "PARAM_ERROR"]);
  expect((await partner.place("native", "SUBSIDISED", { settle_info: { subsidy_amount: 10 } })).status).toBe(200);
});
