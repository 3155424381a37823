/** Payments and refunds while the connections to the database are cut. */
import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { miniProgramV2 } from "../support/payments/client-payment.ts";
import { createMerchantV2 } from "../support/payments/merchant-v2.ts";
import { startTestProvider } from "../support/payments/test-provider.ts";
import { connectTo } from "../support/store/postgres-server.ts";
import { cutConnections, testDatabaseUrl, whileUnreachable } from "../support/store/test-database.ts";

const database = `refunds-${randomUUID()}`;

const data = async <Data>(response: Promise<Response>) => ((await (await response).json()) as { data: Data }).data;

/** As long as `work` runs, no instance can write: on the lock that each write of the schema takes. */
async function withoutWrites(work: (waiting: () => Promise<number>) => Promise<void>): Promise<void> {
  await using client = await connectTo(inject("postgres") ?? "", database);
  await client.query("select pg_advisory_lock(hashtext('hearth'))");
  await work(async () => {
    const { rows } = await client.query<{ count: string }>(
      "select count(*) from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    return Number(rows[0]?.count);
  });
}

it("a slow payment that was due while the database could not be reached is paid later", async () => {
  const name = `slow-${randomUUID()}`;
  await using provider = await startTestProvider({ database_url: await testDatabaseUrl(name) });
  const merchant = createMerchantV2(provider);
  const { openid } = await provider.user("ada");
  const { fields } = await merchant.place("SLOW_PAYMENT", { openid });
  const parameters = miniProgramV2(provider.app.appid, fields["prepay_id"] ?? "", merchant.apiV2Key);
  const slow = provider.control("POST", "/users/ada/payments?outcome=slow", parameters);
  const page = async () => (await fetch(`${provider.url}/sim/pay/${fields["prepay_id"] ?? ""}`)).text();
  await expect.poll(page).toContain("being processed");
  await whileUnreachable(name, "hearth_provider", async () => {
    provider.clock.offsetMs += 8_000;
    await expect.poll(async () => (await merchant.query("SLOW_PAYMENT")).fields).toMatchObject({ return_code: "FAIL" });
  });
  const paidLater = async () => {
    provider.clock.offsetMs += 1_000;
    return (await merchant.query("SLOW_PAYMENT")).fields;
  };
  await expect.poll(paidLater).toMatchObject({ trade_state: "SUCCESS" });
  expect(await slow).toEqual({ errMsg: "requestPayment:ok" });
});

describe("a refund", () => {
  it("is made once, also where it is asked for again while its instance has lost the order to the other one", async () => {
    const settings = { database_url: await testDatabaseUrl(database) };
    await using one = await startTestApp({ settings });
    await using other = await startTestApp({ settings, provider: one.provider });
    const headers = await one.loggedIn();
    const placed = await data<{ id: number; out_trade_no: string }>(
      one.post(`${one.url}/api/orders`, { description: "Tea", amount: 199 }, headers),
    );
    await one.post(`${one.provider.url}/sim/orders/${placed.out_trade_no}/pay`);
    const state = async () =>
      (await data<{ trade_state: string }>(fetch(`${other.url}/api/orders/${String(placed.id)}`, { headers })))
        .trade_state;
    await expect.poll(state).toBe("SUCCESS");
    const withKey = { ...headers, "Idempotency-Key": "once" };
    const refund = (app: TestApp) =>
      app.post(`${app.url}/api/orders/${String(placed.id)}/refunds`, { amount: 50 }, withKey);
    const asked: Promise<Response>[] = [];
    await withoutWrites(async (waiting) => {
      asked.push(refund(one));
      await expect.poll(waiting).toBe(1);
      await cutConnections(database, "hearth instances");
      asked.push(refund(other));
      await expect.poll(waiting).toBe(2);
    });
    const made = await Promise.all(asked.map((answer) => data<{ out_refund_no: string }>(answer)));
    expect(new Set(made.map(({ out_refund_no }) => out_refund_no)).size).toBe(1);
  });

  it("ends that was due while the database could not be reached", async () => {
    const name = `ending-${randomUUID()}`;
    await using provider = await startTestProvider({ database_url: await testDatabaseUrl(name) });
    await provider.control("PATCH", "/settings", { refund_seconds: 60 });
    const merchant = createMerchantV2(provider);
    await merchant.paid("GIVEN_BACK");
    await merchant.refund("GIVEN_BACK", "BACK_1");
    const asked = async () => (await merchant.refundQuery({ out_trade_no: "GIVEN_BACK" })).fields;
    await whileUnreachable(name, "hearth_provider", async () => {
      provider.clock.offsetMs += 60_000;
      await expect.poll(asked).toMatchObject({ return_code: "FAIL" });
    });
    const askedLater = () => {
      provider.clock.offsetMs += 1_000;
      return asked();
    };
    await expect.poll(askedLater).toMatchObject({ refund_status_0: "SUCCESS" });
  });
});
