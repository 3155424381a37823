/** Orders that were placed before the settings of version and signature type were changed. */
import { expect, it } from "vitest";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import type { Settings } from "../../../server/contract/process/settings.ts";
import { signV2 } from "../../../server/payment-wire/sign-v2.ts";
import { writeXmlV2 } from "../../../server/payment-wire/xml-v2.ts";
import { acknowledged, apiV2Key, startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const key = { "Idempotency-Key": "tickets" };

/** Places an order by some settings, and goes on with others, on data in this folder. */
async function placedBefore(folder: string, before: Partial<Settings>, after: Partial<Settings>, more: object = {}) {
  let clock: PaymentsApp["app"]["clock"];
  let order: ApiOrder;
  {
    await using first = await startPaymentsApp({ folder, settings: before });
    ({ clock } = first.app);
    order = (await first.create(more, key)).body.data;
  }
  return { ...(await startPaymentsApp({ folder, clock, settings: after })), order };
}
const simPayment = (payments: PaymentsApp, parameters: unknown) =>
  payments.sim<{ errMsg: string }>("POST", "/users/buyer/payments", parameters);

it.each([
  ["MD5", {}, { payment_sign_type: "HMAC-SHA256" }],
  ["HMAC-SHA256", { payment_sign_type: "HMAC-SHA256" }, {}],
  ["MD5", {}, { payment_version: "v3" }],
  ["RSA", { payment_version: "v3" }, {}],
] as const)(
  "are paid with %s, as they were placed with, whatever the settings say now",
  async (type, before, after) => {
    using folder = temporaryFolder();
    await using payments = await placedBefore(folder.path, before, after);
    const { pay } = await payments.get(payments.order.id);
    expect(pay?.["signType"]).toBe(type);
    expect(await simPayment(payments, pay)).toMatchObject({ errMsg: "requestPayment:ok" });
  },
);

it("are notified by the type that they were placed with, and by no other", async () => {
  using folder = temporaryFolder();
  await using payments = await placedBefore(folder.path, {}, { payment_sign_type: "HMAC-SHA256" });
  const { order } = payments;
  await payments.pay(order);
  const told = await payments.notification(order);
  const signed = (fields: Record<string, string>, type: "MD5" | "HMAC-SHA256") =>
    payments.post(writeXmlV2({ ...fields, sign: signV2(fields, apiV2Key, type) }));
  expect((await signed(told, "HMAC-SHA256")).refusal).toBe("bad_signature");
  // Neither another order's number nor the message's own word changes that.
  const of = (fields: Record<string, string>) => signed({ ...told, ...fields }, "MD5");
  expect((await of({ out_trade_no: "HNOTHERE", sign_type: "MD5" })).refusal).toBe("bad_signature");
  expect((await of({ out_trade_no: "x".repeat(40_000) })).refusal).toBe("bad_signature");
  expect((await signed(told, "MD5")).text).toBe(acknowledged);
  expect((await payments.stored(order.id)).trade_state).toBe("SUCCESS");
});

it("keep their type when the client asks for another link", async () => {
  const link = { trade_type: "MWEB" };
  using folder = temporaryFolder();
  await using payments = await placedBefore(folder.path, {}, { payment_sign_type: "HMAC-SHA256" }, link);
  const { order } = payments;
  await payments.later(5 * 60_000);
  const { data } = (await payments.create(link, key)).body;
  expect([data.id, payments.trip.count("placeOrder")]).toEqual([order.id, 1]);
  await payments.pay(order);
  expect((await payments.notify(order)).text).toBe(acknowledged);
});
