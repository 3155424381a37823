/** What other products began at a time that lies in the future since the clock was put back: it ends no sooner than at first. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { beginTransfer } from "../../../support/payments/begin-money-moves.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { createPapay } from "../../../support/payments/papay.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

const minuteMs = 60_000;
let provider: TestProvider;
let merchant: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 5 });
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const clocks = ["put back while it runs", "put back before a start"] as const;
const inFuture = () => void (provider.clock.offsetMs = 15 * minuteMs);
async function putBack(when: (typeof clocks)[number]): Promise<void> {
  provider.clock.offsetMs = 0;
  if (when === "put back while it runs") return;
  await provider.restart();
  merchant = await createMerchantV3(provider.url);
}

it.each(clocks)("a contract stays in force, and its deduction is made, with a clock %s", async (when) => {
  const papay = await createPapay(provider, merchant, undefined);
  const code = `contract${String(when.length)}`;
  inFuture();
  await papay.sign("jsapi", code, { deduct_schedule: undefined });
  const id = await papay.signed(code);
  expect((await papay.apply(id, `${code}_order`)).status).toBe(200);
  await putBack(when);
  const state = async () => (await merchant.query(`${code}_order`)).json.trade_state as string;
  await expect.poll(state).toBe("SUCCESS");
  const after = await createPapay(provider, merchant, undefined);
  expect((await after.query(code)).json.contract_state).toBe("SIGNED");
});

it.each(clocks)("a transfer waits for its user for a day, with a clock %s", async (when) => {
  const out_bill_no = `transfer${String(when.length)}`;
  inFuture();
  const id = await beginTransfer(provider, { out_bill_no });
  await putBack(when);
  const path = `/v3/fund-app/mch-transfer/transfer-bills/out-bill-no/${out_bill_no}`;
  const state = async () => (await merchant.call("GET", path)).json.state as string;
  expect(await state()).toBe("WAIT_USER_CONFIRM");
  provider.clock.offsetMs += 23 * 60 * minuteMs;
  expect(await state()).toBe("WAIT_USER_CONFIRM");
  await provider.control("POST", `/transfers/${id}/confirm`);
  provider.clock.offsetMs += minuteMs;
  expect(await state()).toBe("SUCCESS");
});

it.each(clocks)("an order's money stays frozen until it is shared, with a clock %s", async (when) => {
  const number = `SHARED_${String(when.length)}`;
  inFuture();
  await merchant.place("native", number, { settle_info: { profit_sharing: true } });
  await provider.control("POST", `/orders/${number}/pay`);
  const { transaction_id } = (await merchant.query(number)).json;
  await putBack(when);
  const frozen = () => merchant.call("GET", `/v3/profitsharing/transactions/${String(transaction_id)}/amounts`);
  expect((await frozen()).json.unsplit_amount).toBeGreaterThan(0);
});
