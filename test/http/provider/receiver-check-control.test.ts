/** The control routes of the check-up of receivers, where its orders come from, and what it leaves behind. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  receiverCheckProgressSchema,
  receiverCheckSchema,
} from "../../../server/contract/provider/checks/receiver-checks.ts";
import { allowTime, checkReceiver, failed, rowsOf } from "../../support/payments/receivers/receiver-checks.ts";
import { acceptedV2, notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { startShopBackend } from "../../support/payments/shop-backend.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
beforeEach(async () => {
  provider = await startTestProvider();
  await allowTime(provider.url);
});
afterEach(() => provider[Symbol.asyncDispose]());

const post = (body: unknown, headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
  fetch(`${provider.url}/sim/receiver-checks`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal,
  });

/** What a check could have left. */
async function leftovers() {
  const [{ faults }, { notifications }, { orders }] = (await Promise.all([
    provider.control("GET", "/faults"),
    provider.control("GET", "/notifications"),
    provider.control("GET", "/orders"),
  ])) as [{ faults: unknown[] }, { notifications: unknown[] }, { orders: unknown[] }];
  return { faults, notifications, orders };
}
const nothing = { faults: [], notifications: [], orders: [] };

describe("POST /sim/receiver-checks", () => {
  it("leaves no fault, no notification and no order behind", async () => {
    await using shop = await startShopBackend(provider);
    const check = await checkReceiver(provider, {
      ...shop.described,
      only: ["genuine", "forged-unpaid", "amount-less", "state-userpaying", "state-closed"],
    });
    expect(rowsOf(check, "pass")).toHaveLength(5);
    expect(await leftovers()).toEqual(nothing);
  });

  it("sends progress line by line as it is asked for, and is cancelled when the listener goes away", async () => {
    await using receiver = await notificationReceiver(() => undefined); // it never answers
    const leaving = new AbortController();
    const response = await post({ notify_url: receiver.url }, { Accept: "application/x-ndjson" }, leaving.signal);
    expect(response.headers.get("content-type")).toContain("application/x-ndjson");
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    leaving.abort();
    await response.text().catch(() => undefined);
    const state = async () => receiverCheckSchema.parse(await provider.control("GET", "/receiver-checks/1")).state;
    await expect.poll(state).toBe("cancelled");
    expect(await leftovers()).toEqual(nothing);
  });

  it("streams the beginning, each row and its result, and the end", async () => {
    await using shop = await startShopBackend(provider);
    const response = await post(
      { ...shop.described, only: ["genuine", "in-time"] },
      { Accept: "application/x-ndjson" },
    );
    const lines = (await response.text()).trimEnd().split("\n");
    const progress = lines.map((line) => receiverCheckProgressSchema.parse(JSON.parse(line)));
    expect(progress.map(({ type }) => type)).toEqual(["started", "row", "result", "row", "result", "ended"]);
    expect(progress.at(-1)).toMatchObject({ check: { state: "done", counts: { pass: 2, fail: 0, not_judged: 0 } } });
  });

  it("streams a space now and then while it waits for long, so that clients do not give up", async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<unknown>();
    await using receiver = await notificationReceiver(ask);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { body } = await post({ notify_url: receiver.url }, { Accept: "application/x-ndjson" });
      await asked;
      vi.advanceTimersByTime(15_000);
      const reader = body?.getReader();
      expect((await reader?.read())?.value?.[0]).toBe(0x20);
      await reader?.cancel();
    } finally {
      vi.useRealTimers();
    }
  });

  it("is cancelled by DELETE, which answers when nothing of it is left", async () => {
    await using receiver = await notificationReceiver(() => undefined);
    const started = await post({ notify_url: receiver.url });
    expect([started.status, started.headers.get("location")]).toEqual([201, "/sim/receiver-checks/1"]);
    expect(await provider.control("DELETE", "/receiver-checks/1")).toMatchObject({ id: 1, state: "cancelled" });
    expect(await leftovers()).toEqual(nothing);
    expect(await provider.control("GET", "/receiver-checks")).toMatchObject({
      checks: [{ id: 1, state: "cancelled" }],
    });
    expect((await fetch(`${provider.url}/sim/receiver-checks/7`)).status).toBe(404);
  });

  it("runs beside others of the same merchant, and each gets the orders of its own backend", async () => {
    await using shops = new AsyncDisposableStack();
    const started = await Promise.all([1, 2, 3].map(() => startShopBackend(provider, "v3")));
    for (const shop of started) shops.use(shop);
    const only = ["genuine", "forged-unpaid", "duplicate-concurrent", "amount-less", "state-closed"] as const;
    const checks = await Promise.all(
      started.map(({ described }) => checkReceiver(provider, { ...described, only: [...only] })),
    );
    for (const [index, check] of checks.entries()) {
      expect([check.state, failed(check), rowsOf(check, "pass")]).toEqual(["done", {}, only]);
      expect(check.results.map(({ out_trade_no }) => out_trade_no)).toEqual([...(started[index]?.orders.keys() ?? [])]);
    }
    expect(await leftovers()).toEqual(nothing);
  });

  it("shares the orders that wait for their payment with others that run beside it", async () => {
    await using shop = await startShopBackend(provider);
    for (let i = 0; i < 4; i++) await fetch(`${shop.url}/orders`);
    const only = ["genuine", "duplicate-serial"] as const;
    const check = () =>
      checkReceiver(provider, { orders: { from: "open" }, status: shop.described.status, only: [...only] });
    const both = await Promise.all([check(), check()]);
    expect(both.map((one) => rowsOf(one, "pass"))).toEqual([only, only]);
    const paid = both.flatMap(({ results }) => results.map(({ out_trade_no }) => out_trade_no));
    expect(paid.toSorted()).toEqual([...shop.orders.keys()]);
  });

  it("is refused while faults of the user's own would blur what is seen; those of other orders would not", async () => {
    await using receiver = await notificationReceiver();
    const fault = { kind: "trade_state", params: { state: "CLOSED" } };
    await provider.control("POST", "/faults", fault);
    const refused = await post({ notify_url: receiver.url });
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: "faults_active", Message: expect.stringContaining("trade_state") }),
    ]);
    await provider.control("PUT", "/faults", { faults: [{ ...fault, scope: { out_trade_no: "ANOTHER-1" } }] });
    expect((await post({ notify_url: receiver.url, only: ["genuine"] })).status).toBe(201);
    await provider.control("DELETE", "/receiver-checks/1");
  });

  it.each([
    [{}, "notify_url"],
    [{ notify_url: "nowhere" }, "notify_url"],
    [{ notify_url: "http://127.0.0.1:9", only: ["genuin"] }, "only.0"],
    [{ orders: { from: "backend" } }, "orders.url"],
    [{ orders: { from: "open" }, status: { url: "http://127.0.0.1:9" } }, "status.settled_when"],
    [{ notify_url: "http://127.0.0.1:9", nope: 1 }, "nope"],
  ])("answers 400 to %j and names %s", async (body, field) => {
    const response = await post(body);
    const { details } = (await response.json()) as { details?: { field: string }[] };
    expect([response.status, details?.[0]?.field]).toEqual([400, field]);
  });
});

