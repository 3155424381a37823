/** Notifications that come late, never, in another order, or by command; and what the simulator makes of the receiver's reply. */
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startFaultedProvider, type FaultedProvider } from "../../../support/payments/faulted-provider.ts";
import { acceptedV2, notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { fieldsOfXml } from "../../../support/payments/payment-signatures.ts";

let test: FaultedProvider;
beforeAll(async () => void (test = await startFaultedProvider()));
afterEach(async () => void (await test.clear()));
afterAll(() => test[Symbol.asyncDispose]());

async function pay(outTradeNo: string): Promise<void> {
  await test.place(outTradeNo);
  await test.pay(outTradeNo);
}

/** Paths at which something about the order came, in order. */
const paths = (outTradeNo: string) =>
  test.receiver.received.map(({ path }) => path.slice(1)).filter((path) => path.startsWith(outTradeNo));

describe("the order of notifications", () => {
  it("is turned around: the payment's comes after the refund's", async () => {
    await test.add({
      kind: "notification_order",
      params: { how: "refund_first" },
      times: 1,
      scope: { out_trade_no: "REFUND-FIRST" },
    });
    await pay("REFUND-FIRST");
    await test.hit();
    expect(paths("REFUND-FIRST")).toEqual([]);
    await test.refund("REFUND-FIRST");
    await test.received("REFUND-FIRST");
    expect(paths("REFUND-FIRST").slice(0, 2)).toEqual(["REFUND-FIRST-refund", "REFUND-FIRST"]);
  });

  it("repeats the old after the new", async () => {
    await test.add({
      kind: "notification_order",
      params: { how: "older_after_newer" },
      times: 1,
      scope: { out_trade_no: "OLD-AGAIN" },
    });
    await pay("OLD-AGAIN");
    await test.received("OLD-AGAIN");
    await test.refund("OLD-AGAIN");
    await test.received("OLD-AGAIN", 2);
    expect(paths("OLD-AGAIN")).toEqual(["OLD-AGAIN", "OLD-AGAIN-refund", "OLD-AGAIN"]);
  });

  it.each([
    ["the new one", 2, ["", "/refund", "/refund", ""]],
    ["the old one once more", 3, ["", "/refund", "", ""]],
  ])(
    "repeats the old after the new, though the simulator stops while it sends %s",
    async (_what, unanswered, order) => {
      const outTradeNo = `OLD-STOP-${String(unanswered)}`;
      let count = 0;
      await using receiver = await notificationReceiver((_request, response) => {
        if (++count !== unanswered) response.writeHead(200).end(acceptedV2);
      });
      const scope = { out_trade_no: outTradeNo };
      await test.add({ kind: "notification_order", params: { how: "older_after_newer" }, times: 1, scope });
      await test.place(outTradeNo, { notify_url: receiver.url });
      await test.pay(outTradeNo);
      await expect.poll(() => count).toBe(1);
      await test.refund(outTradeNo, { notify_url: `${receiver.url}/refund` });
      await expect.poll(() => count).toBe(unanswered);
      await test.restart();
      const later = () => {
        test.provider.clock.offsetMs += 10_000;
        return receiver.received.map(({ path }) => path.replace(/^\/$/, ""));
      };
      await expect.poll(later).toEqual(order);
    },
  );

  it("reports a payment when the order has been closed unpaid", async () => {
    await test.add({
      kind: "notification_order",
      params: { how: "payment_after_close" },
      scope: { out_trade_no: "CLOSED-1" },
    });
    for (const outTradeNo of ["CLOSED-1", "CLOSED-2"]) {
      await test.place(outTradeNo);
      await test.close(outTradeNo);
    }
    await test.received("CLOSED-1");
    expect(paths("CLOSED")).toEqual(["CLOSED-1"]);
    expect(await test.stateOf("CLOSED-1")).toBe("CLOSED");
  });
});

describe("a notification that is late", () => {
  it("waits for a query of the merchant, also over a restart", async () => {
    await test.add({
      kind: "notification_delayed",
      params: { until: "queried" },
      times: 1,
      scope: { out_trade_no: "LATE-QUERY" },
    });
    await pay("LATE-QUERY");
    await test.hit();
    await test.restart();
    expect(paths("LATE-QUERY")).toEqual([]);
    await test.query("LATE-QUERY");
    await test.received("LATE-QUERY");
    expect(await test.list()).toMatchObject([{ hits: 1, spent: true }]);
  });

  it("waits until the order's time is over", async () => {
    await test.add({
      kind: "notification_delayed",
      params: { until: "expired" },
      times: 1,
      scope: { out_trade_no: "LATE-EXPIRED" },
    });
    await pay("LATE-EXPIRED");
    await test.hit();
    test.provider.clock.offsetMs += 8 * 86_400_000;
    await test.received("LATE-EXPIRED");
  });

  it("waits so long as the fault says, by the simulator's clock", async () => {
    await test.add({
      kind: "notification_delayed",
      params: { by_ms: 240_000 },
      times: 1,
      scope: { out_trade_no: "LATE-BY" },
    });
    await pay("LATE-BY");
    await test.hit();
    expect(paths("LATE-BY")).toEqual([]);
    const later = () => {
      test.provider.clock.offsetMs += 240_000;
      return paths("LATE-BY");
    };
    await expect.poll(later).toEqual(["LATE-BY"]);
  });

  it("comes at last when the fault is taken away", async () => {
    await test.provider.control("PATCH", "/settings", { timeScale: 1 });
    await test.add({
      kind: "notification_delayed",
      params: { until: "queried" },
      scope: { out_trade_no: "LATE-FREED" },
    });
    await pay("LATE-FREED");
    await test.hit();
    await test.clear();
    test.provider.clock.offsetMs += 15_000;
    await test.received("LATE-FREED");
    await test.provider.control("PATCH", "/settings", { timeScale: 0.0001 });
  });
});

describe("a forged success", () => {
  it("comes a while after the order was placed, and what is not paid stays unpaid", async () => {
    await test.add({
      kind: "forged_success",
      params: { after_ms: 60_000 },
      times: 1,
      scope: { out_trade_no: "FORGED-LATE" },
    });
    await test.place("FORGED-LATE");
    await test.hit();
    await test.restart();
    expect(paths("FORGED-LATE")).toEqual([]);
    test.provider.clock.offsetMs += 60_000;
    await test.received("FORGED-LATE");
    expect(await test.stateOf("FORGED-LATE")).toBe("NOTPAY");
    const [notification] = await test.notificationsOf("FORGED-LATE");
    expect(notification).toMatchObject({ state: "unscheduled" });
    await expect
      .poll(async () => (await test.notificationsOf("FORGED-LATE"))[0]?.attempts)
      .toMatchObject([{ verdict: "believed", faults: [{ kind: "forged_success" }] }]);
  });
});

describe("POST /sim/orders/{out_trade_no}/notifications", () => {
  const refuse = (_request: unknown, response: ServerResponse) => void response.writeHead(500).end();

  it("sends a forged success of an unpaid order, and returns the receiver's answer", async () => {
    await test.place("SEND-FORGED");
    const { deliveries } = await test.send("SEND-FORGED", { kind: "forged_success" });
    expect(deliveries).toEqual([
      {
        status: 200,
        reply: expect.stringContaining("SUCCESS"),
        accepted: true,
        verdict: "believed",
        trusted_result_code: true,
        expected: "refuse",
      },
    ]);
    expect(fieldsOfXml((await test.received("SEND-FORGED"))[0]?.body ?? "")).toMatchObject({ result_code: "SUCCESS" });
  });

  it("finds nothing wrong with a receiver that refuses it", async () => {
    await using careful = await notificationReceiver(refuse);
    await test.v3.place("native", "SEND-REFUSED", { notify_url: careful.url });
    const { deliveries } = await test.send("SEND-REFUSED", { kind: "forged_success" });
    expect(deliveries).toMatchObject([{ status: 500, accepted: false, verdict: "refused", expected: "refuse" }]);
  });

  it("sends the genuine one again, copies, and others that are wrong", async () => {
    await pay("SEND-PAID");
    await test.received("SEND-PAID");
    const expected = async (sending: Parameters<typeof test.send>[1]) =>
      (await test.send("SEND-PAID", sending)).deliveries.map((delivery) => delivery.expected);
    expect(await expected({ kind: "genuine" })).toEqual(["accept"]);
    expect(await expected({ kind: "notification_duplicate", params: { copies: 3 } })).toEqual([
      ...["accept", "accept", "accept"],
    ]);
    expect(await expected({ kind: "notification_signature" })).toEqual(["refuse"]);
    expect(await expected({ kind: "wrong_amount", params: { by: 1 } })).toEqual(["refuse"]);
    expect(await expected({ kind: "notification_malformed", params: { how: "extra_fields" } })).toEqual(["accept"]);
    expect(await expected({ kind: "notification_return_code_fail" })).toEqual(["either"]);
    expect(paths("SEND-PAID")).toHaveLength(9);
  });

  it("finds nothing wrong with a receiver that acknowledges a wrong payment of an order that is over", async () => {
    await pay("SEND-SETTLED");
    await test.received("SEND-SETTLED");
    await test.query("SEND-SETTLED");
    await test.place("SEND-CLOSED");
    await test.close("SEND-CLOSED");
    for (const outTradeNo of ["SEND-SETTLED", "SEND-CLOSED"]) {
      const judged = async (sending: Parameters<typeof test.send>[1]) =>
        (await test.send(outTradeNo, sending)).deliveries.map(({ expected, verdict }) => [expected, verdict]);
      const either = [["either", "accepted"]];
      const believed = [["refuse", "believed"]];
      expect(await judged({ kind: "wrong_amount", params: { by: 1 } })).toEqual(either);
      expect(await judged({ kind: "notification_foreign", params: { field: "transaction_id" } })).toEqual(either);
      expect(await judged({ kind: "notification_foreign", params: { field: "mch_id" } })).toEqual(believed);
      expect(await judged({ kind: "notification_signature" })).toEqual(believed);
    }
  });

  it("sends that of the latest refund", async () => {
    await pay("SEND-REFUND");
    await test.refund("SEND-REFUND");
    await test.received("SEND-REFUND-refund");
    const { deliveries } = await test.send("SEND-REFUND", { kind: "genuine", params: { about: "refund" } });
    expect(deliveries).toMatchObject([{ accepted: true, expected: "accept" }]);
    await test.received("SEND-REFUND-refund", 2);
  });

  it("says why there is nothing to send, and which field is at fault", async () => {
    await test.place("SEND-UNPAID");
    const refusal = async (outTradeNo: string, sending: object) =>
      (await test.send(outTradeNo, sending as never)) as unknown as { code: string; Message: string };
    expect(await refusal("SEND-UNPAID", { kind: "genuine" })).toMatchObject({
      code: "nothing_to_send",
      Message: expect.stringContaining("forged_success"),
    });
    expect(await refusal("SEND-UNPAID", { kind: "genuine", params: { about: "refund" } })).toMatchObject({
      code: "nothing_to_send",
    });
    expect(await refusal("SEND-UNPAID", { kind: "notification_foreign" })).toMatchObject({
      code: "invalid_request",
      Message: expect.stringMatching(/^params\.field: /),
    });
    expect(await refusal("SEND-NOBODY", { kind: "genuine" })).toMatchObject({ code: "not_found" });
    await test.payByCode("SEND-CODE");
    expect(await refusal("SEND-CODE", { kind: "genuine" })).toMatchObject({ code: "nothing_to_send" });
  });
});
