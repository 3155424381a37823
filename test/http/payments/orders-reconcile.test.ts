import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import type { AdjustableClock } from "../../../server/time/adjustable-clock.ts";
import { changing, failing, refusing } from "../../support/trip-wire.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let payments: PaymentsApp;
beforeEach(async () => {
  payments = await startPaymentsApp();
});
afterEach(() => payments[Symbol.asyncDispose]());

const minute = 60_000;
const hour = 60 * minute;
const storedState = async ({ id }: ApiOrder, at = payments) => (await at.stored(id)).trade_state;

describe("the reconcile job", () => {
  it("asks after 10 s, 30 s, 1, 2, 5, 10 and 30 minutes, then hourly, and closes the order at its end", async () => {
    const order = await payments.place();
    let past = 0;
    const queriesAt = async (ms: number) => {
      const before = payments.trip.count("queryOrder");
      await payments.later(ms - 1 - past);
      const early = payments.trip.count("queryOrder") - before;
      await payments.later(1);
      past = ms;
      return [early, payments.trip.count("queryOrder") - before];
    };
    for (const seconds of [10, 30, 60, 120, 300, 600, 1800, 5400])
      expect(await queriesAt(seconds * 1000), String(seconds)).toEqual([0, 1]);
    await payments.later(2 * hour - past);
    const { trade_state, next_query_at } = await payments.stored(order.id);
    expect([trade_state, next_query_at]).toEqual(["CLOSED", undefined]);
    const { order: known } = await payments.sim<{ order: { trade_state: string } }>(
      "GET",
      `/orders/${order.out_trade_no}`,
    );
    expect(known.trade_state).toBe("CLOSED");
  });

  it("settles what was paid while its notification was lost, and asks no more", async () => {
    const order = await payments.place();
    await payments.pay(order);
    await payments.later(10_000);
    expect(await storedState(order)).toBe("SUCCESS");
    await payments.later(3 * hour);
    expect(payments.trip.count("queryOrder")).toBe(1);
  });

  it("settles what was paid in the last moment, instead of closing it", async () => {
    const order = await payments.place();
    await payments.later(2 * hour - 2_000);
    await payments.pay(order);
    await payments.later(2_000);
    expect(await storedState(order)).toBe("SUCCESS");
  });

  it("goes on when a provider that was down for hours is there again", async () => {
    const order = await payments.place();
    await payments.pay(order);
    payments.trip.always("queryOrder", failing());
    await payments.later(5 * hour);
    expect(await storedState(order)).toBe("NOTPAY");
    payments.trip.always("queryOrder", undefined);
    await payments.later(hour);
    expect(await storedState(order)).toBe("SUCCESS");
  });

  it("closes here, at its end, what the provider never had", async () => {
    payments.trip.next("placeOrder", failing(), failing());
    expect((await payments.create()).status).toBe(503);
    await payments.later(2 * hour);
    const [row] = await payments.app.db.selectFrom("orders").selectAll().orderBy("id", "desc").limit(1).execute();
    expect(row).toMatchObject({ trade_state: "CLOSED", next_query_at: null });
    expect(await payments.decisions(row?.id ?? 0)).toEqual(["not_found"]);
  });

  it("goes on after a restart, with the times that it had", async () => {
    using folder = temporaryFolder();
    let order: ApiOrder;
    let clock: AdjustableClock;
    {
      await using before = await startPaymentsApp({ folder: folder.path });
      ({ clock } = before.app);
      order = await before.place();
      await before.pay(order);
    }
    await using after = await startPaymentsApp({ folder: folder.path, clock });
    expect(await storedState(order, after)).toBe("NOTPAY");
    await after.later(10_000);
    expect(await storedState(order, after)).toBe("SUCCESS");
  });

  it("waits for a fixture's orders as long as was left when it was saved", async () => {
    const order = await payments.place();
    await payments.later(15_000);
    await payments.console(payments.app, "PUT", "/fixtures/open-order", { parts: ["orders"] });
    await payments.later(24 * hour);
    await payments.console(payments.app, "POST", "/resets", { parts: ["orders"] });
    expect((await payments.call("GET", `/orders/${String(order.id)}`)).status).toBe(404);
    await payments.console(payments.app, "POST", "/fixtures/open-order/loads");
    payments.trip.reset();
    payments.trip.always("queryOrder", changing({ tradeState: "NOTPAY" }));
    await payments.later(14_999);
    expect([await storedState(order), payments.trip.count("queryOrder")]).toEqual(["NOTPAY", 0]);
    await payments.later(1);
    expect(payments.trip.count("queryOrder")).toBe(1);
    await payments.console(payments.app, "POST", "/resets", { parts: ["orders"] });
  });

  it.each([24 * hour, 20 * minute])("waits for no time of before the clock was put back by %d ms", async (ms) => {
    payments.app.clock.offsetMs = ms;
    const order = await payments.place();
    await payments.pay(order);
    payments.app.clock.offsetMs = 0;
    payments.app.clock.offsetMs += 10_000;
    await expect.poll(() => storedState(order)).toBe("SUCCESS");
  });

  it("asks soon about a refund after the clock was put back", async () => {
    payments.app.clock.offsetMs = 20 * minute;
    const order = await payments.place();
    await payments.pay(order);
    await payments.get(order.id);
    await payments.refund(order.id);
    payments.trip.always("queryRefund", changing({ status: "SUCCESS" }));
    payments.app.clock.offsetMs = 0;
    payments.app.clock.offsetMs += 10_000;
    const statuses = async () => (await payments.stored(order.id)).refunds.map(({ status }) => status);
    await expect.poll(statuses).toEqual(["SUCCESS"]);
  });

  it("queries several orders at once, and none twice", async () => {
    const orders: ApiOrder[] = [];
    for (let i = 0; i < 30; i++) orders.push(await payments.place());
    for (const order of orders.slice(0, 20)) await payments.pay(order);
    await payments.later(10_000);
    const states = await Promise.all(orders.map((order) => storedState(order)));
    expect(states.filter((state) => state === "SUCCESS")).toHaveLength(20);
    expect(payments.trip.count("queryOrder")).toBe(30);
  });

  it("postpones an order on which it fails, and goes on with the others", async () => {
    const [broken, sound] = [await payments.place(), await payments.place()];
    await payments.pay(sound);
    await payments.app.db.updateTable("orders").set({ placed: "{" }).where("id", "=", broken.id).execute();
    await payments.app.db.updateTable("orders").set({ next_query_at: 1 }).where("id", "=", broken.id).execute();
    payments.app.clock.offsetMs += 10_000;
    await expect.poll(() => storedState(sound)).toBe("SUCCESS");
    await payments.app.db.deleteFrom("orders").where("id", "=", broken.id).execute();
  });
});

