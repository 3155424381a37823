import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import { changing, failing, refusing } from "../../support/trip-wire.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

let payments: PaymentsApp;
beforeEach(async () => {
  payments = await startPaymentsApp();
});
afterEach(() => payments[Symbol.asyncDispose]());

const hour = 3_600_000;
const storedState = async ({ id }: ApiOrder) => (await payments.stored(id)).trade_state;
const byCode = async (outcome: string) =>
  (await payments.create({ trade_type: "MICROPAY", auth_code: await payments.code(outcome) })).body.data;

describe("a payment by code that waits for the buyer's password", () => {
  it("is settled by the next poll after the buyer has confirmed", async () => {
    const order = await byCode("asks-password");
    await payments.later(10_000);
    expect(await storedState(order)).toBe("USERPAYING");
    await payments.pay(order);
    await payments.later(10_000);
    expect(await storedState(order)).toBe("SUCCESS");
  });

  it.each([
    ["with the last seconds", 43_000, 2_000],
    ["while nobody asked, for an hour", 0, hour],
  ])("is settled, not reversed, when the buyer has confirmed %s", async (_, before, after) => {
    const order = await byCode("asks-password");
    await payments.later(before);
    await payments.pay(order);
    await payments.later(after);
    expect([await storedState(order), payments.trip.count("reverseOrder")]).toEqual(["SUCCESS", 0]);
  });

  it("is asked about again in 10 s, not reversed, when nobody knows at 45 s whether it is paid", async () => {
    const order = await byCode("asks-password");
    await payments.later(43_000);
    await payments.pay(order);
    payments.trip.next("queryOrder", failing());
    await payments.later(2_000);
    expect([await storedState(order), payments.trip.count("reverseOrder")]).toEqual(["USERPAYING", 0]);
    await payments.later(10_000);
    expect([await storedState(order), payments.trip.count("reverseOrder")]).toEqual(["SUCCESS", 0]);
  });

  it("is settled when the buyer confirms after a reversal that was refused with USERPAYING", async () => {
    const order = await byCode("asks-password");
    payments.trip.next("reverseOrder", refusing("USERPAYING"));
    await payments.later(45_000);
    await payments.pay(order);
    await payments.later(10_000);
    expect([await storedState(order), payments.trip.count("reverseOrder")]).toEqual(["SUCCESS", 1]);
  });

  it("is held, not reversed, when another amount was paid", async () => {
    const order = await byCode("asks-password");
    await payments.pay(order);
    payments.trip.always("queryOrder", changing({ total: 1 }));
    await payments.later(45_000);
    const { trade_state, amount_mismatch } = await payments.stored(order.id);
    expect([trade_state, amount_mismatch, payments.trip.count("reverseOrder")]).toEqual(["USERPAYING", true, 0]);
  });

  it("is polled every 10 s up to 45 s and then reversed", async () => {
    const order = await byCode("asks-password");
    payments.trip.reset();
    payments.trip.always("queryOrder", changing({ tradeState: "USERPAYING" }));
    for (let i = 1; i <= 4; i++) {
      await payments.later(10_000);
      expect(payments.trip.count("queryOrder")).toBe(i);
    }
    expect(payments.trip.count("reverseOrder")).toBe(0);
    payments.trip.always("queryOrder", undefined);
    await payments.later(5_000);
    expect([await storedState(order), payments.trip.count("reverseOrder")]).toEqual(["REVOKED", 1]);
  });

  it("is reversed soon when the clock has been put back", async () => {
    payments.app.clock.offsetMs = 24 * hour;
    await byCode("asks-password");
    payments.app.clock.offsetMs = 0;
    payments.app.clock.offsetMs += 10_000;
    await expect.poll(() => payments.trip.count("reverseOrder")).toBeGreaterThan(0);
  });

  it("is polled further when the reversal is refused with USERPAYING, or unanswered", async () => {
    const order = await byCode("asks-password");
    payments.trip.next("reverseOrder", refusing("USERPAYING"), failing());
    await payments.later(45_000);
    await payments.later(10_000);
    expect(await storedState(order)).not.toBe("REVOKED");
    await payments.later(10_000);
    expect([await storedState(order), payments.trip.count("reverseOrder")]).toEqual(["REVOKED", 3]);
  });

  it("is reversed after PAYERROR, since money may have moved all the same", async () => {
    const order = await byCode("refused");
    expect(order.trade_state).toBe("PAYERROR");
    await payments.later(0);
    expect(await storedState(order)).toBe("REVOKED");
  });

  it("is requested again under the same number, and reversed, when its result is unknown", async () => {
    const auth_code = await payments.code("paid");
    payments.trip.next("payByCode", async (real) => (await real(), failing("SYSTEMERROR")));
    payments.trip.next("queryOrder", failing());
    const answer = await payments.create({ trade_type: "MICROPAY", auth_code }, { "Idempotency-Key": "till-1" });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      503,
      expect.stringMatching(/^\/api\/orders\/\d+$/),
    ]);
    const again = await payments.create({ trade_type: "MICROPAY", auth_code }, { "Idempotency-Key": "till-1" });
    expect([again.status, again.body.data.trade_state]).toEqual([201, "SUCCESS"]);
  });
});

describe("a reversal that is asked for while the buyer is typing", () => {
  const pays = (order: ApiOrder) => payments.pay(order);
  const asks = ({ id }: ApiOrder) => payments.get(id);
  const asksAtTheConsole = ({ id }: ApiOrder) =>
    payments.console(payments.app, "POST", `/orders/${String(id)}/queries`, {});
  const limited = () => payments.sim("PATCH", "/settings", { reverse_min_age_seconds: 15 });
  const unanswered = () => payments.trip.next("reverseOrder", failing());
  const waits = () => payments.later(10_000);

  it.each([
    ["while nobody pays", []],
    ["when the buyer pays", [pays]],
    ["when the buyer pays, and the owner asks", [pays, asks]],
    ["when the buyer pays, and a person at the console asks", [pays, asksAtTheConsole]],
    ["when the buyer pays, and the provider wants to be asked later", [limited, pays, waits]],
    ["when the buyer pays, and a reversal is not answered", [unanswered, pays, waits]],
  ] as const)("is 503, and goes on by itself %s", async (_, meanwhile) => {
    const order = await byCode("asks-password");
    expect(order.trade_state).toBe("USERPAYING");
    payments.trip.next("reverseOrder", refusing("USERPAYING"));
    const { status, headers } = await payments.call("POST", `/orders/${String(order.id)}/reversals`);
    expect([status, headers.get("retry-after")]).toEqual([503, "10"]);
    for (const happen of meanwhile) await happen(order);
    await payments.later(60_000);
    const known = await payments.sim<{ order: { trade_state: string } }>("GET", `/orders/${order.out_trade_no}`);
    expect([await storedState(order), known.order.trade_state]).toEqual(["REVOKED", "REVOKED"]);
  });
});
