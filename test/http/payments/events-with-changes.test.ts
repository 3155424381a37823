/** A change and the event that tells of it are one: no crash comes between them. */
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callConsole, controlCalls } from "../../support/app/control-calls.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";
import { jsonNumber, openTables, type StoredTables } from "../../support/store/stored-tables.ts";

let payments: PaymentsApp;
let disk: StoredTables;
let buyer: Record<string, string>;
beforeAll(async () => {
  payments = await startPaymentsApp();
  buyer = await payments.app.loggedIn("alice");
  disk = await openTables(payments.app.folder, "app");
});
afterAll(async () => {
  await disk[Symbol.asyncDispose]();
  await payments[Symbol.asyncDispose]();
});

/** Looks after each turn of the loop, as a crash would leave it: the rows of a query that should have been told. */
async function found(query: string, during: Promise<unknown>): Promise<unknown[]> {
  const unsent: unknown[] = [];
  let isOver = false;
  const over = during.finally(() => (isOver = true));
  while (!isOver) {
    unsent.push(...(await disk.all(query)));
    await setImmediate();
  }
  await over;
  return unsent;
}

/** Of a table with orders. */
const notNotified = (table: string, states: string, type: string, during: Promise<unknown>) =>
  found(
    `select id from ${table} where ${states} and not exists
     (select 1 from events where type = '${type}' and ${jsonNumber("data", "order_id")} = ${table === "orders" ? "orders.id" : "order_id"})`,
    during,
  );

const article = () => payments.app.post(`${payments.app.url}/api/articles`, { title: "one" }, buyer);
const change = () =>
  fetch(`${payments.app.url}/api/inotify`, { method: "POST", body: new URLSearchParams({ df: "/a", ev: "modify" }) });

describe("an event is stored in one transaction with its change:", () => {
  it("an order that is placed", async () => {
    const found = await notNotified("orders", "placement = 'placed'", "order.placed", payments.place());
    expect(found).toEqual([]);
  });

  it("a payment that is settled", async () => {
    for (let round = 0; round < 20; round++) {
      const order = await payments.place();
      await payments.pay(order);
      const found = await notNotified("orders", "trade_state = 'SUCCESS'", "payment.settled", payments.notify(order));
      expect(found).toEqual([]);
      expect((await payments.stored(order.id)).trade_state).toBe("SUCCESS");
    }
  });

  it("an order that is closed", async () => {
    const order = await payments.place();
    const close = payments.console(payments.app, "POST", `/orders/${String(order.id)}/closures`, {});
    expect(await notNotified("orders", "trade_state = 'CLOSED'", "order.closed", close)).toEqual([]);
    expect((await payments.stored(order.id)).trade_state).toBe("CLOSED");
  });

  it("a refund that is accepted", async () => {
    const order = await payments.place();
    await payments.pay(order);
    await payments.notify(order);
    const refund = payments.console(payments.app, "POST", `/orders/${String(order.id)}/refunds`, { amount: 1 });
    expect(await notNotified("order_refunds", "accepted = 1", "refund.changed", refund)).toEqual([]);
    expect((await refund).status).toBeLessThan(300);
  });

  const counted = async (counting: string, ...values: unknown[]) =>
    (await disk.all<{ n: number }>(`select count(*) as n from ${counting}`, ...values))[0]?.n ?? 0;

  it.each([
    ["records", () => "subject = collection || '/' || records.id and type = 'resource.created'", () => article()],
    [
      "uploads",
      () => "subject = cast(uploads.id as text) and type = 'upload.stored'",
      () => controlCalls(() => payments.app).upload(buyer),
    ],
    [
      "file_events",
      () => `type = 'file.changed' and ${jsonNumber("events.data", "id")} = file_events.id`,
      () => change(),
    ],
    [
      "sessions",
      () => "type = 'session.created' and subject = cast(sessions.id as text)",
      () => payments.app.loggedIn("bob"),
    ],
  ])("a row of %s", async (table, told, make) => {
    const before = await counted(table);
    const query = `select id from ${table} where not exists (select 1 from events where ${told()})`;
    for (let round = 0; round < 10; round++) expect(await found(query, make())).toEqual([]);
    expect(await counted(table)).toBe(before + 10);
  });

  /** What has changed although as many events of the type are stored as before. */
  const untoldBy = async (type: string, changed: string) =>
    `select 1 where (${changed}) and (select count(*) from events where type = '${type}') =
     ${String(await counted("events where type = ?", type))}`;
  const control = (method: string, path: string, body?: unknown) => callConsole(payments.app, method, path, body);
  const stored = "records where collection = 'articles'";
  const articles = `select count(*) from ${stored}`;

  it("an import of data", async () => {
    const record = {
      owner_uid: "",
      version: 1,
      created_at: "2026-01-02T03:04:05Z",
      updated_at: "2026-01-02T03:04:05Z",
    };
    const put = (data: object) =>
      control("PUT", "/data", {
        format: "hearth-data/1",
        collections: { articles: { records: [{ id: 77, ...record, data }] } },
      });
    const query = await untoldBy("data.imported", "exists (select 1 from records where id = 77)");
    expect(await found(query, put({ title: "imported" }))).toEqual([]);
    expect(await counted(`${stored} and id = 77`)).toBe(1);
  });

  it("a fixture that is loaded, and a reset of several parts, none of which goes before the others", async () => {
    await article();
    await controlCalls(() => payments.app).upload(buyer);
    const parts = ["records", "uploads"];
    expect((await control("PUT", "/fixtures/told", { parts })).status).toBe(200);
    for (let round = 0; round < 5; round++) {
      const half = `((${articles}) = 0) <> ((select count(*) from uploads) = 0)`;
      const emptied = await untoldBy("state.reset", `(${articles}) = 0 or (select count(*) from uploads) = 0`);
      const reset = control("POST", "/resets", { parts });
      expect(await found(`${emptied} union all select 2 where ${half}`, reset)).toEqual([]);
      expect(await counted(stored)).toBe(0);

      const filled = await untoldBy("fixture.loaded", `(${articles}) > 0`);
      expect(await found(filled, control("POST", "/fixtures/told/loads"))).toEqual([]);
      expect(await counted(stored)).toBeGreaterThan(0);
    }
  });
});