describe("an order whose refund has ended", () => {
  async function refunded(): Promise<ApiOrder> {
    const order = await payments.place();
    await payments.pay(order);
    expect((await payments.get(order.id)).trade_state).toBe("SUCCESS");
    expect((await payments.refund(order.id)).status).toBe(201);
    return order;
  }
  const nextInquiries = () => payments.app.db.selectFrom("order_refunds").select("next_query_at").execute();

  it.each([
    ["fails", failing()],
    ["does not know the order", refusing("ORDERNOTEXIST")],
    ["still says SUCCESS", changing({ tradeState: "SUCCESS" })],
  ])("becomes REFUND, though query order %s until long after that, and is asked about no more", async (_, outcome) => {
    payments.trip.always("queryRefund", changing({ status: "SUCCESS" }));
    payments.trip.next("queryOrder", async (real) => real());
    payments.trip.always("queryOrder", outcome);
    const order = await refunded();
    await payments.later(10_000);
    const { trade_state, refunds } = await payments.stored(order.id);
    expect([trade_state, refunds.map(({ status }) => status)]).toEqual(["SUCCESS", ["SUCCESS"]]);
    await payments.later(2 * hour);
    expect(await storedState(order)).toBe("SUCCESS");
    payments.trip.always("queryOrder", undefined);
    await payments.later(hour);
    expect(await storedState(order)).toBe("REFUND");
    payments.trip.reset();
    await payments.later(24 * hour);
    expect(payments.trip.calls).toEqual([]);
  });

  it("has what is left to do written down while query order is asked: after a crash it is asked again", async () => {
    payments.trip.next("queryOrder", async (real) => real(), failing());
    const order = await refunded();
    payments.trip.next("queryRefund", changing({ status: "SUCCESS" }));
    let meanwhile: unknown;
    payments.trip.next("queryOrder", async (real) => ((meanwhile = await nextInquiries()), real()));
    await payments.later(10_000);
    await expect.poll(() => storedState(order)).toBe("REFUND");
    expect(meanwhile).toEqual([{ next_query_at: expect.any(Number) }]);
    await expect.poll(nextInquiries).toEqual([{ next_query_at: null }]);
  });

  it("stays SUCCESS where the refund was closed and query order says so", async () => {
    payments.trip.always("queryOrder", changing({ tradeState: "SUCCESS" }));
    const order = await refunded();
    payments.trip.next("queryRefund", changing({ status: "CLOSED" }));
    await payments.later(10_000);
    await expect.poll(nextInquiries).toEqual([{ next_query_at: null }]);
    expect(await storedState(order)).toBe("SUCCESS");
  });
});
