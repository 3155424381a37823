import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import { changing, failing, refusing, saying } from "../../support/trip-wire.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

let payments: PaymentsApp;
beforeAll(async () => {
  payments = await startPaymentsApp();
});
beforeEach(() => {
  payments.trip.reset();
});
afterAll(() => payments[Symbol.asyncDispose]());

const post = (order: ApiOrder, end: string) => payments.call<ApiOrder>("POST", `/orders/${String(order.id)}/${end}`);
async function paid(): Promise<ApiOrder> {
  const order = await payments.place();
  await payments.pay(order);
  return payments.get(order.id);
}
const byCode = async (outcome?: string, more: object = {}) =>
  (await payments.create({ trade_type: "MICROPAY", auth_code: await payments.code(outcome), ...more })).body.data;
const simState = async ({ out_trade_no }: ApiOrder) =>
  (await payments.sim<{ order: { trade_state: string } }>("GET", `/orders/${out_trade_no}`)).order.trade_state;
const simRefunds = async ({ out_trade_no }: ApiOrder) =>
  (await payments.sim<{ refunds: { out_refund_no: string; refund: number }[] }>("GET", `/orders/${out_trade_no}`))
    .refunds;

describe("closures", () => {
  it("close an order at the provider, and answer 200 again for a closed one", async () => {
    const order = await payments.place();
    expect([(await post(order, "closures")).body.data.trade_state, await simState(order)]).toEqual([
      "CLOSED",
      "CLOSED",
    ]);
    expect((await post(order, "closures")).status).toBe(200);
    expect(payments.trip.count("closeOrder")).toBe(1);
  });

  it("answer 403 for an order that was paid meanwhile, and settle it", async () => {
    const order = await payments.place();
    await payments.pay(order);
    const { status, body } = await post(order, "closures");
    expect([status, body.details]).toEqual([403, [{ field: "err_code", problem: "ORDERPAID" }]]);
    expect((await payments.get(order.id)).settled_at).toBeDefined();
    expect(payments.trip.count("closeOrder")).toBe(0);
  });

  it("query again when the provider says ORDERPAID, and settle", async () => {
    const order = await payments.place();
    payments.trip.next("closeOrder", async (real) => {
      await payments.pay(order);
      return real();
    });
    expect((await post(order, "closures")).status).toBe(403);
    expect((await payments.get(order.id)).trade_state).toBe("SUCCESS");
  });

  it("answer 503 with Retry-After when pay and close race, or the provider is silent, and leave the order open", async () => {
    const order = await payments.place();
    for (const outcome of [failing("FREQUENCY_LIMITED"), failing(), refusing("USERPAYING")]) {
      payments.trip.next("closeOrder", outcome);
      const { status, headers } = await post(order, "closures");
      expect([status, Number(headers.get("retry-after")) > 0]).toEqual([503, true]);
    }
    payments.trip.next("queryOrder", failing());
    expect((await post(order, "closures")).status).toBe(503);
    expect((await payments.get(order.id)).trade_state).toBe("NOTPAY");
  });

  it("close here what the provider never had", async () => {
    const order = await payments.place();
    payments.trip.always("queryOrder", refusing("ORDERNOTEXIST"));
    payments.trip.next("closeOrder", refusing("ORDERNOTEXIST"));
    expect((await post(order, "closures")).body.data.trade_state).toBe("CLOSED");
  });
});

