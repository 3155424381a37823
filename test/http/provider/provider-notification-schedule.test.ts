/** When notifications that nobody accepts are sent again, also over restarts of the simulator. */
import { describe, expect, it } from "vitest";
import type { simNotificationSchema } from "../../../server/contract/provider/sim-orders.ts";
import type { z } from "zod";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3, isFromPlatform } from "../../support/payments/merchant-v3.ts";
import { acceptedV2, notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { attemptsOf, orderDetails } from "../../support/payments/order-details.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";
import { openTables } from "../../support/store/stored-tables.ts";

/** The pauses as they are documented. */
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const pauses = [
  ...[15 * second, 15 * second, 30 * second, 3 * minute, 10 * minute, 20 * minute, 30 * minute, 30 * minute],
  ...[30 * minute, 60 * minute, 3 * hour, 3 * hour, 3 * hour, 6 * hour, 6 * hour],
];

/** A receiver that says no until it is told to say yes. */
async function stubbornReceiver() {
  const mood = { accepts: false };
  const receiver = await notificationReceiver((_request, response) =>
    mood.accepts ? response.end(acceptedV2) : response.writeHead(500).end(),
  );
  return Object.assign(receiver, { mood });
}

async function latestOf(provider: TestProvider, outTradeNo: string) {
  const { notifications } = await orderDetails(provider, outTradeNo);
  return notifications.at(-1) as z.output<typeof simNotificationSchema>;
}

const untilDue = ({ due_at = "" }: z.output<typeof simNotificationSchema>, provider: TestProvider) =>
  Date.parse(due_at) - provider.clock.now();

async function paidAt(provider: TestProvider, outTradeNo: string, notify_url: string): Promise<void> {
  const merchant = createMerchantV2(provider);
  await merchant.paid(outTradeNo, { notify_url });
}

describe("the schedule", () => {
  it.each(["v2", "v3"] as const)(
    "repeats in %s after the documented pauses, with the same content, and then gives up",
    async (version) => {
      await using provider = await startTestProvider();
      await using receiver = await stubbornReceiver();
      const v3 = await createMerchantV3(provider.url);
      if (version === "v2") await createMerchantV2(provider).place("SCHEDULE", { notify_url: receiver.url });
      else await v3.place("native", "SCHEDULE", { notify_url: receiver.url });
      await provider.control("POST", "/orders/SCHEDULE/pay");
      const offsets: number[] = [];
      for (let attempt = 1; attempt <= pauses.length; attempt++) {
        await attemptsOf(provider, "SCHEDULE", attempt);
        const latest = await latestOf(provider, "SCHEDULE");
        offsets.push(Date.parse(latest.due_at ?? "") - Date.parse(latest.created_at));
        provider.clock.offsetMs += untilDue(latest, provider);
      }
      await attemptsOf(provider, "SCHEDULE", pauses.length + 1);
      expect(offsets).toEqual(pauses.map((_, index) => pauses.slice(0, index + 1).reduce((sum, one) => sum + one, 0)));
      expect(await latestOf(provider, "SCHEDULE")).toMatchObject({ state: "given_up" });
      expect((await latestOf(provider, "SCHEDULE")).due_at).toBeUndefined();
      expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
      if (version === "v2") return;
      const nonces = receiver.received.map(({ headers }) => headers["wechatpay-nonce"]);
      expect(new Set(nonces).size).toBe(pauses.length + 1);
      for (const { headers, body } of receiver.received)
        expect(isFromPlatform((name) => headers[name] as string, body, v3.credentials.platform_certificate)).toBe(true);
    },
  );

  it("ends with the first acceptance", async () => {
    await using provider = await startTestProvider();
    await using receiver = await stubbornReceiver();
    await paidAt(provider, "ENDS_EARLY", receiver.url);
    await attemptsOf(provider, "ENDS_EARLY", 1);
    receiver.mood.accepts = true;
    provider.clock.offsetMs += 15 * second;
    const attempts = await attemptsOf(provider, "ENDS_EARLY", 2);
    expect(attempts.map(({ verdict }) => verdict)).toEqual(["refused", "accepted"]);
    provider.clock.offsetMs += 48 * hour;
    await provider.control("POST", "/orders/ENDS_EARLY/notify"); // whatever was due would have come before
    expect(await attemptsOf(provider, "ENDS_EARLY", 3)).toHaveLength(3);
    expect(await latestOf(provider, "ENDS_EARLY")).toMatchObject({ state: "accepted" });
  });

  it("runs faster by the setting timeScale", async () => {
    await using provider = await startTestProvider();
    await provider.control("PATCH", "/settings", { timeScale: 0 });
    await using receiver = await stubbornReceiver();
    await paidAt(provider, "IN_NO_TIME", receiver.url);
    await attemptsOf(provider, "IN_NO_TIME", pauses.length + 1);
    expect(await latestOf(provider, "IN_NO_TIME")).toMatchObject({ state: "given_up" });
  });

  it("goes by a changed timeScale at once, with what waits already", async () => {
    await using provider = await startTestProvider();
    await using receiver = await stubbornReceiver();
    await paidAt(provider, "RESCALED", receiver.url);
    await attemptsOf(provider, "RESCALED", 1);
    provider.clock.offsetMs += 15 * second;
    await attemptsOf(provider, "RESCALED", 2);
    const pauseLeft = async (timeScale: number) => {
      await provider.control("PATCH", "/settings", { timeScale });
      return untilDue(await latestOf(provider, "RESCALED"), provider) / second;
    };
    expect(await pauseLeft(100)).toBeGreaterThan(1_400);
    expect(await pauseLeft(1)).toBeLessThanOrEqual(15);
    await provider.control("PATCH", "/settings", { timeScale: 0 });
    await attemptsOf(provider, "RESCALED", pauses.length + 1);
    expect(await latestOf(provider, "RESCALED")).toMatchObject({ state: "given_up" });
  });

  it("counts a notification that is sent by hand as the next one", async () => {
    await using provider = await startTestProvider();
    await using receiver = await stubbornReceiver();
    await paidAt(provider, "BY_HAND", receiver.url);
    await attemptsOf(provider, "BY_HAND", 1);
    const sent = await provider.control("POST", "/orders/BY_HAND/notify");
    const refused = { status: 500, reply: "", accepted: false, verdict: "refused", trusted_result_code: false };
    expect(sent).toEqual({ deliveries: [refused] });
    const latest = await latestOf(provider, "BY_HAND");
    expect(Date.parse(latest.due_at ?? "") - Date.parse(latest.created_at)).toBe(30 * second);
  });

  it("continues for other receivers while one hangs", async () => {
    await using provider = await startTestProvider();
    await provider.control("PATCH", "/settings", { notification_timeout_ms: 60_000 });
    await using hanging = await notificationReceiver(() => undefined);
    await using receiver = await notificationReceiver();
    const merchant = createMerchantV2(provider);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => merchant.paid(`HANGS_${String(index)}`, { notify_url: hanging.url })),
    );
    await merchant.paid("NOT_KEPT", { notify_url: `${receiver.url}/paid` });
    await receiver.at("/paid");
    const { notifications } = await orderDetails(provider, "HANGS_0");
    expect(notifications).toMatchObject([{ state: "pending", attempts: [] }]);
  });
});

