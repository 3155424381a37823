/** Open orders in a database that refuses writes and can be read: a full disk, a server that only follows another one. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { startPaymentsApp } from "../../support/payments/payments-app.ts";
import { onPostgres } from "../../support/store/stored-tables.ts";

it.skipIf(onPostgres())("are asked about after a pause alone, and settled once it takes writes again", async () => {
  await using payments = await startPaymentsApp();
  const { db, clock } = payments.app;
  const order = await payments.place();
  await payments.pay(order);
  const stateNow = async () => (await payments.stored(order.id)).trade_state;
  await sql`create trigger refusing before update on orders begin select raise(abort, 'full'); end`.execute(db);
  clock.offsetMs += 10_000;
  await expect.poll(() => payments.trip.count("queryOrder")).toBe(1);
  for (let i = 0; i < 20; i++) expect(await stateNow()).toBe("NOTPAY");
  expect(payments.trip.count("queryOrder")).toBe(1);
  await sql`drop trigger refusing`.execute(db);
  await payments.later(60_000);
  expect([await stateNow(), payments.trip.count("queryOrder")]).toEqual(["SUCCESS", 2]);
});
