import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { simOrderDetailsSchema } from "../../../server/contract/provider/sim-orders.ts";
import type { PayVersion } from "../../../server/contract/provider/payment-terms.ts";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import type { AdjustableClock } from "../../../server/time/adjustable-clock.ts";
import { acknowledged, startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { settleByResultCode } from "../../support/payments/receivers/trusting-receiver.ts";

type Details = z.infer<typeof simOrderDetailsSchema>;

describe.each([["v2"], ["v3"]] as const)("orders at the simulator, by version %s", (version: PayVersion) => {
  let payments: PaymentsApp;
  beforeAll(async () => {
    payments = await startPaymentsApp({ notified: true, settings: { payment_version: version } });
    await payments.sim("PATCH", "/settings", { refund_seconds: 0 });
  });
  beforeEach(() => {
    payments.trip.reset();
  });
  afterAll(() => payments[Symbol.asyncDispose]());

  const details = (order: { out_trade_no: string }) => payments.sim<Details>("GET", `/orders/${order.out_trade_no}`);
  const settledAt = async (id: number) => (await payments.stored(id)).settled_at;
  async function settledOrder() {
    const order = await payments.place();
    await payments.pay(order);
    await expect.poll(() => settledAt(order.id)).toEqual(expect.any(String));
    return order;
  }

  it("are USERPAYING in every answer while the buyer is paying, and settled when that is done", async () => {
    const order = await payments.place({ trade_type: "NATIVE" });
    const state = async () => (await payments.get(order.id)).trade_state;
    const told = () => payments.sim("POST", `/orders/${order.out_trade_no}/ask-password`);
    expect(await told()).toMatchObject({ trade_state: "USERPAYING" });
    expect(await state()).toBe("USERPAYING");
    await payments.sim("POST", `/orders/${order.out_trade_no}/fail`, { how: "bank" });
    expect(await state()).toBe("NOTPAY");
    await told();
    await payments.pay(order);
    await expect.poll(() => settledAt(order.id)).toEqual(expect.any(String));
    expect(await state()).toBe("SUCCESS");
  });

  it("are settled by the notification, which is answered after query order was asked", async () => {
    const order = await settledOrder();
    await expect
      .poll(async () => (await details(order)).notifications.flatMap(({ attempts }) => attempts))
      .toMatchObject([{ attempt: 1, verdict: "accepted", trusted_result_code: false }]);
    expect((await payments.get(order.id)).trade_state).toBe("SUCCESS");
    const { calls } = await details(order);
    expect(calls.map(({ name }) => name)).toEqual(["unifiedorder", "orderquery"]);
    expect(new Set(calls.map((call) => call.version))).toEqual(new Set([version]));
  });

  it("are paid by a client with the parameters that it was given, whatever the platform then calls it", async () => {
    const { pay = {}, id } = await payments.place();
    const { errMsg } = await payments.sim<{ errMsg: string }>("POST", "/users/buyer/payments", pay);
    expect(errMsg).toBe("requestPayment:ok");
    await expect.poll(() => settledAt(id)).toEqual(expect.any(String));
    const other = await payments.place();
    const cancelled = await payments.sim<{ errMsg: string }>("POST", "/users/buyer/payments?outcome=cancel", other.pay);
    expect([cancelled.errMsg, (await payments.get(other.id)).trade_state]).toEqual([
      "requestPayment:fail cancel",
      "NOTPAY",
    ]);
  });

  it("are refunded, and the refund's notification reports its end, which query refund confirms", async () => {
    const order = await settledOrder();
    const { status, body } = await payments.refund(order.id, { amount: 40 });
    expect(status).toBe(201);
    await expect
      .poll(async () => (await payments.stored(order.id)).refunds)
      .toMatchObject([{ out_refund_no: body.data.out_refund_no, status: "SUCCESS", amount: 40 }]);
    expect(await payments.get(order.id)).toMatchObject({ trade_state: "REFUND", settled_at: expect.any(String) });
  });

  it("are closed, and paid no more", async () => {
    const order = await payments.place({ trade_type: "NATIVE" });
    const { body } = await payments.call<{ trade_state: string }>("POST", `/orders/${String(order.id)}/closures`);
    expect(body.data.trade_state).toBe("CLOSED");
    expect(await payments.pay(order)).toMatchObject({ code: expect.any(String) });
  });

  it("ignore the same bytes when they come once more, and refuse them with a change", async () => {
    const order = await settledOrder();
    const request = async () => (await details(order)).notifications[0]?.attempts[0]?.request;
    await expect.poll(request).toBeDefined();
    const { headers = {}, body = "" } = (await request()) ?? {};
    const kept = Object.fromEntries(
      Object.entries(headers).filter(([name]) => /^(?:content-type|wechatpay)/i.test(name)),
    );
    const again = await payments.post(body, "notifications", kept);
    expect([again.status, again.text]).toEqual([200, expect.stringContaining("SUCCESS")]);
    const changed = body.replace(version === "v2" ? "<bank_type>" : '"summary":"', (text) => `${text}X`);
    const refused = await payments.post(changed, "notifications", kept);
    expect([refused.status, refused.text]).toEqual([version === "v2" ? 200 : 400, expect.stringContaining("FAIL")]);
    expect([again.refusal, refused.refusal]).toEqual([null, "bad_signature"]);
    expect(await payments.decisions(order.id)).toEqual(["settled", "already_settled"]);
  });
});

describe("a receiver that trusts result_code", () => {
  it("is detected by the simulator", async () => {
    await using payments = await startPaymentsApp({ notified: true, createSettle: settleByResultCode });
    const order = await payments.place();
    await payments.pay(order);
    const attempts = async () =>
      (await payments.sim<Details>("GET", `/orders/${order.out_trade_no}`)).notifications.flatMap(
        (one) => one.attempts,
      );
    await expect.poll(attempts).toMatchObject([{ verdict: "accepted", trusted_result_code: true }]);
  });
});

describe("a switch from version 2 to version 3", () => {
  it("leaves earlier orders payable, notified in version 2, and settled", async () => {
    using folder = temporaryFolder();
    let order: ApiOrder;
    let clock: AdjustableClock;
    {
      await using before = await startPaymentsApp({ folder: folder.path });
      ({ clock } = before.app);
      order = await before.place();
    }
    await using payments = await startPaymentsApp({ folder: folder.path, clock, settings: { payment_version: "v3" } });
    await payments.pay(order);
    expect((await payments.notify(order)).text).toBe(acknowledged);
    expect((await payments.stored(order.id)).trade_state).toBe("SUCCESS");
  });

  it("has payments by code and their reversal, too", async () => {
    await using payments = await startPaymentsApp({ settings: { payment_version: "v3" } });
    const worthless = await payments.create({ trade_type: "MICROPAY", auth_code: "130000000000000000" });
    expect([worthless.status, worthless.body.details]).toEqual([
      400,
      [{ field: "err_code", problem: "AUTH_CODE_INVALID" }],
    ]);
    const { body } = await payments.create({ trade_type: "MICROPAY", auth_code: await payments.code() });
    expect(body.data).toMatchObject({ trade_state: "SUCCESS", settled_at: expect.any(String) });
    const reversed = await payments.call<ApiOrder>("POST", `/orders/${String(body.data.id)}/reversals`);
    expect([reversed.status, reversed.body.data.trade_state]).toEqual([200, "REVOKED"]);
  });
});
