/** What has become of an order and the event that tells of it are one: no crash comes between them. */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPaymentsApp, type PaymentsApp } from "../support/payments-app.ts";

let payments: PaymentsApp;
let disk: Sqlite.Database;
beforeAll(async () => {
  payments = await startPaymentsApp();
  disk = new Sqlite(join(payments.app.folder, "hearth.db"), { readonly: true });
});
afterAll(async () => {
  disk.close();
  await payments[Symbol.asyncDispose]();
});

/** Looks after each turn of the loop, as a crash would leave it: what was stored so far without its event. */
async function untold(table: string, states: string, type: string, during: Promise<unknown>): Promise<unknown[]> {
  const rows = disk.prepare(
    `select id from ${table} where ${states} and not exists
     (select 1 from events where type = '${type}' and json_extract(data, '$.order_id') = ${table === "orders" ? "orders.id" : "order_id"})`,
  );
  const found: unknown[] = [];
  let isOver = false;
  const over = during.finally(() => (isOver = true));
  while (!isOver) {
    found.push(...rows.all());
    await setImmediate();
  }
  await over;
  return found;
}

describe("an event is on disk with what it tells", () => {
  it("an order that is placed", async () => {
    const found = await untold("orders", "placement = 'placed'", "order.placed", payments.place());
    expect(found).toEqual([]);
  });

  it("a payment that is settled", async () => {
    for (let round = 0; round < 20; round++) {
      const order = await payments.place();
      await payments.pay(order);
      const found = await untold("orders", "trade_state = 'SUCCESS'", "payment.settled", payments.notify(order));
      expect(found).toEqual([]);
      expect((await payments.stored(order.id)).trade_state).toBe("SUCCESS");
    }
  });

  it("an order that is closed", async () => {
    const order = await payments.place();
    const close = payments.console(payments.app, "POST", `/orders/${String(order.id)}/closures`, {});
    expect(await untold("orders", "trade_state = 'CLOSED'", "order.closed", close)).toEqual([]);
    expect((await payments.stored(order.id)).trade_state).toBe("CLOSED");
  });

  it("a refund that is accepted", async () => {
    const order = await payments.place();
    await payments.pay(order);
    await payments.notify(order);
    const refund = payments.console(payments.app, "POST", `/orders/${String(order.id)}/refunds`, { amount: 1 });
    expect(await untold("order_refunds", "accepted = 1", "refund.changed", refund)).toEqual([]);
    expect((await refund).status).toBeLessThan(300);
  });
});
