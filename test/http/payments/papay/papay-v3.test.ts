/** Contracts and their deductions in version 3, with a client of our own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { createPapay, deductFen, planId, putClock } from "../../../support/payments/papay.ts";
import { createPartner } from "../../../support/payments/partner.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV3;
let papay: Awaited<ReturnType<typeof createPapay>>;
let count = 0;
let no: string;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 60, bills_at_once: true });
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(async () => {
  no = `code${String(++count)}`;
  papay = await createPapay(provider, merchant, undefined);
});

const refused = { status: 400, json: { code: "INVALID_REQUEST" } };
const periodic = { deduct_schedule: undefined };
const setPlan = (mode: string) => provider.control("PUT", `/plans/${String(planId)}`, { mode });
/** A contract without a day, in force. */
async function inForce(): Promise<string> {
  await papay.sign("jsapi", no, periodic);
  return papay.signed(no);
}
const stateOf = async (number: string) => (await merchant.query(number)).json.trade_state;

it("a contract with a date is signed, booked on the day before, deducted on its day, and ends with it", async () => {
  const asked = await papay.sign("app", no);
  expect([asked.status, asked.isSigned]).toEqual([200, true]);
  expect((await papay.query(no)).status).toBe(404);
  const id = await papay.signed(no);
  expect((await papay.query(no)).json).toMatchObject({
    ...{ contract_id: id, plan_id: planId, contract_state: "SIGNED", out_contract_code: no },
    deduct_schedule: { schedule_state: "NO_SCHEDULED" },
  });
  expect(await papay.apply(id, `${no}_early`)).toMatchObject(refused);
  expect((await papay.schedule(id)).json).toMatchObject({ schedule_state: "SCHEDULED" });
  expect(await papay.apply(id, `${no}_early`)).toMatchObject(refused);

  papay.toDay();
  const applied = await papay.apply(id, `${no}_order`);
  expect(applied.json).toEqual({ out_trade_no: `${no}_order`, amount: { total: deductFen, currency: "CNY" } });
  expect((await papay.apply(id, `${no}_order`)).json).toEqual(applied.json);
  expect(await stateOf(`${no}_order`)).toBe("NOTPAY");
  papay.pass(60);
  expect((await merchant.query(`${no}_order`)).json).toMatchObject({ trade_state: "SUCCESS", trade_type: "PAP" });
  expect((await papay.querySchedule(id)).json).toMatchObject({
    ...{ schedule_state: "PAID", deduct_amount: { total: deductFen } },
  });
  expect((await papay.query(no)).json).toMatchObject({
    ...{ contract_state: "TERMINATED", contract_terminate_info: { contract_termination_mode: "SYSTEM_TERMINATE" } },
  });
  expect(await papay.terminate(no)).toMatchObject(refused);

  const refund = await merchant.refund(`${no}_order`, `${no}_R`, 40, deductFen);
  expect(refund.json).toMatchObject({ status: "PROCESSING", amount: { refund: 40 } });
  const day = new Date(provider.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const bill = (await merchant.call("GET", `/v3/bill/tradebill?bill_date=${day}`)).json;
  const lines = (await merchant.fetchBytes(String(bill.download_url).slice(provider.url.length))).toString();
  expect(lines.split("\n").filter((line) => line.includes(`${no}_order`) && line.includes("PAP"))).toHaveLength(2);
});

it("refuses what a contract with a date does not allow, with the platform's codes", async () => {
  expect(await papay.sign("app", no, { plan_id: "x" })).toMatchObject({ status: 400, json: { code: "PARAM_ERROR" } });
  expect(await papay.sign("app", no, { appid: "wxOther" })).toMatchObject({ status: 400 });
  const deduct_schedule = {
    estimated_deduct_date: "2020-01-01",
    estimated_deduct_amount: { total: 1 },
    description: "V",
  };
  expect(await papay.sign("app", no, { deduct_schedule })).toMatchObject(refused);
  for (const call of [papay.query(no), papay.terminate(no), papay.querySchedule("1"), papay.apply("1", `${no}_order`)])
    expect((await call).status).toBe(404);
  await papay.sign("app", no);
  const id = await papay.signed(no);
  expect(await papay.sign("app", no)).toMatchObject(refused);
  expect(await papay.schedule(id, { schedule_amount: { total: 1 } })).toMatchObject(refused);
  putClock(provider, 20);
  expect(await papay.schedule(id)).toMatchObject(refused);
  putClock(provider, 10);
  await papay.schedule(id);
  expect(await papay.schedule(id)).toMatchObject(refused);
  papay.toDay();
  expect(await papay.apply(id, `${no}_order`, { amount: { total: 99 } })).toMatchObject(refused);
});

it("ends a contract whose day passed without a deduction, at eight on the next day", async () => {
  await papay.sign("app", no);
  const id = await papay.signed(no);
  putClock(provider, 7, 2);
  expect((await papay.query(no)).json.contract_state).toBe("SIGNED");
  putClock(provider, 9);
  expect((await papay.querySchedule(id)).json).toEqual({ schedule_state: "EXPIRED" });
  expect((await papay.query(no)).json.contract_state).toBe("TERMINATED");
});

describe("a plan whose deductions are announced", () => {
  beforeAll(() => setPlan("announced"));
  afterAll(() => setPlan("instant"));

  it("deducts twelve hours after the signing only on the days after an announcement, and at most its amount", async () => {
    const id = await inForce();
    await papay.apply(id, `${no}_first`);
    papay.pass(60);
    expect(await stateOf(`${no}_first`)).toBe("SUCCESS");
    papay.pass(12 * 3_600);
    putClock(provider, 10, 1);
    expect(await papay.apply(id, `${no}_order`)).toMatchObject(refused);
    expect((await papay.announce(id, { deduct_duration: { count: 1, unit: "DAY" } })).status).toBe(204);
    expect(await papay.announce(id)).toMatchObject(refused);
    expect(await papay.remind(id)).toMatchObject(refused);
    putClock(provider, 10, 1);
    expect(await papay.apply(id, `${no}_order`)).toMatchObject(refused);
    putClock(provider, 10, 1);
    expect(await papay.apply(id, `${no}_order`, { amount: { total: deductFen + 1 } })).toMatchObject(refused);
    expect((await papay.remind(id)).status).toBe(204);
    expect((await papay.apply(id, `${no}_order`)).status).toBe(200);
    papay.pass(60);
    expect(await stateOf(`${no}_order`)).toBe("SUCCESS");
    expect(await papay.apply(id, `${no}_again`)).toMatchObject(refused);
  });

  it("refuses announcements at night, by another merchant, and of contracts that are not in force", async () => {
    const id = await inForce();
    putClock(provider, 23);
    expect(await papay.announce(id)).toMatchObject(refused);
    putClock(provider, 10);
    expect((await papay.announce(id, { mchid: "1900000999" })).status).toBe(403);
    expect((await papay.announce("1")).status).toBe(404);
    await papay.terminate(no);
    expect(await papay.announce(id)).toMatchObject(refused);
    expect(await papay.remind(id)).toMatchObject(refused);
  });
});

it("delays deductions by a day in a plan that says so, but not in the first twelve hours", async () => {
  await setPlan("delayed");
  const id = await inForce();
  await papay.apply(id, `${no}_first`);
  papay.pass(60);
  expect(await stateOf(`${no}_first`)).toBe("SUCCESS");
  papay.pass(12 * 3_600);
  await papay.apply(id, `${no}_order`);
  expect(await papay.apply(id, `${no}_more`)).toMatchObject({ status: 403, json: { code: "RULE_LIMIT" } });
  papay.pass(23 * 3_600);
  expect(await stateOf(`${no}_order`)).toBe("NOTPAY");
  papay.pass(3_600);
  expect(await stateOf(`${no}_order`)).toBe("SUCCESS");
  await setPlan("instant");
});

it("a deduction fails for a user without money, and of a contract that ended meanwhile", async () => {
  const id = await inForce();
  expect(await provider.control("POST", `/contracts/${id}/fail-next`, {})).toMatchObject({ next_failure: "no_funds" });
  await papay.apply(id, `${no}_poor`);
  papay.pass(60);
  expect(await stateOf(`${no}_poor`)).toBe("PAYERROR");
  await papay.apply(id, `${no}_order`);
  await provider.control("POST", `/contracts/${id}/terminate`, {});
  papay.pass(60);
  expect(await stateOf(`${no}_order`)).toBe("PAYERROR");
  expect((await papay.query(no)).json.contract_terminate_info.contract_termination_mode).toBe("USER_TERMINATE");
  expect(await papay.apply(id, `${no}_late`)).toMatchObject(refused);
});

it("a service provider signs, books, deducts and ends contracts for its sub-merchant, and no other one sees them", async () => {
  const partner = await createPapay(provider, merchant, await createPartner(provider, merchant));
  await partner.sign("h5", no);
  const id = await partner.signed(no);
  expect((await partner.query(no)).json).toMatchObject({ sub_mchid: expect.any(String), contract_state: "SIGNED" });
  for (const call of [papay.query(no), papay.querySchedule(id), papay.schedule(id), papay.terminate(no)])
    expect((await call).status).toBe(404);
  await partner.schedule(id);
  partner.toDay();
  await partner.apply(id, `${no}_order`);
  expect((await papay.apply(id, `${no}_other`)).status).toBe(404);
  partner.pass(60);
  expect((await partner.querySchedule(id)).json.schedule_state).toBe("PAID");

  await partner.sign("jsapi", `${no}b`, periodic);
  const other = await partner.signed(`${no}b`);
  expect((await partner.announce(other)).status).toBe(204);
  putClock(provider, 10, 2);
  expect((await partner.remind(other)).status).toBe(204);
  expect((await partner.terminate(`${no}b`)).json.contract_state).toBe("TERMINATED");
  expect((await partner.sign("app", `${no}c`, { sub_mchid: "1900000999" })).status).toBe(403);
});

it("prepares a contract for a scanned code, and deducts for an account of another system", async () => {
  const asked = (await papay.signInScene(no)).json;
  expect(asked).toMatchObject({ redirect_url: expect.stringContaining(asked.pre_entrustweb_id) });
  expect((await papay.signInScene(no, { device_info: {} })).json.code).toBe("PARAM_ERROR");
  const id = await papay.signed(no);
  expect((await papay.queryHarmony(no)).json).toMatchObject({ contract_id: id, contract_state: "SIGNED" });
  await papay.applyByHarmony(id, `${no}_order`);
  papay.pass(60);
  expect(await stateOf(`${no}_order`)).toBe("SUCCESS");
});
