/** Two Hearths that share a database, each with its own simulator: these have the same keys, and orders are placed once. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CloudEvent } from "../../server/contract/console/traffic/stored-event.ts";
import { consoleToken } from "../support/app/console-token.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { patienceMs } from "../support/eventually.ts";
import { patientProvider } from "../support/payments/patient-provider.ts";
import { cutConnections, testDatabaseUrl } from "../support/store/test-database.ts";

const database = `two-hearths-${randomUUID()}`;
let one: TestApp;
let other: TestApp;
/** Lets the answer to the next order of one through. */
let answered = Promise.withResolvers<void>();
let asked = Promise.withResolvers<void>();
async function heldUp<Result>(result: Promise<Result>): Promise<Result> {
  await result;
  asked.resolve();
  await answered.promise;
  return result;
}
beforeAll(async () => {
  const url = await testDatabaseUrl(database);
  answered.resolve();
  // The same for both: an order that the other one places again is the same for the provider.
  const settings = { database_url: url, payment_notify_url: "http://127.0.0.1:9", payment_timeout_ms: patienceMs };
  [one, other] = await Promise.all([
    startTestApp({
      settings,
      payments: {
        provider: (simulator) => ({
          ...patientProvider(simulator),
          placeOrder: (...order) => heldUp(simulator.placeOrder(...order)),
          payByCode: (...order) => heldUp(simulator.payByCode(...order)),
        }),
      },
    }),
    startTestApp({ settings, payments: { provider: patientProvider } }),
  ]);
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

const read = async <Data>(app: TestApp, path: string) =>
  (await (await fetch(`${app.provider.url}/sim${path}`)).json()) as Data;

describe("two simulators on one database", () => {
  interface Credentials {
    readonly platform_serial: string;
    readonly merchant_serial: string;
  }

  it("have the same keys, although both made some when they started together", async () => {
    const [here, there] = [
      await read<Credentials>(one, "/credentials"),
      await read<Credentials>(other, "/credentials"),
    ];
    expect(here.platform_serial).not.toBe("");
    expect([there.platform_serial, there.merchant_serial]).toEqual([here.platform_serial, here.merchant_serial]);
  });

  it("sign by the key that was chosen at either", async () => {
    const signing = async (app: TestApp) => (await read<{ serial: string }>(app, "/platform-key")).serial;
    const before = await signing(other);
    await one.post(`${one.provider.url}/sim/platform-key/rotations`);
    await expect.poll(() => signing(other)).not.toBe(before);
    expect(await signing(one)).toBe(await signing(other));
  });
});

it.each([
  ["an order", async () => ({})],
  [
    "a payment by code",
    async () => {
      const { auth_code } = (await (await one.post(`${one.provider.url}/sim/users/ada/payment-codes`)).json()) as {
        auth_code: string;
      };
      return { trade_type: "MICROPAY", auth_code };
    },
  ],
])(
  "%s that two instances place, because the first has lost its connection, is one order and one event",
  async (_, more) => {
    const headers = { ...(await one.loggedIn()), "Idempotency-Key": randomUUID() };
    const body = { description: "Tea", amount: 199, ...(await more()) };
    const place = async (app: TestApp) => {
      const reply = await app.post(`${app.url}/api/orders`, body, headers);
      return { data: ((await reply.json()) as { data?: { out_trade_no: string } }).data, status: reply.status };
    };
    answered = Promise.withResolvers();
    asked = Promise.withResolvers();
    const first = place(one);
    await asked.promise;
    await cutConnections(database, "hearth instances");
    // The other one has lost its connection as well, and comes back.
    let second: Awaited<ReturnType<typeof place>> | undefined;
    await expect.poll(async () => (second = await place(other)).status).toBe(201);
    answered.resolve();
    expect(await first).toMatchObject({ status: 201, data: { out_trade_no: second?.data?.out_trade_no } });
    const found = await fetch(
      `${other.url}/console/api/events?type=order.placed&subject=${second?.data?.out_trade_no ?? ""}`,
      { headers: { Authorization: `Bearer ${consoleToken}` } },
    );
    expect(((await found.json()) as { events: CloudEvent[] }).events).toHaveLength(1);
  },
);
