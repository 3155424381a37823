/** What a fault of a test hits is marked as such: a request, its call at the platform, its line of the log. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { simOrderDetailsSchema } from "../../../server/contract/provider/sim-orders.ts";
import type { z } from "zod";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { eventually } from "../../support/eventually.ts";
import { recordedLog } from "../../support/quiet-log.ts";
import { authorized, recordedCalls } from "../../support/app/recorded-calls.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

let payments: PaymentsApp;
const { list } = recordedCalls(() => payments.app);
const { log, lines } = recordedLog();
beforeAll(async () => {
  payments = await startPaymentsApp({ log });
});
afterAll(() => payments[Symbol.asyncDispose]());
beforeEach(() => void lines.splice(0));
afterEach(() => payments.sim("PUT", "/faults", { faults: [] }));

it("a call that the platform refuses by a fault names it, and the request that made the call is in its trace", async () => {
  const { id } = await payments.sim<{ id: number }>("POST", "/faults", {
    kind: "http_status",
    params: { status: 502, when: "after" },
  });
  const refused = await payments.create();
  expect(refused.status).toBeGreaterThanOrEqual(500);
  const { requests } = await list();
  const failed = requests.find(({ path }) => path === "/api/orders");
  const made = requests.filter(({ parent_id }) => parent_id === failed?.span_id);
  const mark = { key: `sim-${String(id)}`, kind: "http_status" };
  expect(made.map(({ path, faults }) => [path, faults])).toEqual(made.map(() => ["/pay/unifiedorder", [mark]]));
  expect(made.length).toBeGreaterThan(0);
  expect(failed?.flow).toBe(made[0]?.flow);
  const number = failed?.flow?.slice("order:".length) ?? "";
  const { calls } = await payments.sim<z.infer<typeof simOrderDetailsSchema>>("GET", `/orders/${number}`);
  expect(calls[0]?.faults).toEqual([{ id, kind: "http_status" }]);
});

it("a request that a fault of the platform refuses is one line of the log, which names the fault", async () => {
  await payments.sim("POST", "/faults", { kind: "http_status", params: { status: 502, when: "before" } });
  const { status } = await payments.create();
  expect(status).toBeGreaterThanOrEqual(500);
  const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  await eventually(() =>
    expect(logged()).toContainEqual(
      expect.objectContaining({ level: 30, path: "/api/orders", status, fault: "http_status" }),
    ),
  );
  expect(logged().filter(({ err }) => err !== undefined)).toEqual([]);
});

it("an order's history and events name the fault that hit the calls behind them, and no others do", async () => {
  const { id } = await payments.sim<{ id: number }>("POST", "/faults", {
    kind: "http_status",
    params: { status: 502, when: "before" },
    times: 1,
  });
  const order = await payments.place();
  await payments.pay(order);
  await payments.notify(order);
  const { history } = await payments.stored(order.id);
  const mark = { key: `sim-${String(id)}`, kind: "http_status" };
  expect(history.find(({ kind, name }) => kind === "reply" && name === "unifiedorder")?.faults).toEqual([mark]);
  expect(history.find(({ kind, name }) => kind === "reply" && name === "orderquery")).not.toHaveProperty("faults");
  const { events } = await json<{ events: CloudEvent[] }>(
    callConsole(payments.app, "GET", `/events?q=${order.out_trade_no}`),
  );
  expect(events.map(({ type, faults }) => [type, faults])).toEqual([
    ["payment.settled", undefined],
    ["order.placed", `${mark.key}:http_status`],
  ]);
});

it("a request that a fault of the routes answers names it", async () => {
  const armed = await fetch(`${payments.app.url}/console/api/faults`, {
    method: "POST",
    headers: { ...authorized, "Content-Type": "application/json" },
    body: JSON.stringify({ path: "/api/raffles", status: 503, times: 1 }),
  });
  const { id } = (await armed.json()) as { id: number };
  await fetch(`${payments.app.url}/api/raffles`, { headers: payments.session });
  const { requests } = await list("path=/api/raffles");
  expect(requests[0]).toMatchObject({ status: 503, faults: [{ key: `route-${String(id)}`, kind: "route_status" }] });
});
