import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tradeState } from "../../server/contract/provider/payment-terms.ts";
import type { TestApp } from "../support/app/test-app.ts";
import { acknowledged, startPaymentsApp, type PaymentsApp } from "../support/payments/payments-app.ts";
import { changing, failing, refusing } from "../support/trip-wire.ts";
import { bodyOf, describedServer, resolved, type Wire } from "./spec-client.ts";

let payments: PaymentsApp;
beforeAll(async () => {
  payments = await startPaymentsApp({ notified: true });
});
beforeEach(() => {
  payments.trip.reset();
});
afterAll(() => payments[Symbol.asyncDispose]());

const server = describedServer();
let described: TestApp;
beforeAll(async () => {
  described = await server.start();
});
afterAll(server.stop);

const fail = /return_code><!\[CDATA\[FAIL/;
const post = (id: number, end: string) => payments.call<Wire>("POST", `/orders/${String(id)}/${end}`);
const description = async (): Promise<Wire> => bodyOf(await fetch(`${described.url}/swagger/docs/v1`));
const stateOf = async (id: number) => (await payments.stored(id)).trade_state;
const settled = async (id: number) => (await payments.stored(id)).settled_at !== undefined;
/** Places an order that the buyer pays, and waits until the provider's notification has settled it. */
async function settledOrder() {
  const order = await payments.place();
  await payments.pay(order);
  await expect.poll(() => settled(order.id)).toBe(true);
  return order;
}
const byCode = async (outcome?: string) =>
  (await payments.create({ trade_type: "MICROPAY", auth_code: await payments.code(outcome) })).body.data;

describe("Service", () => {
  it("[Service 5] a notification and a query result are taken in and judged by the three status fields", async () => {
    const { id } = await settledOrder();
    const { history } = await payments.stored(id);
    const judged = history.find(({ kind, name }) => kind === "reply" && name === "orderquery");
    expect(judged).toMatchObject({ return_code: "SUCCESS", result_code: "SUCCESS", trade_state: "SUCCESS" });
    expect(history.some(({ kind }) => kind === "notification")).toBe(true);
  });
});

describe("Payment status fields", () => {
  it("[Payment status fields 1] return_code tells of the communication: FAIL leaves the order as it was", async () => {
    const order = await payments.place();
    const reply = await payments.post(
      `<xml><return_code>FAIL</return_code><result_code>SUCCESS</result_code><out_trade_no>${order.out_trade_no}</out_trade_no></xml>`,
    );
    expect(reply.text).toBe(acknowledged);
    expect(await stateOf(order.id)).toBe("NOTPAY");
  });

  it("[Payment status fields 2] result_code tells of one call: FAIL of a close is no end of the order", async () => {
    const order = await payments.place();
    payments.trip.next("closeOrder", refusing("TRADE_ERROR"));
    expect((await post(order.id, "closures")).status).toBe(403);
    const { history, trade_state } = await payments.stored(order.id);
    expect(history.find(({ name, kind }) => name === "closeorder" && kind === "reply")).toMatchObject({
      return_code: "SUCCESS",
      result_code: "FAIL",
      err_code: "TRADE_ERROR",
    });
    expect(trade_state).toBe("NOTPAY");
  });

  it("[Payment status fields 3] trade_state is the order's state, in every answer about it", async () => {
    const order = await settledOrder();
    expect(order.trade_state).toBe("NOTPAY");
    expect((await payments.get(order.id)).trade_state).toBe("SUCCESS");
    const list = await payments.call<Wire[]>("GET", "/orders?trade_state=SUCCESS");
    expect(list.body.data.map(({ id }) => id)).toContain(order.id);
  });

  it("[Payment status fields 4] the description shows the order's other fields, and answers have no others", async () => {
    const all = await description();
    const { id } = await settledOrder();
    const { properties } = all.components.schemas.Order;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(["out_trade_no", "amount", "pay", "refunds"]));
    for (const name of Object.keys(await payments.get(id))) expect(properties).toHaveProperty([name]);
  });
});

describe("Trade state", () => {
  it("[Trade state 1] SUCCESS: the buyer has paid, and the order is settled", async () => {
    const { id } = await settledOrder();
    expect(await payments.get(id)).toMatchObject({ trade_state: "SUCCESS", settled_at: expect.any(String) });
  });

  it("[Trade state 2] REFUND: money was given back", async () => {
    const { id } = await settledOrder();
    expect((await payments.refund(id, { amount: 1 })).status).toBe(201);
    expect((await payments.get(id)).trade_state).toBe("REFUND");
  });

  it("[Trade state 3] NOTPAY: nobody has paid yet", async () => {
    const { id } = await payments.place();
    expect(await payments.get(id)).toMatchObject({ trade_state: "NOTPAY", pay: expect.any(Object) });
  });

  it("[Trade state 4] CLOSED: nobody can pay any more", async () => {
    const order = await payments.place();
    expect((await post(order.id, "closures")).body.data.trade_state).toBe("CLOSED");
    expect(await payments.pay(order)).toMatchObject({ code: expect.any(String) });
    expect(await stateOf(order.id)).toBe("CLOSED");
  });

  it("[Trade state 5] REVOKED: a payment by code was taken back", async () => {
    const order = await byCode();
    expect((await post(order.id, "reversals")).body.data.trade_state).toBe("REVOKED");
  });

  it("[Trade state 6] USERPAYING: the buyer is typing the password for a payment by code", async () => {
    expect((await byCode("asks-password")).trade_state).toBe("USERPAYING");
  });

  it("[Trade state 7] PAYERROR: the bank has refused, and nothing is settled", async () => {
    const order = await byCode("refused");
    expect([order.trade_state, order.settled_at]).toEqual(["PAYERROR", undefined]);
  });

  it("[Trade state 8] the description says which state follows which, and no other follows", async () => {
    const { trade_state } = (await description()).components.schemas.Order.properties;
    for (const state of tradeState.options) expect(trade_state.description).toContain(state);
    const order = await settledOrder();
    payments.trip.always("queryOrder", changing({ tradeState: "NOTPAY" }));
    await payments.console(payments.app, "POST", `/orders/${String(order.id)}/queries`, {});
    expect([await stateOf(order.id), await payments.decisions(order.id)]).toEqual([
      "SUCCESS",
      expect.arrayContaining(["contradiction"]),
    ]);
  });
});

describe("Payment operations", () => {
  it("[Payment operations 1] unified order: POST /api/orders places one at the provider", async () => {
    const { status, body } = await payments.create();
    expect([status, payments.trip.calls]).toEqual([201, ["placeOrder"]]);
    const { order } = await payments.sim<Wire>("GET", `/orders/${body.data.out_trade_no}`);
    expect(order).toMatchObject({ total: 101, trade_state: "NOTPAY" });
  });

  it("[Payment operations 2] query order: GET /api/orders/{id} looks it up at the provider", async () => {
    const order = await payments.place();
    await payments.get(order.id);
    expect(payments.trip.count("queryOrder")).toBe(1);
  });

  it("[Payment operations 3] close order: POST /api/orders/{id}/closures closes it at the provider", async () => {
    const order = await payments.place();
    expect((await post(order.id, "closures")).status).toBe(200);
    const { order: known } = await payments.sim<Wire>("GET", `/orders/${order.out_trade_no}`);
    expect(known.trade_state).toBe("CLOSED");
  });

  it("[Payment operations 4] the notification comes in without a login, and answers without a status package", async () => {
    const order = await payments.place();
    const reply = await payments.notify(order);
    expect([reply.status, reply.type]).toEqual([200, "text/xml; charset=utf-8"]);
    expect(reply.text).toMatch(fail);
  });

  it("[Payment operations 5] the description shows their paths and fields", async () => {
    const all = await description();
    for (const [path, method] of [
      ["/api/orders", "post"],
      ["/api/orders/{id}", "get"],
      ["/api/orders/{id}/closures", "post"],
      ["/api/orders/{id}/refunds", "post"],
      ["/api/orders/{id}/reversals", "post"],
    ] as const) {
      const { responses } = all.paths[path][method];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["401", "403", "503"]));
    }
    const { content } = all.paths["/api/payments/notifications"].post.requestBody;
    expect(Object.keys(content)).toEqual(["application/xml", "application/json"]);
  });
});