it("ends where a paid order's status has nothing at the path that was given, and shows the reply", async () => {
  await using shop = await startShopBackend(provider);
  const { status, ...described } = shop.described;
  const only = ["genuine", "duplicate-serial"] as const;
  const wrong = { url: status.url, settled_when: "data.state=PAID" };
  const check = await checkReceiver(provider, { ...described, status: wrong, settled_within_ms: 100, only: [...only] });
  expect([check.state, check.results.length]).toEqual(["failed", 0]);
  expect(check.problem).toMatch(/nothing at data[.]state: \{"state":"PAID","settlements":1\}.*--settled-when/);
});

describe("orders that the simulator makes itself", () => {
  it("say nothing about a receiver that refuses what it has not placed, however right it is", async () => {
    await using shop = await startShopBackend(provider);
    const { notify_url } = shop.described;
    const check = await checkReceiver(provider, {
      notify_url,
      only: ["genuine", "forged-missing", "duplicate-serial"],
    });
    expect(rowsOf(check, "not_judged")).toEqual(["genuine", "forged-missing", "duplicate-serial"]);
    expect(check.results[0]?.seen).toContain("--order-url");
  });

  it("show that a receiver does not answer in time, in which rows", async () => {
    await provider.control("PATCH", "/settings", { notification_timeout_ms: 100 });
    await using receiver = await notificationReceiver(() => undefined);
    const check = await checkReceiver(provider, {
      notify_url: receiver.url,
      only: ["genuine", "forged-missing", "in-time"],
    });
    expect(failed(check)).toEqual({
      "forged-missing": ["Reply to one without a signature: no answer in time."],
      "in-time": [expect.stringContaining("“a payment”"), expect.stringContaining("“forged: no signature”")],
    });
  });

  it.each(["v2", "v3"] as const)("show that a receiver of %s believes everything", async (version) => {
    await using receiver = await notificationReceiver(({ headers }, response) => {
      if (headers["content-type"]?.includes("json")) response.writeHead(204).end();
      else response.writeHead(200).end(acceptedV2);
    });
    const only = [
      "genuine",
      "query-first",
      "forged-wrong-key",
      "forged-unpaid",
      "foreign-app",
      "malformed-text",
    ] as const;
    const check = await checkReceiver(provider, {
      notify_url: receiver.url,
      orders: { from: "simulator", version },
      only: [...only],
    });
    expect([rowsOf(check, "pass"), Object.keys(failed(check))]).toEqual([["genuine"], only.slice(1)]);
  });
});

