import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import type { PayVersion } from "../../../server/contract/provider/payment-terms.ts";
import type { simSendingResultSchema } from "../../../server/contract/provider/sim-notification-faults.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

type Sent = z.infer<typeof simSendingResultSchema>;

const signatures = ["wrong_key", "changed_field", "missing", "other_type", "signtest", "unknown_serial"];
const tampering = ["timestamp_past", "timestamp_future", "tampered_tag", "tampered_aad"];
const malformed = ["no_markup", "doctype", "huge", "duplicate_keys", "extra_fields"];
const ids = ["mch_id", "appid", "out_trade_no", "transaction_id"];
const sendings: readonly (readonly [kind: string, params: object])[] = [
  ["genuine", {}],
  ["wrong_amount", { by: 1 }],
  ["wrong_amount", { currency: "USD" }],
  ...[...signatures, ...tampering].map((how) => ["notification_signature", { how }] as const),
  ...ids.map((field) => ["notification_foreign", { field }] as const),
  ...malformed.map((how) => ["notification_malformed", { how }] as const),
  ["notification_duplicate", { copies: 5 }],
  ["notification_duplicate", { copies: 5, concurrent: true }],
  ["notification_return_code_fail", {}],
  ["notification_result_code_fail", {}],
];

describe.each([["v2"], ["v3"]] as const)("against the simulator's own faults, by version %s", (version: PayVersion) => {
  let payments: PaymentsApp;
  beforeAll(async () => {
    payments = await startPaymentsApp({
      settings: { payment_version: version, payment_notify_url: undefined },
    });
    await payments.sim("PATCH", "/settings", { refund_seconds: 0 });
    await payments.sim("GET", "/credentials"); // makes the keys of version 3, which takes its time
  });
  afterEach(async () => {
    payments.trip.reset();
    await payments.sim("DELETE", "/faults");
  });
  afterAll(() => payments[Symbol.asyncDispose]());

  const fault = (kind: string, params: object = {}, more: object = {}) =>
    payments.sim("POST", "/faults", { kind, params, ...more });
  const lost = () => fault("notification_lost");
  const state = async ({ id }: ApiOrder, at = payments) => {
    const { trade_state, settled_at } = await at.stored(id);
    return [trade_state, settled_at !== undefined];
  };
  async function paid(): Promise<ApiOrder> {
    await lost();
    const order = await payments.place();
    await payments.pay(order);
    return order;
  }
  const send = (order: ApiOrder, kind: string, params: object) =>
    payments.sim<Sent>("POST", `/orders/${order.out_trade_no}/notifications`, { kind, params });

  it.each(sendings)("answers each notification as it has to: %s %o", async (kind, params) => {
    const order = await paid();
    const { deliveries } = await send(order, kind, params);
    expect(deliveries.length).toBeGreaterThan(0);
    for (const { accepted, expected, reply } of deliveries)
      if (expected !== "either") expect([expected, accepted], reply).toEqual([expected, expected === "accept"]);
    const [before] = await state(order);
    expect(deliveries.some(({ accepted }) => accepted) || before === "NOTPAY").toBe(true);
  });

  it("rejects a correctly signed success of an unpaid order", async () => {
    const order = await payments.place();
    const { deliveries } = await send(order, "forged_success", {});
    expect(deliveries).toMatchObject([{ accepted: false, expected: "refuse" }]);
    expect(await state(order)).toEqual(["NOTPAY", false]);
  });

  it.each([
    ["reset", {}],
    ["http_status", { status: 502 }],
    ["http_status", { status: 429 }],
    ["truncated_body", undefined],
    ["reply_signature", undefined],
    ["return_code_fail", {}],
    ["err_code", { code: "SYSTEMERROR" }],
  ])("settles nothing by a query with the result %s %o, and everything by the next", async (kind, params) => {
    const order = await paid();
    const { out_trade_no } = order;
    await fault(kind, { calls: ["orderquery"], ...params }, { scope: { out_trade_no } });
    const { deliveries } = await send(order, "genuine", {});
    expect([deliveries[0]?.accepted, await state(order)]).toEqual([false, ["NOTPAY", false]]);
    expect((await payments.call("GET", `/orders/${String(order.id)}`)).status).toBe(503);
    await payments.sim("DELETE", "/faults");
    expect((await payments.get(order.id)).trade_state).toBe("SUCCESS");
  });

  it.each([
    ["no_answer", {}],
    ["slow_answer", { delay_ms: 6_000 }],
  ])("does not wait longer than the provider does for a query with the result %s", async (kind, params) => {
    const settings = { payment_version: version };
    await using hurried = await startPaymentsApp({ hurried: true, notified: true, settings });
    await hurried.sim("POST", "/faults", { kind: "notification_lost", params: {} });
    const order = await hurried.place();
    await hurried.pay(order);
    await hurried.sim("POST", "/faults", { kind, params: { calls: ["orderquery"], ...params } });
    const to = `/orders/${order.out_trade_no}/notifications`;
    const reply = await hurried.sim<Sent>("POST", to, { kind: "genuine", params: {} });
    expect(reply.deliveries).toMatchObject([{ accepted: false, verdict: "refused" }]);
    expect(await state(order, hurried)).toEqual(["NOTPAY", false]);
  });

  it.each(["reset", "http_status", "return_code_fail"])(
    "places one order although its first answer was lost (%s)",
    async (kind) => {
      await fault(kind, { calls: ["unifiedorder"], when: "after" }, { times: 1 });
      const { status, body } = await payments.create();
      expect([status, body.data.pay]).toEqual([201, expect.any(Object)]);
      expect(payments.trip.count("placeOrder")).toBe(2);
    },
  );

  it.each(["reset", "http_status"])("refunds once although the first answer was lost (%s)", async (kind) => {
    const order = await paid();
    await payments.get(order.id);
    await fault(kind, { calls: ["refund"], when: "after" }, { times: 1 });
    expect((await payments.refund(order.id, { amount: 3 })).status).toBe(201);
    const { refunds } = await payments.sim<{ refunds: { refund: number }[] }>("GET", `/orders/${order.out_trade_no}`);
    expect(refunds.map(({ refund }) => refund)).toEqual([3]);
  });

  it.each([
    ["ABNORMAL", "REFUND"],
    ["CLOSED", "REFUND"],
  ])("follows a refund to %s", async (status, expected) => {
    const order = await paid();
    await payments.get(order.id);
    await fault("refund_outcome", { status });
    await payments.refund(order.id);
    await expect.poll(async () => (await payments.stored(order.id)).refunds[0]?.status).toBeDefined();
    await payments.later(10_000);
    await payments.later(60_000);
    const { refunds, trade_state } = await payments.stored(order.id);
    expect([refunds[0]?.status, trade_state]).toEqual([status, expected]);
  });

  it.each(["ORDERPAID", "FREQUENCY_LIMITED"])("settles what is paid while it is being closed (%s)", async (answer) => {
    await lost();
    const order = await payments.place();
    await fault("close_race", { answer });
    expect((await payments.call("POST", `/orders/${String(order.id)}/closures`)).status).toBe(403);
    expect(await state(order)).toEqual(["SUCCESS", true]);
  });

  it.each(["NOTPAY", "USERPAYING", "PAYERROR", "CLOSED", "REVOKED", "REFUND"])(
    "delivers nothing when query order says %s",
    async (told) => {
      const order = await paid();
      await fault("trade_state", { state: told });
      await send(order, "genuine", {});
      expect(await state(order)).toEqual([told, false]);
    },
  );

  it("asks again when the provider does not see the order at first", async () => {
    const order = await paid();
    await fault("order_not_exist", { queries: 1 });
    expect((await send(order, "genuine", {})).deliveries[0]?.accepted).toBe(true);
    expect(await state(order)).toEqual(["SUCCESS", true]);
  });
});