describe("refunds", () => {
  it("answer 201 when the provider has accepted, show its end when query refund does, and turn the order into REFUND", async () => {
    const order = await paid();
    const { status, body } = await payments.refund(order.id, { amount: 1, reason: "torn" });
    expect([status, body.data]).toMatchObject([
      201,
      { amount: 1, accepted: true, status: "PROCESSING", reason: "torn" },
    ]);
    expect(await simState(order)).toBe("REFUND");
    await payments.later(10_000);
    const [refund] = (await payments.get(order.id)).refunds;
    expect(refund).toMatchObject({ status: "SUCCESS", finished_at: expect.any(String) });
    expect((await payments.get(order.id)).trade_state).toBe("REFUND");
  });

  it("give back a part, then the rest, and no more: 400 naming amount, then 403", async () => {
    const order = await paid();
    await payments.refund(order.id, { amount: 60 });
    const more = await payments.refund(order.id, { amount: 42 });
    expect([more.status, more.body.details?.[0]?.field]).toEqual([400, "amount"]);
    expect((await payments.refund(order.id)).body.data.amount).toBe(41);
    expect((await payments.refund(order.id)).status).toBe(403);
    expect((await simRefunds(order)).map(({ refund }) => refund).sort()).toEqual([41, 60]);
  });

  it("query an order whose notification is lost before they are refused: 503 without an answer, then 201", async () => {
    const order = await payments.place();
    await payments.pay(order);
    payments.trip.next("queryOrder", failing());
    expect((await payments.refund(order.id, { amount: 1 })).body.code).toBe("payment_outcome_unknown");
    expect((await payments.refund(order.id, { amount: 1 })).status).toBe(201);
    expect((await simRefunds(order)).map(({ refund }) => refund)).toEqual([1]);
    expect((await payments.stored(order.id)).trade_state).toBe("REFUND");
  });

  it("answer 403 for an order that is not paid", async () => {
    const order = await payments.place();
    expect((await payments.refund(order.id)).status).toBe(403);
    expect(payments.trip.count("refund")).toBe(0);
  });

  it("make the same request one refund: by its key, also when the repeats come at the same time", async () => {
    const order = await paid();
    const options = () => payments.refund(order.id, { amount: 5 }, { "Idempotency-Key": "back" });
    const answers = await Promise.all([options(), options(), options()]);
    expect(new Set(answers.map(({ body }) => body.data.out_refund_no)).size).toBe(1);
    const other = await payments.refund(order.id, { amount: 6 }, { "Idempotency-Key": "back" });
    expect([other.status, other.body.details?.[0]?.field]).toEqual([400, "Idempotency-Key"]);
    expect(await simRefunds(order)).toHaveLength(1);
  });

  it("are requested again with the same number when their acceptance is unknown, so that the money is given back once", async () => {
    const order = await paid();
    // The provider takes it, and its answer is lost, twice; query refund is down.
    const lost = async (real: () => Promise<unknown>) => (await real(), failing());
    payments.trip.next("refund", lost, lost);
    payments.trip.next("queryRefund", failing());
    const first = await payments.refund(order.id, { amount: 7 });
    expect([first.status, first.headers.get("retry-after")]).toEqual([503, "5"]);
    const again = await payments.refund(order.id, { amount: 7 });
    expect([again.status, again.body.data.accepted]).toEqual([201, true]);
    expect((await simRefunds(order)).map(({ refund }) => refund)).toEqual([7]);
  });

  it("are finished by the reconcile job when the client does not come back", async () => {
    const order = await paid();
    payments.trip.next("refund", failing(), failing());
    expect((await payments.refund(order.id, { amount: 8 })).status).toBe(503);
    expect(await simRefunds(order)).toEqual([]);
    await payments.later(10_000);
    // The provider takes a moment to give the money back; only a query after that can tell.
    await payments.later(2_000);
    await expect.poll(() => simRefunds(order)).toMatchObject([{ refund: 8, status: "SUCCESS" }]);
    await payments.later(30_000);
    expect((await payments.get(order.id)).refunds).toMatchObject([{ accepted: true, status: "SUCCESS", amount: 8 }]);
  });

  it("are queried before a refusal counts, also when the reconcile job has asked again", async () => {
    const order = await paid();
    payments.trip.next("refund", failing(), failing());
    expect((await payments.refund(order.id, { amount: 50 })).status).toBe(503);
    payments.trip.next("refund", async (real) => (await real(), refusing("ERROR")));
    await payments.later(10_000);
    expect((await payments.get(order.id)).refunds).toMatchObject([{ accepted: true, amount: 50 }]);
    expect((await simRefunds(order)).map(({ refund }) => refund)).toEqual([50]);
  });

  it("stay undecided when a refusal is followed by one of query refund that does not say that there is none", async () => {
    const order = await paid();
    const taken = async (real: () => Promise<unknown>) => (await real(), refusing("ERROR"));
    payments.trip.next("refund", taken);
    payments.trip.next("queryRefund", refusing("ERROR"));
    const { status, body } = await payments.refund(order.id, { amount: 50 });
    expect([status, body.code]).toEqual([503, "payment_outcome_unknown"]);
    await payments.later(10_000);
    expect((await payments.get(order.id)).refunds).toMatchObject([{ accepted: true, amount: 50 }]);
    expect((await simRefunds(order)).map(({ refund }) => refund)).toEqual([50]);
  });

  it("that the provider refuses count for nothing, and one for which it has no money is asked for again", async () => {
    const order = await paid();
    payments.trip.next("refund", refusing("TRADE_OVERDUE"));
    const refused = await payments.refund(order.id);
    expect([refused.status, refused.body.details]).toEqual([403, [{ field: "err_code", problem: "TRADE_OVERDUE" }]]);
    payments.trip.next("refund", refusing("NOTENOUGH"));
    const postponed = await payments.refund(order.id);
    expect([postponed.status, postponed.body.details]).toEqual([503, [{ field: "err_code", problem: "NOTENOUGH" }]]);
    await payments.later(10_000);
    const { refunds } = await payments.get(order.id);
    expect(refunds).toMatchObject([
      { status: "CLOSED", accepted: false, err_code: "TRADE_OVERDUE" },
      { accepted: true, amount: 101 },
    ]);
  });

  it.each([
    ["ABNORMAL", 101, 403],
    ["CLOSED", 101, 201],
  ])("follow query refund to %s", async (status, amount, next) => {
    const order = await paid();
    payments.trip.next("queryRefund", changing({ status }));
    const { data } = (await payments.refund(order.id, { amount })).body;
    await payments.notifyRefund(order, data.out_refund_no, "CHANGE");
    expect((await payments.get(order.id)).refunds).toMatchObject([{ status }]);
    payments.trip.always("refund", saying({ refundId: "1", amount, status: "PROCESSING" }));
    expect((await payments.refund(order.id)).status).toBe(next);
  });
});

