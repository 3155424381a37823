/** Who sent a recorded request, and what the client did that it is part of. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { byConsoleHeader } from "../../../../server/contract/console/by-console.ts";
import type { Traffic } from "../../../../server/contract/console/traffic/histogram.ts";
import type { PayVersion } from "../../../../server/contract/provider/payment-terms.ts";
import { authorized, recordedCalls } from "../../../support/app/recorded-calls.ts";
import { startPaymentsApp, type PaymentsApp } from "../../../support/payments/payments-app.ts";

describe.each([["v2"], ["v3"]] as const)("recorded requests, with payments of version %s", (version: PayVersion) => {
  let payments: PaymentsApp;
  const { recorded, list, clear } = recordedCalls(() => payments.app);
  const lines = async (query: string) =>
    (await list(query)).requests.map(({ sender, service, path }) => `${sender} ${service} ${path}`).reverse();

  beforeAll(async () => {
    payments = await startPaymentsApp({ notified: true, settings: { payment_version: version } });
  });
  afterAll(() => payments[Symbol.asyncDispose]());
  beforeEach(clear);

  it("are one flow from the login's code to the last prompt, with the 401 of each step and the provider's calls", async () => {
    const { app } = payments;
    const { access_token } = await app.login("carol");
    const headers = { Authorization: `Bearer ${access_token}` };
    const articles = () => fetch(`${app.url}/api/articles`, { headers });
    await articles();
    await app.post(`${app.url}/api/userinfos`, await app.sim("carol", "user-info"), headers);
    await articles();
    await app.post(`${app.url}/api/phonenumbers`, await app.sim("carol", "phone-number"), headers);
    await articles();
    await app.login("dave");

    const { requests } = await list();
    const flow = requests.findLast(({ path }) => path === "/sim/users/carol/login")?.flow ?? "";
    expect(flow).toBe(`login:${String(requests.at(-1)?.id)}`);
    expect(await lines(`flow=${flow}`)).toEqual([
      "client provider /sim/users/carol/login",
      "app provider /sns/jscode2session",
      "client app /api/sessions",
      "client app /api/articles",
      "client provider /sim/users/carol/user-info",
      "client app /api/userinfos",
      "client app /api/articles",
      "client provider /sim/users/carol/phone-number",
      "app provider /wxa/business/getuserphonenumber",
      "client app /api/phonenumbers",
    ]);
    expect(requests.filter(({ flow: one }) => one === undefined).map(({ path }) => path)).toEqual(["/api/articles"]);
    const { flow: next } = requests.find(({ path }) => path === "/api/sessions") ?? {};
    expect(next).toMatch(/^login:/);
    expect(next).not.toBe(flow);
  });

  it("are one flow, too, where the console's page was the platform's client, whose calls are not recorded", async () => {
    const { app } = payments;
    const asPage = async (step: string) => {
      const url = `${app.provider.url}/sim/users/erin/${step}`;
      const answer = await fetch(url, { method: "POST", headers: { [byConsoleHeader]: "1" } });
      return (await answer.json()) as Record<string, unknown>;
    };
    await app.login("carol");
    const session = await (await app.post(`${app.url}/api/sessions`, await asPage("login"))).json();
    await app.login("dave");
    const headers = {
      Authorization: `Bearer ${(session as { status: { access_token: string } }).status.access_token}`,
    };
    await app.post(`${app.url}/api/phonenumbers`, await asPage("phone-number"), headers);

    const { requests } = await list();
    const flow = requests.find(({ path }) => path === "/api/phonenumbers")?.flow ?? "";
    expect(await lines(`flow=${flow}`)).toEqual([
      "app provider /sns/jscode2session",
      "client app /api/sessions",
      "app provider /wxa/business/getuserphonenumber",
      "client app /api/phonenumbers",
    ]);
  });

  it("are one flow for an order with its notification and the queries for it", async () => {
    const order = await payments.place();
    await payments.pay(order);
    await expect.poll(async () => (await payments.stored(order.id)).settled_at).toEqual(expect.any(String));
    await payments.refund(order.id, { amount: 1 });
    await payments.get(order.id);
    await payments.place();
    const ofOrder = `flow=order:${order.out_trade_no}`;
    await expect.poll(async () => (await lines(ofOrder)).filter((line) => line.startsWith("provider")).length).toBe(1);
    const found = await lines(ofOrder);
    expect(found.slice(0, 2)).toEqual([expect.stringMatching(/^app provider /), "client app /api/orders"]);
    expect(found).toContain(`client provider /sim/orders/${order.out_trade_no}/pay`);
    expect(found).toContain("provider app /api/payments/notifications");
    expect(found.filter((line) => line.startsWith("app provider")).length).toBeGreaterThan(1);
    expect(found).toContain(`client app /api/orders/${String(order.id)}/refunds`);
    expect(found).toContain(`client app /api/orders/${String(order.id)}`);
    expect((await lines("sender=client&service=provider")).every((line) => line.includes("/sim/"))).toBe(true);
  });

  it("are the console's, where it logs a user in for itself", async () => {
    const { app } = payments;
    const made = await app.post(`${app.url}/console/api/tokens`, { user: "erin" }, authorized);
    expect(made.status).toBe(201);
    expect(await lines("path=/api/*")).toEqual(["console app /api/sessions", "console app /api/userinfos"]);
    expect(await lines("sender=client")).toEqual([]);
  });

  it("are found by the trace that a client names", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const ask = (path: string, traceparent: string) =>
      fetch(`${payments.app.url}${path}`, { headers: { ...payments.session, traceparent } });
    await ask("/api/articles", `00-${trace}-00f067aa0ba902b7-01`);
    await ask("/api/raffles", `00-${trace}-00f067aa0ba902b8-01`);
    await ask("/api/articles", "no trace");
    expect(await lines(`trace=${trace}`)).toEqual(["client app /api/articles", "client app /api/raffles"]);
  });

  it("are counted over time as the filter and the number of bars say", async () => {
    const histogram = async (query: string) =>
      (await (await recorded(`/histogram?${query}`)).json()) as { step_ms: number; bars: Record<string, number>[] };
    expect(await histogram("")).toEqual({ step_ms: 1_000, bars: [] });
    payments.app.clock.offsetMs += 3_600_000;
    const at = payments.app.clock.now();
    for (const path of ["/api/articles", "/nothing/1", "/nothing/2"])
      await fetch(`${payments.app.url}${path}`, { headers: payments.session });
    payments.app.clock.offsetMs += 20_000;
    await fetch(`${payments.app.url}/nothing/3`);
    // By the way, the orders of the hour before are looked up.
    const bars = async (query: string) =>
      (await histogram(`sender=client&since=${new Date(at).toISOString()}&${query}`)).bars;
    const counts = async (query: string) =>
      (await bars(query)).flatMap(({ count, failed }) => (count === 0 ? [] : [[count, failed]]));
    const all = await bars("bars=30");
    expect(all.length).toBeGreaterThanOrEqual(20);
    expect(all.length).toBeLessThanOrEqual(30);
    expect((await bars("bars=5")).length).toBeLessThanOrEqual(5);
    expect(await counts("bars=30")).toEqual([
      [3, 2],
      [1, 1],
    ]);
    expect(await counts("path=/nothing/*")).toEqual([
      [2, 2],
      [1, 1],
    ]);
    expect(await counts("status=2xx")).toEqual([[1, 0]]);
    const until = new Date(at + 5_000).toISOString();
    expect(await counts(`failed=true&until=${until}`)).toEqual([[2, 2]]);
    expect((await list(`sender=client&until=${until}`)).requests).toHaveLength(3);
    expect((await recorded("/histogram?bars=1")).status).toBe(400);
  });

  it("are counted by who asked whom over the last minutes", async () => {
    const { edges } = (await (await recorded("/traffic")).json()) as Traffic;
    const named = Object.fromEntries(edges.map((edge) => [`${edge.sender} ${edge.service}`, edge]));
    expect(named["client provider"]).toBeUndefined(); // what was before the hour is over
    expect(named["client app"]).toMatchObject({ requests: 4, failed: 0, p95_ms: expect.any(Number) as number });
  });
});