describe("Events", () => {
  it("[Events 1] the result of a payment comes in by itself: nobody asks, and the order is settled", async () => {
    const order = await settledOrder();
    const { history } = await payments.stored(order.id);
    expect(history.filter(({ kind }) => kind === "notification")).toHaveLength(1);
    expect(history.filter(({ reason }) => reason === "asked_by_client")).toEqual([]);
  });
});

describe("Payment notification", () => {
  it("[Payment notification 1] it carries return_code and result_code, and both are kept apart", async () => {
    const { id } = await settledOrder();
    const { history } = await payments.stored(id);
    expect(history.find(({ kind }) => kind === "notification")).toMatchObject({
      return_code: "SUCCESS",
      result_code: "SUCCESS",
    });
  });

  it("[Payment notification 2] its return_code is expected to be SUCCESS: any other is no news of an order", async () => {
    const order = await payments.place();
    await payments.post("<xml><return_code>FAIL</return_code><return_msg>lost</return_msg></xml>");
    expect([await stateOf(order.id), payments.trip.calls]).toEqual(["NOTPAY", ["placeOrder"]]);
  });

  it("[Payment notification 3] result_code is not trusted: query order is called, and trade_state decides", async () => {
    const unpaid = await payments.place();
    expect((await payments.notify(unpaid)).text).toMatch(fail);
    expect([await stateOf(unpaid.id), payments.trip.count("queryOrder")]).toEqual(["NOTPAY", 1]);
    payments.trip.next("queryOrder", failing());
    const paid = await payments.place();
    await payments.pay(paid);
    await expect
      .poll(async () => (await payments.notify(paid, { result_code: "FAIL", err_code: "BANKERROR" })).text)
      .toBe(acknowledged);
    expect(await settled(paid.id)).toBe(true);
  });

  it("[Payment notification 4] its other fields are decided, and the description shows them, for both versions", async () => {
    const all = await description();
    const { content } = all.paths["/api/payments/notifications"].post.requestBody;
    const fields = (type: string) => Object.keys(resolved(all, content[type].schema).properties);
    expect(fields("application/xml")).toEqual(
      expect.arrayContaining(["return_code", "result_code", "out_trade_no", "transaction_id", "total_fee", "sign"]),
    );
    expect(fields("application/json")).toEqual(expect.arrayContaining(["event_type", "resource"]));
  });
});

describe("More error rules", () => {
  it("[More error rules 3] return_code FAIL is 503 with Retry-After; result_code FAIL names its err_code and what to do", async () => {
    payments.trip.next("placeOrder", failing(), failing());
    const communication = await payments.create();
    expect([communication.status, communication.headers.has("retry-after")]).toEqual([503, true]);
    for (const [code, status] of [
      ["PARAM_ERROR", 400],
      ["APPID_NOT_EXIST", 403],
      ["ORDERNOTEXIST", 404],
    ] as const) {
      payments.trip.next("placeOrder", refusing(code));
      const action = await payments.create();
      expect([action.status, action.body.details]).toEqual([status, [{ field: "err_code", problem: code }]]);
      expect(action.body.Message).toMatch(new RegExp(`${code} .+[.] .+[.]$`));
    }
  });
});