describe.each([["v2"], ["v3"]] as const)("payments by code of %s, against the simulator's own faults", (version) => {
  let payments: PaymentsApp;
  beforeAll(async () => {
    payments = await startPaymentsApp({ settings: { payment_version: version } });
  });
  afterEach(() => payments.sim("DELETE", "/faults"));
  afterAll(() => payments[Symbol.asyncDispose]());

  const pay = async () =>
    (await payments.create({ trade_type: "MICROPAY", auth_code: await payments.code() })).body.data;
  const stored = async ({ id }: ApiOrder) => (await payments.stored(id)).trade_state;

  it.each([
    ["SUCCESS", "SUCCESS"],
    ["PAYERROR", "REVOKED"],
    ["never", "REVOKED"],
  ])("end as they should when a buyer's password ends in %s", async (outcome, expected) => {
    await payments.sim("POST", "/faults", {
      kind: "user_paying",
      params: { outcome, ...(outcome !== "never" && { after_queries: 2 }) },
    });
    const order = await pay();
    expect(order.trade_state).toBe("USERPAYING");
    for (let i = 0; i < 8; i++) await payments.later(10_000);
    expect(await stored(order)).toBe(expected);
  });

  it("are settled when the buyer confirms after a reversal that came while the password was being typed", async () => {
    await payments.sim("PATCH", "/settings", { password_seconds: 300 });
    payments.trip.reset();
    const auth_code = await payments.code("asks-password");
    const order = (await payments.create({ trade_type: "MICROPAY", auth_code })).body.data;
    await payments.later(46_000);
    expect([await stored(order), payments.trip.count("reverseOrder")]).toEqual(["USERPAYING", 1]);
    await payments.pay(order);
    await payments.later(10_000);
    expect([await stored(order), payments.trip.count("reverseOrder")]).toEqual(["SUCCESS", 1]);
  });

  it("refuse their owner's reversal while the password is being typed", async () => {
    await payments.sim("PATCH", "/settings", { password_seconds: 300 });
    const auth_code = await payments.code("asks-password");
    const order = (await payments.create({ trade_type: "MICROPAY", auth_code })).body.data;
    const { status, body } = await payments.call("POST", `/orders/${String(order.id)}/reversals`);
    expect([status, body.code]).toEqual([503, "payment_refused"]);
  });

  it("are taken back after PAYERROR, also when the money was taken all the same", async () => {
    await payments.sim("POST", "/faults", { kind: "pay_error", params: { outcome: "SUCCESS", queries: 1 } });
    const order = await pay();
    for (let i = 0; i < 4; i++) await payments.later(10_000);
    expect(await stored(order)).toBe("REVOKED");
    const { order: known } = await payments.sim<{ order: { trade_state: string } }>(
      "GET",
      `/orders/${order.out_trade_no}`,
    );
    expect(known.trade_state).toBe("REVOKED");
  });
});