describe("orders that wait for their payment", () => {
  it("are taken one for each row, the oldest first, and rows without one are not judged", async () => {
    await using shop = await startShopBackend(provider);
    for (let i = 0; i < 2; i++) await fetch(`${shop.url}/orders`);
    const { status } = shop.described;
    const only = ["genuine", "query-first", "duplicate-serial"] as const;
    const check = await checkReceiver(provider, { orders: { from: "open" }, status, only: [...only] });
    expect([rowsOf(check, "pass"), rowsOf(check, "not_judged")]).toEqual([
      ["genuine", "query-first"],
      ["duplicate-serial"],
    ]);
    expect(check.results.map(({ out_trade_no }) => out_trade_no)).toEqual([...shop.orders.keys(), undefined]);
  });
});

describe("orders that the backend places", () => {
  it("are found by the number in its reply, too, and none of its secrets is in the report", async () => {
    await using shop = await startShopBackend(provider);
    const check = await checkReceiver(provider, {
      ...shop.described,
      orders: {
        ...shop.described.orders,
        headers: { Authorization: "Bearer very-secret-token" },
        body: '{"note":"{unique}"}',
        out_trade_no_at: "data.number",
      },
      only: ["genuine"],
    });
    expect(rowsOf(check, "pass")).toEqual(["genuine"]);
    expect(JSON.stringify(check)).not.toContain("very-secret-token");
  });

  it.each([
    ["/nothing", "appeared here"],
    ["/status/none", "HTTP 404"],
  ])("are missed clearly where the backend's %s places none", async (path, problem) => {
    await using shop = await startShopBackend(provider);
    const orders = { from: "backend" as const, url: `${shop.url}${path}` };
    const check = await checkReceiver(provider, { ...shop.described, orders });
    expect([check.state, check.problem]).toEqual(["failed", expect.stringContaining(problem)]);
  });

  it("says that nothing answers at the receiver's address", async () => {
    await using shop = await startShopBackend(provider);
    const check = await checkReceiver(provider, { ...shop.described, notify_url: "http://127.0.0.1:9/nobody" });
    expect([check.state, check.problem]).toEqual(["failed", expect.stringContaining("The receiver does not respond")]);
    expect(await leftovers()).toEqual(nothing);
  });
});
