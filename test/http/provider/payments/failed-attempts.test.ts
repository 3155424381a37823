/** The attempts to pay that have failed, as the provider keeps them in an order's history. */
import { expect, it } from "vitest";
import { callControl } from "../../../support/payments/control-merchants.ts";
import { createMerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { orderDetails } from "../../../support/payments/order-details.ts";
import { startTestProvider } from "../../../support/payments/test-provider.ts";

it("POST …/fail leaves an attempt with its reason and time; one that is refused leaves none", async () => {
  await using provider = await startTestProvider();
  await createMerchantV2(provider).place("FAILS_OFTEN", { trade_type: "NATIVE" });
  expect((await orderDetails(provider, "FAILS_OFTEN")).attempts).toEqual([]);
  const at = new Date(provider.clock.now()).toISOString();
  const reasons = ["no_funds", "wrong_password", "cancel"];
  await provider.control("POST", "/orders/FAILS_OFTEN/fail");
  for (const how of reasons) await provider.control("POST", "/orders/FAILS_OFTEN/fail", { how });
  await provider.control("POST", "/orders/FAILS_OFTEN/pay");
  expect(await callControl(provider, "POST", "/orders/FAILS_OFTEN/fail")).toMatchObject({ status: 409 });
  expect((await orderDetails(provider, "FAILS_OFTEN")).attempts).toEqual(
    ["bank", ...reasons].map((reason) => ({ at, result: "failed", reason })),
  );
});

it("a payment code that the bank refuses leaves an attempt", async () => {
  await using provider = await startTestProvider();
  const { auth_code } = await provider.control("POST", "/users/ada/payment-codes", { outcome: "refused" });
  await createMerchantV2(provider).micropay("REFUSED_CODE", { auth_code: String(auth_code) });
  const { order, attempts } = await orderDetails(provider, "REFUSED_CODE");
  expect([order.trade_state, attempts.map(({ reason }) => reason)]).toEqual(["PAYERROR", ["bank"]]);
});
