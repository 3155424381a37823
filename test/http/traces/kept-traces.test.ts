/** Work at the provider that continues later goes on in the trace of its cause, also after a restart. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createMerchantV3 } from "../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { attemptsOf, orderDetails } from "../../support/payments/order-details.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${trace}-00f067aa0ba902b7-01`;

let provider: TestProvider;
beforeEach(async () => {
  provider = await startTestProvider();
});
afterEach(() => provider[Symbol.asyncDispose]());

const traces = (receiver: Awaited<ReturnType<typeof notificationReceiver>>) =>
  receiver.received.map(({ headers }) => String(headers["traceparent"]).split("-")[1]);
const pay = (outTradeNo: string) =>
  fetch(`${provider.url}/sim/orders/${outTradeNo}/pay`, { method: "POST", headers: { traceparent } });

it("a notification's retry after a restart has the trace of the payment", async () => {
  await using receiver = await notificationReceiver((_request, response) => response.writeHead(500).end());
  const merchant = await createMerchantV3(provider.url);
  await merchant.place("native", "RETRIED", { notify_url: receiver.url });
  await pay("RETRIED");
  await attemptsOf(provider, "RETRIED", 1);
  await provider.restart();
  const { notifications } = await orderDetails(provider, "RETRIED");
  provider.clock.offsetMs += Date.parse(notifications[0]?.due_at ?? "") - provider.clock.now();
  await attemptsOf(provider, "RETRIED", 2);
  expect(traces(receiver)).toEqual([trace, trace]);
});

it("the notification of a refund that ends after a restart has the trace of the refund", async () => {
  await using receiver = await notificationReceiver();
  await provider.control("PATCH", "/settings", { refund_seconds: 3_600 });
  const merchant = await createMerchantV3(provider.url);
  await merchant.place("native", "REFUNDED");
  await provider.control("POST", "/orders/REFUNDED/pay");
  const body = {
    ...{ out_trade_no: "REFUNDED", out_refund_no: "R-1", notify_url: receiver.url },
    amount: { refund: 40, total: 101, currency: "CNY" },
  };
  await merchant.call("POST", "/v3/refund/domestic/refunds", body, { headers: { traceparent } });
  await provider.restart();
  provider.clock.offsetMs += 3_600_000;
  await expect.poll(() => traces(receiver)).toEqual([trace]);
});
