import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredOrderDetail, StoredOrderPage } from "../../../server/contract/app/payments.ts";
import { json } from "../../support/app/control-calls.ts";
import { changing, refusing } from "../../support/trip-wire.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

let payments: PaymentsApp;
beforeAll(async () => {
  payments = await startPaymentsApp();
});
afterAll(() => payments[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown) => payments.console(payments.app, method, path, body);
const list = (query = "") => json<StoredOrderPage>(call("GET", `/orders?${query}`));
const idsOf = ({ orders }: StoredOrderPage) => orders.map(({ id }) => id);

describe("the console's orders", () => {
  it("are those of all users, the newest first, with counts by state, narrowed by state and text, page by page", async () => {
    const first = await payments.place();
    const stranger = await payments.app.loggedIn("another");
    const second = (await payments.create({ description: "50% off_all" }, stranger)).body.data;
    await payments.pay(second);
    await payments.notify(second);
    const page = await list();
    expect(idsOf(page)).toEqual([second.id, first.id]);
    expect(page.orders.map(({ owner_uid }) => owner_uid)).toEqual(["u2", "u1"]);
    expect(page.counts).toMatchObject({ NOTPAY: 1, SUCCESS: 1, CLOSED: 0, REFUND: 0 });
    expect(idsOf(await list("trade_state=NOTPAY"))).toEqual([first.id]);
    expect((await list("trade_state=NOTPAY")).counts.SUCCESS).toBe(1);
    const { total, stored } = await list("trade_state=NOTPAY&q=off_a");
    expect([total, stored]).toEqual([0, 2]);
    expect(page.amounts).toMatchObject({ NOTPAY: first.amount, SUCCESS: second.amount, CLOSED: 0 });
    expect(idsOf(await list(`out_trade_no=${first.out_trade_no}`))).toEqual([first.id]);
    expect(idsOf(await list(`q=${first.out_trade_no.slice(4, 20)}`))).toEqual([first.id]);
    expect(idsOf(await list("q=off_a"))).toEqual([second.id]);
    expect(idsOf(await list("q=50%25"))).toEqual([second.id]);
    expect(idsOf(await list("q=o%25o"))).toEqual([]);
    expect(idsOf(await list("limit=1"))).toEqual([second.id]);
    expect(idsOf(await list("sort=trade_state"))).toEqual([first.id, second.id]);
    expect(idsOf(await list("sort=-trade_state&limit=1&offset=1"))).toEqual([first.id]);
    expect(idsOf(await list(`before=${String(second.id)}`))).toEqual([first.id]);
  });

  it("return the whole history of one, in order, with the three words of each reply separated", async () => {
    const order = await payments.place();
    await payments.pay(order);
    await payments.notify(order);
    const { history, placement, next_query_at } = await payments.stored(order.id);
    expect([placement, next_query_at]).toEqual(["placed", undefined]);
    expect(history.map(({ id }) => id)).toEqual(history.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(
      history.map(({ kind, name, return_code = "-", result_code = "-", trade_state = "-", reason }) =>
        [kind, name, return_code, result_code, trade_state, reason].join(" "),
      ),
    ).toEqual([
      "call unifiedorder - - - placed_by_client",
      "reply unifiedorder SUCCESS SUCCESS - done",
      "notification payment SUCCESS SUCCESS - reported",
      "call orderquery - - - notification",
      "reply orderquery SUCCESS SUCCESS SUCCESS done",
      "decision settle - - SUCCESS settled",
    ]);
    for (const { text } of history) expect(text).toMatch(/^\S.+[.]$/);
    expect((await call("GET", "/orders/987654")).status).toBe(404);
  });

  it("give each call the time at which it was sent, and each reply the time at which it came", async () => {
    const order = await payments.place();
    await payments.pay(order);
    payments.trip.next("queryOrder", async (real) => {
      payments.app.clock.offsetMs += 1_000;
      const result = await real();
      payments.app.clock.offsetMs += 1_000;
      return result;
    });
    await payments.notify(order);
    const { history } = await payments.stored(order.id);
    const [sent = 0, came = 0] = history.filter(({ name }) => name === "orderquery").map(({ at }) => Date.parse(at));
    expect(came - sent).toBeGreaterThanOrEqual(2_000);
    const times = history.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
  });

  it("agree with their histories, also while they are being settled", async () => {
    const settledOf = ({ settled_at, history }: StoredOrderDetail) => [
      settled_at !== undefined,
      history.some(({ reason }) => reason === "settled"),
    ];
    for (let round = 0; round < 10; round++) {
      const order = await payments.place();
      await payments.pay(order);
      const notified = payments.notify(order);
      for (let isSettled = false; !isSettled;) {
        const seen = (await Promise.all([1, 2, 3, 4].map(() => payments.stored(order.id)))).map(settledOf);
        expect(seen.filter(([now, told]) => now !== told)).toEqual([]);
        isSettled = seen.every(([now]) => now);
      }
      await notified;
    }
  });

  it("show which ones are held because of their amount, ask again on demand, and go on when a person lifts it", async () => {
    const order = await payments.place();
    await payments.pay(order);
    payments.trip.next("queryOrder", changing({ total: 1 }));
    await payments.notify(order);
    expect(idsOf(await list("amount_mismatch=true"))).toEqual([order.id]);
    expect(idsOf(await list("amount_mismatch=false"))).not.toContain(order.id);
    const ask = (body: object) => json<StoredOrderDetail>(call("POST", `/orders/${String(order.id)}/queries`, body));
    expect(await ask({})).toMatchObject({ trade_state: "NOTPAY", amount_mismatch: true });
    expect(await ask({ lift_mismatch: true })).toMatchObject({ trade_state: "SUCCESS", amount_mismatch: false });
    expect(await payments.decisions(order.id)).toEqual(["amount_mismatch", "held", "lifted", "settled"]);
  });

  it("are closed, refunded and reversed by a person, as by their owners, with the same refusals", async () => {
    const act = (id: number, what: string, body: object = {}) => call("POST", `/orders/${String(id)}/${what}`, body);
    const [unpaid, paid] = [await payments.place(), await payments.place()];
    expect(await json<StoredOrderDetail>(act(unpaid.id, "closures"))).toMatchObject({ trade_state: "CLOSED" });
    expect((await payments.stored(unpaid.id)).history.map(({ reason }) => reason)).toContain("asked_by_person");
    await payments.pay(paid);
    await payments.notify(paid);
    expect((await act(paid.id, "closures")).status).toBe(403);
    const refunded = await act(paid.id, "refunds", { amount: 1, reason: "Too late" });
    expect(refunded.status).toBe(201);
    expect(((await refunded.json()) as StoredOrderDetail).refunds).toMatchObject([{ amount: 1, reason: "Too late" }]);
    expect((await act(paid.id, "refunds", { amount: paid.amount })).status).toBe(400);
    expect((await act(paid.id, "reversals")).status).toBe(403);
    expect((await act(987_654, "closures")).status).toBe(404);
  });

  it("come as events: placed, settled, refused, closed, refunded", async () => {
    const seen: string[] = [];
    const stop = payments.app.bus.subscribe(({ type, source }) => {
      if (source === "/app/payments") seen.push(type);
    });
    const order = await payments.place();
    await payments.notify(order, { mch_id: "1900000110" });
    await payments.pay(order);
    await payments.notify(order);
    await payments.refund(order.id);
    const other = await payments.place();
    await payments.call("POST", `/orders/${String(other.id)}/closures`);
    stop();
    expect(seen).toEqual([
      ...["order.placed", "payment.refused", "payment.settled", "refund.changed", "order.placed", "order.closed"],
    ]);
  });

  it("are removed by a reset, with their refunds and histories, and come back with a fixture", async () => {
    const before = idsOf(await list());
    await call("PUT", "/fixtures/orders", { parts: ["orders"] });
    const { removed } = await json<{ removed: { orders: number } }>(call("POST", "/resets", { parts: ["orders"] }));
    expect([removed.orders, idsOf(await list())]).toEqual([before.length, []]);
    const { db } = payments.app;
    for (const table of ["order_refunds", "order_history"] as const)
      expect(await db.selectFrom(table).select("id").execute()).toEqual([]);
    expect((await call("POST", "/fixtures/orders/loads")).status).toBe(200);
    expect(idsOf(await list())).toEqual(before);
    expect((await payments.stored(before[0] ?? 0)).history.length).toBeGreaterThan(0);
  });

  it("wait as long as they did, as their refunds do, when a fixture of the day before is loaded", async () => {
    await payments.sim("PATCH", "/settings", { refund_seconds: 600, password_seconds: 300 });
    const settled = async () => {
      const order = await payments.place();
      await payments.pay(order);
      await payments.notify(order);
      return order;
    };
    const [accepted, refused] = [await settled(), await settled()];
    await payments.refund(accepted.id);
    payments.trip.next("refund", refusing("NOTENOUGH"));
    expect((await payments.refund(refused.id)).status).toBe(503);
    const auth_code = await payments.code("asks-password");
    const byCode = await payments.place({ trade_type: "MICROPAY", auth_code });
    await call("PUT", "/fixtures/waiting", {});

    await payments.later(24 * 3_600_000);
    expect((await call("POST", "/fixtures/waiting/loads")).status).toBe(200);
    payments.trip.reset();
    await payments.later(10_000);
    expect([(await payments.stored(byCode.id)).trade_state, payments.trip.count("reverseOrder")]).toEqual([
      "USERPAYING",
      0,
    ]);
    for (const { id } of [accepted, refused])
      expect((await payments.stored(id)).refunds).toMatchObject([{ status: "PROCESSING", accepted: true }]);
    const { refunds } = await payments.sim<{ refunds: { status: string }[] }>(
      "GET",
      `/orders/${accepted.out_trade_no}`,
    );
    expect(refunds).toMatchObject([{ status: "PROCESSING" }]);
  });
});