describe("a restart of the simulator", () => {
  it("goes on in the middle of the schedule", async () => {
    await using provider = await startTestProvider();
    await using receiver = await stubbornReceiver();
    await paidAt(provider, "RESTARTED", receiver.url);
    for (const attempt of [1, 2]) {
      await attemptsOf(provider, "RESTARTED", attempt);
      provider.clock.offsetMs += 15 * second;
    }
    await attemptsOf(provider, "RESTARTED", 3);
    await provider.restart();
    const latest = await latestOf(provider, "RESTARTED");
    expect(Date.parse(latest.due_at ?? "") - Date.parse(latest.created_at)).toBe(minute);
    receiver.mood.accepts = true;
    provider.clock.offsetMs += untilDue(latest, provider);
    const attempts = await attemptsOf(provider, "RESTARTED", 4);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(attempts.at(-1)).toMatchObject({ verdict: "accepted" });
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it("delivers again what was being delivered", async () => {
    await using provider = await startTestProvider();
    await provider.control("PATCH", "/settings", { notification_timeout_ms: 60_000 });
    await using receiver = await notificationReceiver((_request, response) => {
      if (receiver.received.length > 1) response.end(acceptedV2);
    });
    await paidAt(provider, "CUT_OFF", `${receiver.url}/paid`);
    await receiver.at("/paid");
    await provider.restart();
    expect(await attemptsOf(provider, "CUT_OFF", 1)).toMatchObject([{ attempt: 1, verdict: "accepted" }]);
    expect(receiver.received).toHaveLength(2);
  });

  it("sends notifications of payments and refunds that the last run was killed before sending", async () => {
    await using provider = await startTestProvider();
    await using receiver = await notificationReceiver();
    const merchant = createMerchantV2(provider);
    await merchant.paid("KILLED", { notify_url: `${receiver.url}/paid` });
    await merchant.refund("KILLED", "R-KILLED", { notify_url: `${receiver.url}/refunded` });
    provider.clock.offsetMs += 1_000;
    await receiver.at("/refunded");
    await attemptsOf(provider, "KILLED", 1);
    // What a kill between the payment and the note of its notification leaves.
    {
      await using tables = await openTables(provider.folder, "provider");
      await tables.run("delete from pay_attempts; delete from pay_notifications;");
    }
    await provider.restart();
    await expect
      .poll(() => receiver.received.map(({ path }) => path).toSorted())
      .toEqual([...["/paid", "/paid", "/refunded", "/refunded"]]);
  });

  it("ends refunds that were on their way", async () => {
    await using provider = await startTestProvider();
    await provider.control("PATCH", "/settings", { refund_seconds: 600 });
    const merchant = createMerchantV2(provider);
    await merchant.paid("ON_ITS_WAY");
    await merchant.refund("ON_ITS_WAY", "R-ON_ITS_WAY");
    const statusOf = async () => (await orderDetails(provider, "ON_ITS_WAY")).refunds[0]?.status;
    expect(await statusOf()).toBe("PROCESSING");
    await provider.restart();
    expect(await statusOf()).toBe("PROCESSING");
    provider.clock.offsetMs += 600 * second;
    await expect.poll(statusOf).toBe("SUCCESS");
  });
});

it("a notification whose delivery fails inside of the simulator is delivered soon after, once", async () => {
  await using provider = await startTestProvider();
  await using receiver = await notificationReceiver();
  await using tables = await openTables(provider.folder, "provider");
  const fault = { kind: "notification_signature", times: 1, params: { how: "missing" } };
  await provider.control("POST", "/faults", fault);
  // Its hits cannot be saved then.
  await tables.run("alter table sim_faults rename to sim_faults_away");
  await paidAt(provider, "FAILED_INSIDE", receiver.url);
  const due = () => tables.all("select state, due_at from pay_notifications");
  await expect.poll(due).toEqual([{ state: "pending", due_at: provider.clock.now() + 10_000 }]);
  await tables.run("alter table sim_faults_away rename to sim_faults");
  provider.clock.offsetMs += 10_000;
  await attemptsOf(provider, "FAILED_INSIDE", 1);
  expect(await latestOf(provider, "FAILED_INSIDE")).toMatchObject({ state: "accepted" });
  expect(receiver.received).toHaveLength(1);
});
