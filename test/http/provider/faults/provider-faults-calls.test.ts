/** Faults of payment calls in their variants, with both versions. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { tradeState } from "../../../../server/contract/provider/payment-terms.ts";
import { errCode } from "../../../../server/contract/provider/sim-call-faults.ts";
import { startFaultedProvider, type FaultedProvider } from "../../../support/payments/faulted-provider.ts";

let test: FaultedProvider;
beforeAll(async () => void (test = await startFaultedProvider()));
afterEach(async () => void (await test.clear()));
afterAll(() => test[Symbol.asyncDispose]());

const queryV3 = (outTradeNo: string) => test.seenV3(test.v3.query(outTradeNo));
const placeV3 = (outTradeNo: string) => test.seenV3(test.placeV3(outTradeNo));

/** Places it with either version. */
const place = { v2: (outTradeNo: string) => test.place(outTradeNo), v3: placeV3 };
const versions = ["v2", "v3"] as const;

describe("err_code", () => {
  it("answers each code of version 2, signed", async () => {
    for (const code of errCode.options.slice(0, errCode.options.indexOf("RULELIMIT"))) {
      await test.add({ kind: "err_code", params: { code }, times: 1 });
      const { said, isSigned } = await test.query("ERRCODE-V2");
      expect(said).toMatchObject({ return_code: "SUCCESS", result_code: "FAIL", err_code: code });
      expect([code, said.err_code_des?.length > 0, isSigned]).toEqual([code, true, true]);
    }
  });

  it.each([
    ["USERPAYING", 202, "USERPAYING"],
    ["PARAM_ERROR", 400, "PARAM_ERROR"],
    ["ORDERCLOSED", 400, "ORDER_CLOSED"],
    ["NOAUTH", 403, "NO_AUTH"],
    ["NOTENOUGH", 403, "NOT_ENOUGH"],
    ["RULELIMIT", 403, "RULE_LIMIT"],
    ["ACCOUNTERROR", 403, "ACCOUNT_ERROR"],
    ["ORDERNOTEXIST", 404, "ORDER_NOT_EXIST"],
    ["FREQUENCY_LIMITED", 429, "FREQUENCY_LIMITED"],
    ["RATELIMIT_EXCEEDED", 429, "RATELIMIT_EXCEEDED"],
    ["SYSTEMERROR", 500, "SYSTEM_ERROR"],
    ["BANKERROR", 500, "BANK_ERROR"],
    ["OPENID_MISMATCH", 500, "OPENID_MISMATCH"],
    ["SERVICE_UNAVAILABLE", 503, "SERVICE_UNAVAILABLE"],
  ] as const)("answers %s as version 3 does: %i %s, signed", async (code, status, name) => {
    await test.add({ kind: "err_code", params: { code, description: "by a test" }, times: 1 });
    expect(await queryV3("ERRCODE-V3")).toMatchObject({
      status,
      said: { code: name, message: "by a test" },
      isSigned: true,
    });
  });
});

describe.each(versions)("before and after the commit, version %s:", (version) => {
  it.each([
    { kind: "return_code_fail", params: {}, came: { isSigned: false } },
    { kind: "err_code", params: { code: "SYSTEMERROR" }, came: { isSigned: true } },
    { kind: "http_status", params: { status: 500 }, came: { status: 500, isSigned: false } },
    { kind: "http_status", params: { status: 429 }, came: { status: 429, isSigned: false } },
    { kind: "http_status", params: { status: 503 }, came: { status: 503, isSigned: false } },
    { kind: "reset", params: {}, came: { error: "ECONNRESET" } },
  ] as const)("$kind $params is told the same, and leaves an order only after it", async ({ kind, params, came }) => {
    const outTradeNo = `COMMIT-${version}-${kind}-${"status" in params ? params.status : ""}`.slice(0, 32);
    for (const [when, state] of [
      ["before", undefined],
      ["after", "NOTPAY"],
    ] as const) {
      const { id } = await test.add({ kind, params: { ...params, when }, times: 1 } as never);
      expect(await place[version](outTradeNo)).toMatchObject(came);
      expect(await test.stateOf(outTradeNo)).toBe(state);
      expect(await test.hits(id)).toBe(1);
    }
    const [call] = await test.callsOf(outTradeNo);
    expect(call).toMatchObject({ name: "unifiedorder", version, performed: false });
    expect((await test.callsOf(outTradeNo)).map(({ performed, faults }) => [performed, faults.length])).toEqual([
      [false, 1],
      [true, 1],
    ]);
  });

  it("an answer that breaks off half-way has taken the order", async () => {
    await test.add({ kind: "truncated_body", times: 1 });
    expect(await place[version](`TRUNCATED-${version}`)).toEqual({ error: "UND_ERR_SOCKET" });
    expect(await test.stateOf(`TRUNCATED-${version}`)).toBe("NOTPAY");
  });
});

