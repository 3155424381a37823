/** Notifications that a fault holds or delays: how they come at last, and what comes of their schedule. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { startFaultedProvider, type FaultedProvider } from "../../../support/payments/faulted-provider.ts";
import { acceptedV2, notificationReceiver } from "../../../support/payments/notification-receiver.ts";

let test: FaultedProvider;
beforeAll(async () => {
  test = await startFaultedProvider();
  await test.provider.control("PATCH", "/settings", { timeScale: 1 });
});
afterEach(async () => void (await test.clear()));
afterAll(() => test[Symbol.asyncDispose]());

const released = {
  queried: (outTradeNo: string) => test.query(outTradeNo),
  refund_first: (outTradeNo: string) => test.refund(outTradeNo),
};
const holding = [
  ["queried", { kind: "notification_delayed", params: { until: "queried" } }],
  ["refund_first", { kind: "notification_order", params: { how: "refund_first" } }],
] as const;

/** The payment's notification that has a schedule. */
const scheduled = async (outTradeNo: string) =>
  (await test.notificationsOf(outTradeNo)).find((one) => one.about === "payment" && one.state !== "unscheduled");
const stateOf = async (outTradeNo: string) => (await scheduled(outTradeNo))?.state;

async function hold(outTradeNo: string, fault: (typeof holding)[number][1], url?: string): Promise<void> {
  await test.add({ ...fault, scope: { out_trade_no: outTradeNo } });
  await test.place(outTradeNo, url === undefined ? {} : { notify_url: url });
  await test.pay(outTradeNo);
  await expect.poll(async () => (await scheduled(outTradeNo))?.attempts).toMatchObject([{ verdict: "lost" }]);
}

it.each(holding)("a notification that was held and then refused is repeated: %s", async (how, fault) => {
  const outTradeNo = `HELD-REFUSED-${how}`;
  await using receiver = await notificationReceiver((_request, response) => {
    response.writeHead(200).end(receiver.received.length > 1 ? acceptedV2 : "no");
  });
  await hold(outTradeNo, fault, receiver.url);
  await released[how](outTradeNo);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  const later = () => {
    test.provider.clock.offsetMs += 15_000;
    return stateOf(outTradeNo);
  };
  await expect.poll(later).toBe("accepted");
  expect(receiver.received).toHaveLength(2);
  expect(await test.list()).toMatchObject([{ hits: 1 }]);
});

it.each(holding)("a notification that was held and then accepted is not repeated: %s", async (how, fault) => {
  const outTradeNo = `HELD-ACCEPTED-${how}`;
  await hold(outTradeNo, fault);
  await released[how](outTradeNo);
  await expect.poll(() => stateOf(outTradeNo)).toBe("accepted");
  expect(await test.received(outTradeNo)).toHaveLength(1);
});

it.each([
  ["delayed", { kind: "notification_delayed", params: { by_ms: 300_000 } }, [1]],
  ["copied", { kind: "notification_duplicate", params: { copies: 2, gap_ms: 300_000 } }, [0, 1]],
] as const)("a notification of version 3 that is %s is signed when it is sent", async (what, fault, rounds) => {
  const outTradeNo = `SIGNED-${what}`;
  const begun = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: begun });
  try {
    await test.add({ ...fault, times: 1, scope: { out_trade_no: outTradeNo } });
    await test.placeV3(outTradeNo);
    await test.pay(outTradeNo);
    await test.hit();
    if (what === "copied") await test.received(outTradeNo);
    vi.setSystemTime(begun + 300_000);
    const later = () => {
      test.provider.clock.offsetMs += 300_000;
      return test.receiver.received.filter(({ path }) => path === `/${outTradeNo}`).length;
    };
    await expect.poll(later).toBe(rounds.length);
    const received = await test.received(outTradeNo);
    const signed = received.map(({ headers }) => Number(headers["wechatpay-timestamp"]));
    expect(signed).toEqual(rounds.map((round) => Math.floor((begun + round * 300_000) / 1000)));
  } finally {
    vi.useRealTimers();
  }
});
