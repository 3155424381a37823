/** More notifications at once than the simulator sends at a time. */
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { createMerchantV3 } from "../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { allowTime } from "../../support/payments/receivers/receiver-checks.ts";
import { launchHearth } from "../../support/process/launch.ts";

const numbers = Array.from({ length: 300 }, (_, index) => `MANY_${String(index)}`);

it("the simulator answers while 300 notifications wait for a receiver, and sends each once the receiver answers", async () => {
  // A process of its own: one that never ends a turn of its loop would take the test with it.
  await using hearth = launchHearth();
  const { provider } = await hearth.ready();
  await allowTime(provider);
  const merchant = await createMerchantV3(provider);
  const held: ServerResponse[] = [];
  let holds = true;
  await using receiver = await notificationReceiver((_request, response) =>
    holds ? void held.push(response) : void response.writeHead(204).end(),
  );
  const control = async (path: string) => (await fetch(`${provider}/sim${path}`, { method: "POST" })).status;
  for (const number of numbers) {
    await merchant.place("native", number, { notify_url: `${receiver.url}/${number}` });
    expect(await control(`/orders/${number}/pay`)).toBe(200);
  }
  await expect.poll(() => held.length).toBeGreaterThan(200);
  expect((await merchant.query("MANY_0")).json.trade_state).toBe("SUCCESS");

  holds = false;
  for (const response of held) response.writeHead(204).end();
  const reached = () => new Set(receiver.received.map(({ path }) => path.slice(1)));
  await expect.poll(() => numbers.filter((number) => !reached().has(number))).toEqual([]);
  expect(receiver.received).toHaveLength(numbers.length);
});
