/** The stream of changes of orders and refunds. */
import { describe, expect, it } from "vitest";
import { simOrderChangeSchema } from "../../../server/contract/provider/sim-orders.ts";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { acceptedV2, notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

interface Told {
  readonly event: string;
  readonly data: unknown;
}

/** Reads a stream of events into a list, until it ends. */
async function watch(provider: TestProvider) {
  const response = await fetch(`${provider.url}/sim/order-changes`);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const told: Told[] = [];
  const read = async () => {
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const whole = text.split("\n\n");
      text = whole.pop() ?? "";
      for (const one of whole) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(one) ?? [];
        if (event !== undefined) told.push({ event, data: JSON.parse(data ?? "") });
      }
    }
  };
  return { told, ended: read() };
}

describe("GET /sim/order-changes", () => {
  it("streams orders and refunds in the order in which they change, and a reset", async () => {
    await using provider = await startTestProvider();
    await provider.control("PATCH", "/settings", { refund_seconds: 0 });
    const { told } = await watch(provider);
    const merchant = createMerchantV2(provider);
    await merchant.paid("STREAMED");
    await merchant.refund("STREAMED", "R-STREAMED");
    await expect.poll(() => told.length).toBeGreaterThanOrEqual(5);
    await provider.control("DELETE", "/state");
    await expect.poll(() => told.at(-1)?.event).toBe("reset");
    const changes = told
      .slice(0, -1)
      .filter(({ event }) => event !== "notification")
      .map(({ event, data }) => {
        const { from, order, refund } = simOrderChangeSchema.parse(data);
        expect(order.out_trade_no).toBe("STREAMED");
        return [event, from, refund?.status ?? order.trade_state];
      });
    expect(changes).toEqual([
      ["order", undefined, "NOTPAY"],
      ["order", "NOTPAY", "SUCCESS"],
      ["order", "SUCCESS", "REFUND"],
      ["refund", undefined, "PROCESSING"],
      ["refund", "PROCESSING", "SUCCESS"],
    ]);
  });

  it("tells of each delivery of a notification, and its order is listed until the receiver accepts", async () => {
    await using provider = await startTestProvider();
    let isUp = false;
    await using receiver = await notificationReceiver((_request, response) =>
      isUp ? response.writeHead(200).end(acceptedV2) : response.writeHead(503).end(),
    );
    const { told } = await watch(provider);
    const deliveries = () => told.filter(({ event }) => event === "notification").length;
    const undelivered = () => provider.control("GET", "/undelivered-orders");
    await createMerchantV2(provider).paid("DOWN_1", { notify_url: `${receiver.url}/paid` });
    await expect.poll(deliveries).toBe(1);
    expect(await undelivered()).toEqual({ orders: [{ mch_id: "1900000109", out_trade_no: "DOWN_1" }] });
    isUp = true;
    await provider.control("POST", "/orders/DOWN_1/notify");
    expect([deliveries(), await undelivered()]).toEqual([2, { orders: [] }]);
  });

  it("ends when the simulator does", async () => {
    await using provider = await startTestProvider();
    const { ended } = await watch(provider);
    await provider.restart();
    await ended;
  });
});