describe("refund notifications", () => {
  it("are acknowledged when query refund says the same, and refused for what is unknown, foreign or tampered with", async () => {
    const order = await paid();
    const { data } = (await payments.refund(order.id, { amount: 1 })).body;
    const code = (text: string) => /\[CDATA\[(SUCCESS|FAIL)/.exec(text)?.[1];
    const answers = [
      await payments.notifyRefund(order, "RNOTHERE", "SUCCESS"),
      await payments.notifyRefund(await paid(), data.out_refund_no, "SUCCESS"),
      await payments.notifyRefund(order, data.out_refund_no, "SUCCESS", "another key of thirty-two bytes!"),
    ];
    expect(answers.map(({ text }) => code(text))).toEqual(["FAIL", "FAIL", "FAIL"]);
    expect(payments.trip.count("queryRefund")).toBe(0);
    payments.trip.next("queryRefund", failing());
    expect(code((await payments.notifyRefund(order, data.out_refund_no, "SUCCESS")).text)).toBe("FAIL");
    payments.trip.next("queryRefund", changing({ status: "SUCCESS" }));
    expect(code((await payments.notifyRefund(order, data.out_refund_no, "SUCCESS")).text)).toBe("SUCCESS");
    expect((await payments.get(order.id)).refunds).toMatchObject([{ status: "SUCCESS" }]);
  });
});

describe("payments by code and their reversal", () => {
  it("are settled at once when no password is needed, after query order was asked", async () => {
    const order = await byCode();
    expect(order).toMatchObject({ trade_state: "SUCCESS", trade_type: "MICROPAY", settled_at: expect.any(String) });
    expect([order.pay, payments.trip.calls]).toEqual([undefined, ["payByCode", "queryOrder"]]);
  });

  it("answer 400 for a worthless code, and keep neither the code nor an open order", async () => {
    const { status, body } = await payments.create({ trade_type: "MICROPAY", auth_code: "130000000000000000" });
    expect([status, body.details]).toEqual([400, [{ field: "err_code", problem: "AUTH_CODE_INVALID" }]]);
    const rows = await payments.app.db.selectFrom("orders").selectAll().orderBy("id", "desc").limit(1).execute();
    expect(rows).toMatchObject([{ trade_state: "CLOSED", placement: "refused", next_query_at: null }]);
    expect(JSON.stringify(rows)).not.toContain("130000000000000000");
  });

  it("take the money back and end as REVOKED", async () => {
    const order = await byCode();
    payments.trip.next("reverseOrder", saying({ again: true }));
    const { status, body } = await post(order, "reversals");
    expect([status, body.data.trade_state, await simState(order)]).toEqual([200, "REVOKED", "REVOKED"]);
    expect(payments.trip.count("reverseOrder")).toBe(2);
  });

  it("answer 403 for an order that was not paid by code, and for closing one that was", async () => {
    expect((await post(await paid(), "reversals")).status).toBe(403);
    expect((await post(await byCode(), "closures")).status).toBe(403);
  });
});

describe("a payment that has settled an order", () => {
  it("settles no other one, whatever query order says of it", async () => {
    const [first, second] = [await paid(), await payments.place()];
    await payments.pay(second);
    for (const tradeState of ["SUCCESS", "REFUND"] as const) {
      payments.trip.next("queryOrder", changing({ tradeState, transactionId: first.transaction_id }));
      expect((await payments.get(second.id)).trade_state).toBe("NOTPAY");
    }
    expect(await payments.decisions(second.id)).toEqual(["transaction_mismatch", "contradiction"]);
    expect((await payments.get(second.id)).trade_state).toBe("SUCCESS");
  });
});
