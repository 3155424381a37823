/** The event of each attempt to pay that fails, as the console lists it. */
import { expect, it } from "vitest";
import type { EventPage } from "../../../server/contract/console/traffic/event-endpoints.ts";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import type { SimOrder } from "../../../server/contract/provider/sim-orders.ts";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { startPaymentsApp } from "../../support/payments/payments-app.ts";

it("is payment.failed with the reason, whether a control route, a client or a page made the attempt", async () => {
  await using payments = await startPaymentsApp();
  const orders: ApiOrder[] = [];
  for (const trade_type of ["JSAPI", "JSAPI", "NATIVE"]) orders.push(await payments.place({ trade_type }));
  const [byRoute, inClient, onPage] = orders.map(({ out_trade_no }) => out_trade_no);
  await payments.sim("POST", `/orders/${byRoute}/fail`);
  await payments.sim("POST", "/users/buyer/payments?outcome=wrong_password", orders[1]?.pay);
  const { order } = await payments.sim<{ order: SimOrder }>("GET", `/orders/${onPage}`);
  const body = new URLSearchParams({ outcome: "no_funds" });
  expect((await fetch(order.pay_page ?? "", { method: "POST", body, redirect: "manual" })).status).toBe(303);

  const { events } = await json<EventPage>(callConsole(payments.app, "GET", "/events?type=payment.failed"));
  const attempt = { mch_id: order.mch_id, amount: 101 };
  expect(events.map(({ source, subject, data }) => [source, subject, data])).toEqual([
    ["/provider", onPage, { ...attempt, out_trade_no: onPage, reason: "no_funds" }],
    ["/provider", inClient, { ...attempt, out_trade_no: inClient, reason: "wrong_password" }],
    ["/provider", byRoute, { ...attempt, out_trade_no: byRoute, reason: "bank" }],
  ]);
});
