/** Checks a merchant's backend at a platform that uses both of its keys. */
import {
  receiverCheckProgressSchema,
  type ReceiverCheck,
  type ReceiverCheckRequest,
} from "../../../../server/contract/provider/checks/receiver-checks.ts";
import { allowTime } from "../receivers/receiver-checks.ts";
import { startTestProvider, type TestProvider } from "../test-provider.ts";

export async function startPlatform(): Promise<TestProvider> {
  const provider = await startTestProvider();
  await allowTime(provider.url);
  // Only the rows about the keys meet the public one, which signs each thousandth notification.
  await provider.control("PUT", "/platform-key", { mode: "switching", public_key_share: 0.1 });
  await provider.control("PATCH", "/settings", { bills_at_once: true });
  return provider;
}

/** @returns the report, once the check is over */
export async function checkBackend({ url: platform }: TestProvider, url: string): Promise<ReceiverCheck> {
  const json = { "Content-Type": "application/json" };
  const asked: ReceiverCheckRequest = {
    orders: { from: "backend", url: `${url}/orders`, headers: json, body: '{"amount":101}', out_trade_no_at: "number" },
    status: {
      url: `${url}/orders/{out_trade_no}`,
      settled_when: "status=PAID",
      settlements_at: "settlements",
      failed_when: "status=FAILED",
      refunded_at: "refunded",
    },
    actions: {
      refund: { url: `${url}/orders/{out_trade_no}/refunds`, headers: json, body: '{"amount":{amount}}' },
      close: { url: `${url}/orders/{out_trade_no}/close`, headers: json },
      pay: { url: `${url}/orders/{out_trade_no}/pay`, headers: json, prepay_at: "code_url" },
      reconcile: {
        url: `${url}/reconcile`,
        headers: json,
        body: '{"date":"{date}"}',
        differences_at: "differences.length",
      },
    },
    refund_notify_url: `${url}/pay/refund-notify`,
    reconcile_within_ms: 10_000,
  };
  const told = await fetch(`${platform}/sim/receiver-checks`, {
    method: "POST",
    headers: { ...json, Accept: "application/x-ndjson" },
    body: JSON.stringify(asked),
  });
  const last = receiverCheckProgressSchema.parse(JSON.parse((await told.text()).trim().split("\n").at(-1) ?? ""));
  if (last.type !== "ended") throw new Error(`the check has not ended: ${last.type}`);
  return last.check;
}
