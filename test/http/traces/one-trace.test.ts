/** One trace through everything: client, application server, provider, notification, model service. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import type { RecordedSummary } from "../../../server/contract/console/traffic/requests.ts";
import type { simOrderDetailsSchema } from "../../../server/contract/provider/sim-orders.ts";
import { recordedCalls } from "../../support/app/recorded-calls.ts";
import { eventually } from "../../support/eventually.ts";
import { callConsole, json } from "../../support/app/control-calls.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";
import type { z } from "zod";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const clientSpan = "00f067aa0ba902b7";
const traced = { traceparent: `00-${trace}-${clientSpan}-01`, tracestate: "vendor=1" };

describe("a client's trace", () => {
  let payments: PaymentsApp;
  const { list, get, clear } = recordedCalls(() => payments.app);
  const ofTrace = async () => (await list(`trace=${trace}`)).requests.toReversed();
  const named = (requests: readonly RecordedSummary[], path: string) =>
    requests.filter((request) => request.path === path);

  beforeAll(async () => {
    payments = await startPaymentsApp({ notified: true });
  });
  afterAll(() => payments[Symbol.asyncDispose]());
  beforeEach(clear);

  it("goes through an order: its call at the provider, the notification of its payment and the query behind it", async () => {
    const { app } = payments;
    const created = await payments.create({}, traced);
    const order = created.body.data;
    const paid = await fetch(`${app.provider.url}/sim/orders/${order.out_trade_no}/pay`, {
      method: "POST",
      headers: traced,
    });
    expect(paid.status).toBe(200);
    await eventually(async () => expect((await payments.stored(order.id)).settled_at).toEqual(expect.any(String)));
    await eventually(async () => expect(named(await ofTrace(), "/api/payments/notifications")).toHaveLength(1));

    const requests = await ofTrace();
    const [placed] = named(requests, "/api/orders");
    const [unified] = named(requests, "/pay/unifiedorder");
    const [pay] = named(requests, `/sim/orders/${order.out_trade_no}/pay`);
    const [notified] = named(requests, "/api/payments/notifications");
    const [queried] = named(requests, "/pay/orderquery");
    expect(placed).toMatchObject({ trace_id: trace, parent_id: clientSpan, flow: `order:${order.out_trade_no}` });
    expect(unified).toMatchObject({ parent_id: placed?.span_id, sender: "app" });
    expect(pay).toMatchObject({ parent_id: clientSpan });
    expect(notified).toMatchObject({ parent_id: pay?.span_id });
    expect(queried).toMatchObject({ parent_id: notified?.span_id });
    expect(created.headers.get("traceparent")).toBe(`00-${trace}-${String(placed?.span_id)}-01`);

    const details = await payments.sim<z.infer<typeof simOrderDetailsSchema>>("GET", `/orders/${order.out_trade_no}`);
    const [call] = details.calls;
    const attempt = details.notifications[0]?.attempts[0];
    expect(call).toMatchObject({ trace_id: trace, span_id: unified?.span_id, parent_id: placed?.span_id });
    expect(attempt).toMatchObject({ trace_id: trace, parent_id: clientSpan, span_id: pay?.span_id });
    const sent = (await get(notified?.id ?? 0)).request.headers;
    expect(sent).toContainEqual({ name: "traceparent", value: attempt?.request.headers["traceparent"] });

    const { history } = await payments.stored(order.id);
    expect(history.map(({ trace_id }) => trace_id)).toEqual(history.map(() => trace));
    const spanOf = (name: string) => history.find((entry) => entry.name === name)?.span_id;
    expect([spanOf("unifiedorder"), spanOf("payment")]).toEqual([placed?.span_id, notified?.span_id]);
    const { events } = await json<{ events: CloudEvent[] }>(callConsole(app, "GET", `/events?q=${trace}`));
    expect(events.map(({ type }) => type)).toEqual(["payment.settled", "order.placed"]);
  });

  it("goes through a login to the calls at the provider, and not beyond its requests", async () => {
    const { app } = payments;
    const code = await app.sim("frank", "login");
    const login = await app.post(`${app.url}/api/sessions`, code, traced);
    const { access_token } = ((await login.json()) as { status: { access_token: string } }).status;
    const headers = { Authorization: `Bearer ${access_token}` };
    await app.post(`${app.url}/api/phonenumbers`, await app.sim("frank", "phone-number"), { ...headers, ...traced });
    const untraced = await fetch(`${app.url}/api/articles`, {
      headers: { ...headers, traceparent: `${traced.traceparent}-x` },
    });
    await eventually(async () => expect(await ofTrace()).toHaveLength(4));
    const requests = await ofTrace();
    const [first] = named(requests, "/api/sessions");
    expect(named(requests, "/sns/jscode2session")).toMatchObject([{ parent_id: first?.span_id, flow: first?.flow }]);
    expect(named(requests, "/wxa/business/getuserphonenumber")).toMatchObject([{ flow: first?.flow }]);
    expect(untraced.headers.get("traceparent")).toMatch(/^00-(?!4bf92f)[\da-f]{32}-[\da-f]{16}-01$/);
  });

  it("is named by no reply that stands for the platform", async () => {
    for (const path of ["/sns/jscode2session", "/pay/orderquery", "/v3/certificates"]) {
      const reply = await fetch(payments.app.provider.url + path, { method: "POST", headers: traced });
      expect([...reply.headers.keys()]).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^trace|^x-request/)]),
      );
    }
  });

  it("keeps the id that a reply of version 3 names", async () => {
    const reply = await fetch(`${payments.app.provider.url}/v3/certificates`);
    const { requests } = await list("path=/v3/certificates");
    expect(requests[0]?.request_id).toBe(reply.headers.get("request-id"));
  });
});
