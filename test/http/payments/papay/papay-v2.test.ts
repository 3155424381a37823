/** Contracts and their deductions in version 2, with a client of our own. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createMerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { outcomeOf } from "../../../support/payments/merchant-v2.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { createPapayV2, planOfV2 } from "../../../support/payments/papay-v2.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import { fieldsOfXml, signatureV2 } from "../../../support/payments/payment-signatures.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let papay: ReturnType<typeof createPapayV2>;
let count = 0;
let no: string;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 60 });
  papay = createPapayV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(() => {
  no = `v2code${String(++count)}`;
});
const pass = (seconds: number) => void (provider.clock.offsetMs += seconds * 1000);

it("a contract is signed, queried by both numbers, deducted from, and ended", async () => {
  const asked = await papay.signInApp(no);
  expect(asked.fields).toMatchObject({ result_code: "SUCCESS", miniprogram_username: expect.any(String) });
  expect(asked.isSigned).toBe(true);
  expect(outcomeOf(await papay.query({ plan_id: planOfV2, contract_code: no }))).toBe("CONTRACT_NOT_EXIST");
  const contract_id = await papay.signed(no);
  const found = await papay.query({ contract_id });
  expect(found.isSigned).toBe(true);
  expect(found.fields).toMatchObject({ contract_id, contract_code: no, contract_state: "0", plan_id: planOfV2 });
  expect((await papay.query({ plan_id: planOfV2, contract_code: no })).fields["contract_id"]).toBe(contract_id);

  const applied = await papay.apply(contract_id, `${no}_order`);
  expect([applied.fields["result_code"], applied.isSigned]).toEqual(["SUCCESS", true]);
  expect(outcomeOf(await papay.apply(contract_id, `${no}_order`))).toBe("SUCCESS");
  expect(outcomeOf(await papay.apply(contract_id, `${no}_more`))).toBe("RULELIMIT");
  expect((await papay.queryOrder(`${no}_order`)).fields["trade_state"]).toBe("ACCEPT");
  pass(60);
  expect((await papay.queryOrder(`${no}_order`)).fields).toMatchObject({ trade_state: "SUCCESS", trade_type: "PAP" });
  expect(outcomeOf(await papay.merchant.refund(`${no}_order`, `${no}_R`))).toBe("SUCCESS");

  const ended = await papay.terminate({ contract_id });
  expect(ended.fields).toMatchObject({ result_code: "SUCCESS", contract_id, plan_id: planOfV2, contract_code: no });
  expect((await papay.query({ contract_id })).fields).toMatchObject({
    ...{ contract_state: "1", contract_termination_mode: "3", contract_termination_remark: "moved" },
  });
  expect(outcomeOf(await papay.apply(contract_id, `${no}_late`))).toBe("INVALID_REQUEST");
});

it("refuses what is missing, wrong, signed before, or not of a contract", async () => {
  expect(await papay.signInApp(no, { plan_id: "x" })).toMatchObject({ fields: { err_code: "PARAM_ERROR" } });
  expect((await papay.query({})).fields["return_code"]).toBe("FAIL");
  expect(outcomeOf(await papay.query({ contract_id: "1" }))).toBe("CONTRACT_NOT_EXIST");
  await papay.signInApp(no);
  const contract_id = await papay.signed(no);
  expect(outcomeOf(await papay.signInApp(no))).toBe("INVALID_REQUEST");
  expect((await papay.signInBrowser(no)).fields).toMatchObject({ result_code: "FAIL", result_msg: "INVALID_REQUEST" });
  expect(outcomeOf(await papay.apply(contract_id, `${no}_order`, { trade_type: "JSAPI" }))).toBe("PARAM_ERROR");
  await papay.merchant.place(`${no}_plain`);
  expect(outcomeOf(await papay.queryOrder(`${no}_plain`))).toBe("ORDERNOTEXIST");
  const unsigned = await fetch(`${provider.url}/papay/h5entrustweb?mch_id=1900000109`);
  expect(fieldsOfXml(await unsigned.text())["return_code"]).toBe("FAIL");
});

it("a browser opens the page on which the user signs and later ends the contract, in the user's language", async () => {
  const { fields } = await papay.signInBrowser(no);
  const url = fields["redirect_url"] ?? "";
  const page = async (language = "en") => (await fetch(url, { headers: { "Accept-Language": language } })).text();
  const press = (outcome: string, headers: Record<string, string> = {}) =>
    fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), headers, redirect: "manual" });
  expect(await page()).toContain("Waiting for your signature");
  expect(await page("zh-CN")).toContain("等待签约");
  expect((await press("sign", { Origin: "https://evil.example" })).status).toBe(403);
  expect((await press("sign")).status).toBe(303);
  expect(await page()).toContain("The contract is in force.");
  expect((await papay.query({ plan_id: planOfV2, contract_code: no })).fields["contract_state"]).toBe("0");
  await press("terminate");
  expect((await papay.query({ plan_id: planOfV2, contract_code: no })).fields["contract_termination_mode"]).toBe("2");

  const client = await papay.signInClient(`${no}b`);
  const link = /url=([^"]+)"/.exec(client.text)?.[1] ?? "";
  await fetch(link, { method: "POST", body: new URLSearchParams({ outcome: "refuse" }), redirect: "manual" });
  expect(await (await fetch(link)).text()).toContain("You refused the contract.");
  expect((await fetch(`${provider.url}/pay/h5/contract?id=none`)).status).toBe(404);
});

it("the payment of an order signs its contract, and an order whose contract was signed before has none", async () => {
  const { fields } = await papay.order(no, `${no}_order`);
  expect(fields).toMatchObject({ contract_result_code: "SUCCESS", contract_code: no, trade_type: "NATIVE" });
  expect((await papay.order(no, `${no}_order`)).fields["prepay_id"]).toBe(fields["prepay_id"]);
  expect(outcomeOf(await papay.query({ plan_id: planOfV2, contract_code: no }))).toBe("CONTRACT_NOT_EXIST");
  await provider.control("POST", `/orders/${no}_order/pay`);
  expect((await papay.query({ plan_id: planOfV2, contract_code: no })).fields["contract_state"]).toBe("0");
  const again = await papay.order(no, `${no}_again`);
  expect(again.fields).toMatchObject({ result_code: "SUCCESS", contract_result_code: "FAIL" });
  expect(again.fields["contract_err_code"]).toBe("INVALID_REQUEST");
  expect(outcomeOf(await papay.order(no, `${no}_other`, { contract_mchid: "1900000999" }))).toBe("PARAM_ERROR");
});

it("a service provider signs, queries, deducts and ends contracts for its sub-merchant", async () => {
  const { subMchId, subAppId } = await createPartner(provider, await createMerchantV3(provider.url));
  const partner = createPapayV2(provider, { sub_mch_id: subMchId, sub_appid: subAppId });
  const asked = await partner.signInApp(no);
  expect(asked.fields).toMatchObject({ sub_mch_id: subMchId, sub_appid: subAppId, result_code: "SUCCESS" });
  const contract_id = await partner.signed(no);
  expect(outcomeOf(await papay.query({ contract_id }))).toBe("CONTRACT_NOT_EXIST");
  expect((await partner.query({ contract_id })).fields).toMatchObject({ sub_mch_id: subMchId, contract_state: "0" });
  expect(outcomeOf(await partner.apply(contract_id, `${no}_order`))).toBe("SUCCESS");
  pass(60);
  expect((await partner.queryOrder(`${no}_order`)).fields).toMatchObject({
    sub_mch_id: subMchId,
    trade_state: "SUCCESS",
  });
  expect(outcomeOf(await papay.queryOrder(`${no}_order`))).toBe("ORDERNOTEXIST");
  expect((await partner.terminate({ contract_id })).fields["sub_mch_id"]).toBe(subMchId);
  const none = createPapayV2(provider, { sub_mch_id: "1900000999" });
  expect(outcomeOf(await none.signInApp(`${no}b`))).toBe("NOAUTH");
  expect((await partner.signInBrowser(`${no}c`)).fields["redirect_url"]).toContain("/pay/h5/contract");
  expect((await partner.signInClient(`${no}d`)).text).toContain("/pay/h5/contract");
});

it("notifies of the signing, of a deduction, of one that failed, and of the end, signed in version 2", async () => {
  await using receiver = await notificationReceiver();
  const own = createPapayV2(provider, undefined, [], receiver.url);
  await provider.control("PUT", `/plans/${planOfV2}`, { terminated_url: `${receiver.url}/ended` });
  await own.signInApp(no);
  const contract_id = await own.signed(no);
  const opened = async (path: string, at = 0) => {
    const find = () => receiver.received.filter((one) => one.path === path)[at];
    await expect.poll(find).toBeDefined();
    const fields = fieldsOfXml(find()?.body ?? "");
    expect(fields["sign"]).toBe(signatureV2(fields, own.merchant.apiV2Key));
    return fields;
  };
  expect(await opened("/contracts")).toMatchObject({
    ...{ result_code: "SUCCESS", change_type: "ADD", contract_id, contract_code: no, plan_id: planOfV2 },
  });
  await own.apply(contract_id, `${no}_order`);
  pass(60);
  await own.queryOrder(`${no}_order`);
  expect(await opened("/deductions")).toMatchObject({ contract_id, trade_type: "PAP", trade_state: "SUCCESS" });
  await provider.control("POST", `/contracts/${contract_id}/fail-next`, {});
  await own.apply(contract_id, `${no}_poor`);
  pass(60);
  expect((await own.queryOrder(`${no}_poor`)).fields["trade_state"]).toBe("PAYERROR");
  expect(await opened("/deductions", 1)).toMatchObject({ result_code: "FAIL", err_code: "NOTENOUGH" });
  await own.terminate({ contract_id });
  expect(await opened("/ended")).toMatchObject({ change_type: "DELETE", contract_termination_mode: "3" });
  await provider.control("PUT", `/plans/${planOfV2}`, {});
});
