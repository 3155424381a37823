/** Faults that take a while: payments by code that end later, refunds, and what a restart of the simulator keeps of them. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startFaultedProvider, type FaultedProvider } from "../../../support/payments/faulted-provider.ts";

let test: FaultedProvider;
beforeAll(async () => void (test = await startFaultedProvider()));
afterEach(async () => void (await test.clear()));
afterAll(() => test[Symbol.asyncDispose]());

const stateTold = async (outTradeNo: string) => (await test.query(outTradeNo)).said.trade_state as string;
const reverse = async (outTradeNo: string) =>
  (await test.v2("/secapi/pay/reverse", { out_trade_no: outTradeNo })).said as Record<string, string>;

describe("a payment by code that asks for the password", () => {
  it.each(["SUCCESS", "PAYERROR"] as const)("ends as %s after the set number of queries", async (outcome) => {
    const outTradeNo = `CODE-${outcome}`;
    await test.add({ kind: "user_paying", params: { outcome, after_queries: 2 }, times: 1 });
    expect((await test.payByCode(outTradeNo)).said).toMatchObject({ err_code: "USERPAYING" });
    expect([await stateTold(outTradeNo), await stateTold(outTradeNo)]).toEqual(["USERPAYING", "USERPAYING"]);
    expect([await stateTold(outTradeNo), await stateTold(outTradeNo)]).toEqual([outcome, outcome]);
    expect(await test.stateOf(outTradeNo)).toBe(outcome);
  });

  it("ends at its time, without any query", async () => {
    await test.add({ kind: "user_paying", params: { outcome: "SUCCESS", after_seconds: 20 }, times: 1 });
    await test.payByCode("CODE-TIMED");
    expect(await stateTold("CODE-TIMED")).toBe("USERPAYING");
    test.provider.clock.offsetMs += 20_000;
    await expect.poll(() => test.stateOf("CODE-TIMED")).toBe("SUCCESS");
  });

  it("never ends where the fault says so: reversing is refused meanwhile, and calling again is advised", async () => {
    await test.add({ kind: "user_paying", params: { outcome: "never" }, times: 1 });
    await test.payByCode("CODE-NEVER");
    for (let query = 0; query < 4; query++) expect(await stateTold("CODE-NEVER")).toBe("USERPAYING");
    expect(await reverse("CODE-NEVER")).toMatchObject({ err_code: "USERPAYING", recall: "Y" });
  });

  it("ends as it was to end, after a restart in between", async () => {
    await test.add({ kind: "user_paying", params: { outcome: "SUCCESS", after_queries: 2 }, times: 1 });
    await test.add({ kind: "user_paying", params: { outcome: "PAYERROR", after_seconds: 20 }, times: 1 });
    await test.payByCode("CODE-RESTART-1");
    await test.payByCode("CODE-RESTART-2");
    expect(await stateTold("CODE-RESTART-1")).toBe("USERPAYING");
    await test.restart();
    expect(await test.list()).toMatchObject([
      { hits: 1, spent: true },
      { hits: 1, spent: true },
    ]);
    expect([await stateTold("CODE-RESTART-1"), await stateTold("CODE-RESTART-1")]).toEqual(["USERPAYING", "SUCCESS"]);
    test.provider.clock.offsetMs += 20_000;
    await expect.poll(() => test.stateOf("CODE-RESTART-2")).toBe("PAYERROR");
  });
});

describe("a slow answer", () => {
  it("that is under way when the simulator ends comes whole, and the call is written down", async () => {
    await test.place("SLOW-END");
    const params = { calls: ["orderquery" as const], delay_ms: 500, when: "before" as const };
    const { id } = await test.add({ kind: "slow_answer", params, times: 1 });
    const slow = test.query("SLOW-END");
    await expect.poll(() => test.hits(id)).toBe(1);
    const [answer] = await Promise.all([slow, test.restart()]);
    expect(answer.said).toMatchObject({ result_code: "SUCCESS", trade_state: "NOTPAY" });
    expect(await test.callsOf("SLOW-END")).toMatchObject([
      { name: "unifiedorder", outcome: "SUCCESS" },
      { name: "orderquery", outcome: "SUCCESS" },
    ]);
  });
});

describe("a payment by code that is reported as failed", () => {
  it("though the money was taken: queries say PAYERROR for a while, then SUCCESS", async () => {
    await test.add({ kind: "pay_error", params: { outcome: "SUCCESS", queries: 2 }, times: 1 });
    expect((await test.payByCode("FAILED-PAID")).said).toMatchObject({ err_code: "BANKERROR" });
    expect(await test.stateOf("FAILED-PAID")).toBe("SUCCESS");
    const told = [await stateTold("FAILED-PAID"), await stateTold("FAILED-PAID"), await stateTold("FAILED-PAID")];
    expect(told).toEqual(["PAYERROR", "PAYERROR", "SUCCESS"]);
  });

  it("stays PAYERROR, and is reversed", async () => {
    await test.add({ kind: "pay_error", times: 1 });
    await test.payByCode("FAILED-UNPAID");
    expect(await stateTold("FAILED-UNPAID")).toBe("PAYERROR");
    expect(await reverse("FAILED-UNPAID")).toMatchObject({ result_code: "SUCCESS", recall: "N" });
    expect(await stateTold("FAILED-UNPAID")).toBe("REVOKED");
  });
});

describe("a refund", () => {
  const statusTold = async (outRefundNo: string) =>
    (await test.v3.call("GET", `/v3/refund/domestic/refunds/${outRefundNo}`)).json.status as string;

  async function refund(outTradeNo: string): Promise<void> {
    await test.placeV3(outTradeNo);
    await test.pay(outTradeNo);
    expect((await test.v3.refund(outTradeNo, `${outTradeNo}-R`, 40)).json).toMatchObject({ status: "PROCESSING" });
  }

  it.each(["SUCCESS", "ABNORMAL", "CLOSED"] as const)("ends as %s at the time that the fault says", async (status) => {
    await test.add({ kind: "refund_outcome", params: { status, after_seconds: 3600 }, times: 1 });
    await refund(`REFUND-${status}`);
    test.provider.clock.offsetMs += 3_500_000;
    expect(await statusTold(`REFUND-${status}-R`)).toBe("PROCESSING");
    test.provider.clock.offsetMs += 100_000;
    await expect.poll(() => statusTold(`REFUND-${status}-R`)).toBe(status);
    expect(await test.stateOf(`REFUND-${status}`)).toBe("REFUND");
  });

  it("never ends where the fault says so, after a restart neither, while the next one ends at once", async () => {
    await test.add({ kind: "refund_outcome", params: { status: "PROCESSING" }, times: 1 });
    await refund("REFUND-NEVER");
    await test.hit();
    await test.restart();
    await refund("REFUND-NEXT");
    await expect.poll(() => statusTold("REFUND-NEXT-R")).toBe("SUCCESS");
    expect(await statusTold("REFUND-NEVER-R")).toBe("PROCESSING");
  });

  it("that was accepted before the fault was armed leaves it to the next one, whatever plans it anew", async () => {
    await test.provider.control("PATCH", "/settings", { refund_seconds: 600 });
    await refund("REFUND-BEFORE");
    await test.add({ kind: "refund_outcome", params: { status: "ABNORMAL" }, times: 1 });
    await test.restart();
    await test.provider.control("PATCH", "/settings", { refund_seconds: 0 });
    await expect.poll(() => statusTold("REFUND-BEFORE-R")).toBe("SUCCESS");
    await refund("REFUND-AFTER");
    await expect.poll(() => statusTold("REFUND-AFTER-R")).toBe("ABNORMAL");
  });
});
