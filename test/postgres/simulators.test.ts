/** Two simulators that share a database: each notification has one number and is sent by one of them. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowTime } from "../support/payments/receivers/receiver-checks.ts";
import { acceptedV2, notificationReceiver } from "../support/payments/notification-receiver.ts";
import { fieldsOfXml } from "../support/payments/payment-signatures.ts";
import { createMerchantV2 } from "../support/payments/merchant-v2.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";
import { cutConnections, testDatabaseUrl } from "../support/store/test-database.ts";

const database = `simulators-${randomUUID()}`;
let one: TestProvider;
let other: TestProvider;
beforeAll(async () => {
  const settings = { database_url: await testDatabaseUrl(database) };
  [one, other] = await Promise.all([startTestProvider(settings), startTestProvider(settings)]);
  await allowTime(one.url);
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

const numberIn = (body: string) => fieldsOfXml(body)["out_trade_no"] ?? "";

/** As after an outage: the connections that hold locks and listen are cut, and made again. */
const cutInstances = () => cutConnections(database, "% instances");

interface Listed {
  readonly id: number;
  readonly out_trade_no: string;
  readonly attempts: readonly unknown[];
}
const listed = async (provider: TestProvider) =>
  ((await provider.control("GET", "/notifications?limit=100")) as { notifications: Listed[] }).notifications;

describe("two simulators on one database", () => {
  it("send each notification once, and give each a number of its own", async () => {
    await using receiver = await notificationReceiver();
    const numbers = Array.from({ length: 40 }, (_, n) => `BOTH_${String(n)}`);
    await Promise.all(
      numbers.map((number, n) =>
        createMerchantV2(n % 2 === 0 ? one : other).paid(number, { notify_url: receiver.url }),
      ),
    );
    await expect.poll(() => receiver.received.length).toBe(numbers.length);
    const toldOf = receiver.received.map(({ body }) => numberIn(body));
    expect(toldOf.sort()).toEqual(numbers.sort());
    await expect.poll(async () => (await listed(one)).filter(({ attempts }) => attempts.length === 1).length).toBe(40);
    expect(new Set((await listed(one)).map(({ id }) => id)).size).toBe(40);
    expect(receiver.received).toHaveLength(numbers.length);
  });

  it("repeat what was refused, one of them each time, also after both were cut off from the database", async () => {
    let refuses = true;
    const answer = (_: unknown, response: ServerResponse) =>
      refuses ? response.writeHead(500).end() : response.end(acceptedV2);
    await using receiver = await notificationReceiver((request, response) => void answer(request, response));
    await createMerchantV2(one).paid("REPEATED", { notify_url: receiver.url });
    await expect.poll(() => receiver.received.length).toBe(1);
    await cutInstances();
    refuses = false;
    one.clock.offsetMs += 15_000;
    other.clock.offsetMs += 15_000;
    await expect.poll(() => receiver.received.length).toBe(2);
    await expect
      .poll(async () => (await listed(other)).find(({ out_trade_no }) => out_trade_no === "REPEATED")?.attempts.length)
      .toBe(2);
    await cutInstances();
    one.clock.offsetMs += 15_000;
    other.clock.offsetMs += 15_000;
    await expect
      .poll(async () => (await other.control("GET", "/notifications?state=pending"))["notifications"])
      .toEqual([]);
    expect(receiver.received).toHaveLength(2);
  });

  it("know at once what is set at one of them that was cut off just before", async () => {
    const refundSeconds = async (provider: TestProvider) =>
      (await provider.control("GET", "/settings"))["refund_seconds"];
    for (let seconds = 2; seconds < 22; seconds++) {
      await cutInstances();
      const setting = seconds % 2 === 0 ? one : other;
      expect(await setting.control("PATCH", "/settings", { refund_seconds: seconds })).toHaveProperty(
        "refund_seconds",
        seconds,
      );
      await expect
        .poll(() => Promise.all([one, other].map(refundSeconds)), { interval: 1 })
        .toEqual([seconds, seconds]);
    }
  });

  it("take up what the other was sending when it ended", async () => {
    let holds = true;
    await using receiver = await notificationReceiver((_, response) => void (holds || response.end(acceptedV2)));
    await createMerchantV2(other).paid("LEFT_BEHIND", { notify_url: receiver.url });
    await expect.poll(() => receiver.received.length).toBe(1);
    holds = false;
    await other.stop();
    await cutInstances(); // what the one that is left would otherwise look for after a while
    await expect.poll(() => receiver.received.length).toBe(2);
    await other.restart();
    expect(receiver.received.map(({ body }) => numberIn(body))).toEqual(["LEFT_BEHIND", "LEFT_BEHIND"]);
  });
});
