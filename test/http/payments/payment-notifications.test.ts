import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { notificationFaults } from "../../support/payments/receivers/notification-faults.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";
import { readWhatever, settleByResultCode } from "../../support/payments/receivers/trusting-receiver.ts";

let payments: PaymentsApp;
beforeAll(async () => {
  payments = await startPaymentsApp();
});
beforeEach(() => {
  payments.trip.reset();
});
afterAll(() => payments[Symbol.asyncDispose]());

describe("a payment notification", () => {
  it.each(notificationFaults)("never settles wrongly and never loses a payment: %s", (_row, check) => check(payments));
});

describe("the same checks against a receiver that trusts result_code", () => {
  let trusting: PaymentsApp;
  beforeAll(async () => {
    trusting = await startPaymentsApp({ createSettle: settleByResultCode, read: readWhatever });
  });
  beforeEach(() => {
    trusting.trip.reset();
  });
  afterAll(() => trusting[Symbol.asyncDispose]());

  it.each(notificationFaults)("fail, as they should: %s", async (_row, check) => {
    await expect(check(trusting)).rejects.toThrow();
  });
});
