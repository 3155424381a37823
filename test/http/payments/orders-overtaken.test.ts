/**
 * Calls that are under way while their order changes: all orders are removed, after which ids begin at 1 again, or another
 * instance, which has the order's mutex no more, writes to it.
 */
import type { Updateable } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OrdersTable } from "../../../server/app/payments/store/orders-tables.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { changing, type Tripped } from "../../support/trip-wire.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

type Call = Extract<Tripped, (...given: never) => unknown>;

let payments: PaymentsApp;
/** The order that has the id after the reset. */
let next: ApiOrder;
beforeEach(async () => {
  payments = await startPaymentsApp();
  next = await payments.place();
  await payments.console(payments.app, "PUT", "/fixtures/next", { parts: ["orders"] });
  await reset();
});
afterEach(() => payments[Symbol.asyncDispose]());

const reset = () => payments.console(payments.app, "POST", "/resets", { parts: ["orders"] });

async function paid(): Promise<ApiOrder> {
  const order = await payments.place();
  await payments.pay(order);
  expect(order.id).toBe(next.id);
  return order;
}

/** The answer comes when all orders have been removed and another one has the id. */
const afterReset =
  (members: object = {}): Call =>
  async (real) => {
    const answer = await (changing(members) as Call)(real);
    await reset();
    await payments.console(payments.app, "POST", "/fixtures/next/loads");
    return answer;
  };

const left = async () => {
  const { trade_state, refunds, history } = await payments.stored(next.id);
  return [trade_state, refunds, history.map(({ kind }) => kind)];
};
const untouched = ["NOTPAY", [], ["call", "reply"]];

describe("a call about an order that a reset removes meanwhile", () => {
  it.each([
    ["settles", {}],
    ["closes", { tradeState: "CLOSED" }],
    ["writes in the history of", { tradeState: "NOTPAY" }],
  ])("never %s the next order of its id", async (_, members) => {
    const order = await paid();
    payments.trip.next("queryOrder", afterReset(members));
    const { status } = await payments.call("GET", `/orders/${String(order.id)}`);
    expect([status, await left()]).toEqual([404, untouched]);
  });

  it("gives nothing back of the next order of its id", async () => {
    const order = await paid();
    await payments.get(order.id);
    payments.trip.next("refund", afterReset());
    const { status } = await payments.refund(order.id);
    expect([status, await left()]).toEqual([404, untouched]);
  });
});

describe("a call about an order that another instance changes meanwhile", () => {
  const change = (order: ApiOrder, values: Updateable<OrdersTable>) =>
    payments.app.db.updateTable("orders").set(values).where("id", "=", order.id).execute();
  const settled = { trade_state: "SUCCESS", transaction_id: "4200000000000000000000000007", settled_at: 1 } as const;
  const answer = (tradeState: string) => changing({ tradeState, transactionId: settled.transaction_id }) as Call;

  it.each([
    ["settles it, as it would have", settled, ["SUCCESS", "SUCCESS"]],
    ["closes it, as it would have", { trade_state: "CLOSED" }, ["CLOSED", "CLOSED"]],
    ["settles it by a newer answer of query order", settled, ["USERPAYING", "SUCCESS"]],
  ] as const)("and %s, refuses no payment", async (_, values, [older, newer]) => {
    const order = await paid();
    payments.trip.next("queryOrder", (real) => change(order, values).then(() => answer(older)(real)), answer(newer));
    expect((await payments.get(order.id)).trade_state).toBe(newer);
    const { events } = await json<{ events: CloudEvent[] }>(
      callConsole(payments.app, "GET", "/events?type=payment.refused"),
    );
    expect(events).toEqual([]);
  });
});