describe("a query that lies", () => {
  it.each(tradeState.options.filter((state) => state !== "SUCCESS"))(
    "says %s of an order that is paid",
    async (state) => {
      const outTradeNo = `LIE-${state}`;
      await test.place(outTradeNo);
      await test.pay(outTradeNo);
      await test.add({ kind: "trade_state", params: { state, queries: 1 }, scope: { out_trade_no: outTradeNo } });
      const { said, isSigned } = await test.query(outTradeNo);
      expect(said).toMatchObject({ result_code: "SUCCESS", trade_state: state });
      expect([isSigned, "transaction_id" in said]).toEqual([true, state === "REFUND"]);
      expect((await test.query(outTradeNo)).said).toMatchObject({ trade_state: "SUCCESS" });
    },
  );

  it("says so in version 3, too", async () => {
    await placeV3("LIE-V3");
    await test.add({ kind: "trade_state", params: { state: "REVOKED" } });
    expect(await queryV3("LIE-V3")).toMatchObject({ status: 200, said: { trade_state: "REVOKED" }, isSigned: true });
  });

  it("finds no order the first times, counted for each order", async () => {
    await test.add({ kind: "order_not_exist", params: { queries: 2 } });
    for (const outTradeNo of ["UNSEEN-1", "UNSEEN-2"]) {
      await test.place(outTradeNo);
      const told = async () => ((await test.query(outTradeNo)).said as Record<string, string>)["err_code"];
      expect([await told(), await told(), await told()]).toEqual(["ORDERNOTEXIST", "ORDERNOTEXIST", undefined]);
    }
  });

  it("returns another amount or currency than the notification", async () => {
    await test.place("AMOUNT-V2");
    await test.pay("AMOUNT-V2");
    await test.add({ kind: "wrong_amount", params: { where: "query", by: -1, currency: "USD" } });
    expect((await test.query("AMOUNT-V2")).said).toMatchObject({ total_fee: "100", fee_type: "USD" });
    await placeV3("AMOUNT-V3");
    expect((await queryV3("AMOUNT-V3")).said).toMatchObject({ amount: { total: 100, currency: "USD" } });
    const [told] = await test.received("AMOUNT-V2");
    expect(told?.body).toContain("<total_fee><![CDATA[101]]></total_fee>");
  });
});

describe("the signature of a reply", () => {
  it.each(["changed_sign", "changed_body", "missing", "signtest", "unknown_serial"] as const)(
    "%s fits in neither version",
    async (how) => {
      const outTradeNo = `SIGN-${how}`;
      await test.place(outTradeNo);
      await test.add({ kind: "reply_signature", params: { how } });
      const v2 = await test.query(outTradeNo);
      const v3 = await test.v3.query(outTradeNo);
      expect([v2.status, v2.isSigned, v3.status]).toEqual([200, false, 200]);
      const serial = v3.headers.get("wechatpay-serial");
      const fits = v3.isSigned && serial === test.v3.credentials.platform_serial;
      expect(fits).toBe(false);
      const states = [v2.said.trade_state, v3.json.trade_state];
      expect(states).toEqual(how === "changed_body" ? ["SUCCESS", "SUCCESS"] : ["NOTPAY", "NOTPAY"]);
      if (how === "signtest") expect(v3.headers.get("wechatpay-signature")).toMatch(/^WECHATPAY\/SIGNTEST\//);
      if (how === "missing") expect(serial).toBeNull();
    },
  );

  it("fails on a reply without a body, too", async () => {
    await placeV3("SIGN-204");
    await test.add({ kind: "reply_signature", params: { how: "changed_body" } });
    expect(await test.seenV3(test.v3.close("SIGN-204"))).toMatchObject({ status: 204, isSigned: false });
  });
});

describe("a close that races with the payment", () => {
  it.each(["ORDERPAID", "FREQUENCY_LIMITED"] as const)("answers %s, and the payment has won", async (answer) => {
    await test.place(`RACE-${answer}`);
    await test.add({ kind: "close_race", params: { answer }, times: 1 });
    expect((await test.close(`RACE-${answer}`)).said).toMatchObject({ result_code: "FAIL", err_code: answer });
    expect(await test.stateOf(`RACE-${answer}`)).toBe("SUCCESS");
    await test.received(`RACE-${answer}`);
  });
});

describe("which calls a fault takes hold of", () => {
  it("are those of its order, of its merchant, and of its names", async () => {
    const code = "SYSTEMERROR";
    await test.add({ kind: "err_code", params: { code }, scope: { out_trade_no: "SCOPE-1" } });
    await test.add({ kind: "err_code", params: { code }, scope: { mch_id: "1900000999" } });
    await test.add({ kind: "err_code", params: { code, calls: ["closeorder"] } });
    expect((await test.place("SCOPE-1")).said).toMatchObject({ err_code: code });
    expect((await test.place("SCOPE-2")).said).toMatchObject({ result_code: "SUCCESS" });
    expect((await test.close("SCOPE-2")).said).toMatchObject({ err_code: code });
    expect((await test.list()).map(({ hits }) => hits)).toEqual([1, 0, 1]);
  });

  it("are found by transaction and refund numbers, too", async () => {
    await test.placeV3("SCOPE-3");
    await test.pay("SCOPE-3");
    const { transaction_id: number } = (await queryV3("SCOPE-3")).said as { transaction_id: string };
    await test.v3.refund("SCOPE-3", "SCOPE-3-R", 1);
    await test.add({ kind: "err_code", params: { code: "SYSTEMERROR" }, scope: { out_trade_no: "SCOPE-3" } });
    const mchId = test.v3.credentials.mch_id;
    expect(await test.seenV3(test.v3.call("GET", `/v3/pay/transactions/id/${number}?mchid=${mchId}`))).toMatchObject({
      status: 500,
    });
    expect(await test.seenV3(test.v3.call("GET", "/v3/refund/domestic/refunds/SCOPE-3-R"))).toMatchObject({
      status: 500,
    });
    expect((await test.v2("/pay/orderquery", { transaction_id: number })).said).toMatchObject({
      err_code: "SYSTEMERROR",
    });
  });

  it("are taken in turns by faults that exclude each other", async () => {
    for (const code of ["SYSTEMERROR", "BANKERROR"] as const)
      await test.add({ kind: "err_code", params: { code }, times: 1 });
    const told = async () => ((await test.query("IN-TURNS")).said as Record<string, string>)["err_code"];
    expect([await told(), await told(), await told()]).toEqual(["SYSTEMERROR", "BANKERROR", "ORDERNOTEXIST"]);
  });
});
