/** The application server with payment_provider alipay, against the simulator's gateway. */
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiOrder } from "../../../../server/contract/app/payments.ts";
import { signAlipayForm } from "../../../../server/payment-wire/sign-alipay.ts";
import { startPaymentsApp, type PaymentsApp } from "../../../support/payments/payments-app.ts";

const settings = { payment_provider: "alipay" } as const;
const formType = { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" };
type Notified = { readonly notifications: readonly { readonly attempts: readonly { readonly verdict: string }[] }[] };
type Details = { readonly calls: readonly { readonly name: string; readonly version: string }[] };

describe("orders of the own server at Alipay", () => {
  let payments: PaymentsApp;
  beforeAll(async () => {
    payments = await startPaymentsApp({ notified: true, settings });
  });
  afterAll(() => payments[Symbol.asyncDispose]());

  const state = async ({ id }: ApiOrder) => (await payments.get(id)).trade_state;
  const settled = async ({ id }: ApiOrder) =>
    expect.poll(async () => (await payments.stored(id)).settled_at).toEqual(expect.any(String));
  async function paid() {
    const order = await payments.place();
    await payments.pay(order);
    await settled(order);
    return order;
  }

  it("are settled by the notification, after the gateway was asked", async () => {
    const order = await payments.place();
    expect(order).toMatchObject({ trade_state: "NOTPAY", pay: { tradeNO: expect.stringMatching(/^\d+$/) as string } });
    await payments.pay(order);
    await settled(order);
    const { calls } = await payments.sim<Details>("GET", `/orders/${order.out_trade_no}`);
    expect(calls.map(({ name, version }) => [name, version])).toEqual([
      ["unifiedorder", "alipay"],
      ["orderquery", "alipay"],
    ]);
    expect(await payments.get(order.id)).toMatchObject({
      trade_state: "SUCCESS",
      transaction_id: order.pay?.["tradeNO"],
    });
  });

  it("are paid by a QR code, which is no trade before", async () => {
    const order = await payments.place({ trade_type: "NATIVE" });
    expect(order.pay).toEqual({ code_url: expect.stringMatching(/^https?:/) as string });
    expect(await state(order)).toBe("NOTPAY");
    await payments.pay(order);
    await settled(order);
    expect(await state(order)).toBe("SUCCESS");
  });

  it("are paid by an app that passes the signed order to Alipay's client", async () => {
    const order = await payments.place({ trade_type: "APP" });
    expect(order.pay).toEqual({ orderStr: expect.stringContaining("alipay.trade.app.pay") as string });
    await payments.sim("POST", "/users/buyer/payments", order.pay);
    await settled(order);
    expect(await state(order)).toBe("SUCCESS");
  });

  it("are paid in a browser that opens the address, which is the order's cashier", async () => {
    const order = await payments.place({ trade_type: "MWEB" });
    const opened = await fetch(order.pay?.["mweb_url"] ?? "", { redirect: "manual" });
    expect(opened.status).toBe(302);
    expect(await state(order)).toBe("NOTPAY");
    await payments.pay(order);
    await settled(order);
    expect(await state(order)).toBe("SUCCESS");
  });

  it("are paid at once by the buyer's payment code, and refused for a code that is none", async () => {
    const { auth_code } = await payments.sim<{ auth_code: string }>("POST", "/users/payer/payment-codes", {
      platform: "alipay",
    });
    const order = await payments.place({ trade_type: "MICROPAY", auth_code });
    expect(order.trade_state).toBe("SUCCESS");
    const refused = await payments.create({ trade_type: "MICROPAY", auth_code: "280000000000000000" });
    expect([refused.status, refused.body.code]).toEqual([400, "payment_refused"]);
  });

  it.each(["JSAPI", "NATIVE", "APP", "MWEB"])("are closed before anybody pays: %s", async (trade_type) => {
    const order = await payments.place({ trade_type });
    const closed = await payments.call<ApiOrder>("POST", `/orders/${String(order.id)}/closures`);
    expect([closed.status, closed.body.data.trade_state]).toEqual([200, "CLOSED"]);
  });

  it("can be paid after a failed attempt", async () => {
    const order = await payments.place();
    await payments.sim("POST", `/orders/${order.out_trade_no}/fail`, { how: "bank" });
    expect(await state(order)).toBe("NOTPAY");
  });

  it("are closed here when the platform has closed them", async () => {
    const order = await payments.place();
    await payments.sim("POST", `/orders/${order.out_trade_no}/close`);
    await expect.poll(() => state(order)).toBe("CLOSED");
  });

  it("stay SUCCESS after a part of the money went back, and become REFUND with the rest", async () => {
    const order = await paid();
    const part = await payments.refund(order.id, { amount: 1 });
    expect(part).toMatchObject({ status: 201, body: { data: { status: "SUCCESS", amount: 1 } } });
    expect(await payments.stored(order.id)).not.toHaveProperty("next_query_at");
    expect(await state(order)).toBe("SUCCESS");
    const rest = await payments.refund(order.id);
    expect(rest.body.data).toMatchObject({ status: "SUCCESS", amount: 100 });
    expect(await state(order)).toBe("REFUND");
  });

  it("are changed by no notification that is forged, or has a name twice", async () => {
    const order = await payments.place();
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { app_id, seller_id } = await payments.sim<Record<"app_id" | "seller_id", string>>(
      "GET",
      "/alipay/credentials",
    );
    const fields = {
      ...{ app_id, seller_id, out_trade_no: order.out_trade_no, trade_no: "2026000000000001" },
      ...{ trade_status: "TRADE_SUCCESS", total_amount: "1.01" },
    };
    const forged = String(new URLSearchParams(await signAlipayForm(fields, privateKey)));
    const answer = await payments.post(forged, "notifications", formType);
    expect(answer).toMatchObject({ status: 400, refusal: "bad_signature", text: "fail" });
    const twice = await payments.post(`${forged}&total_amount=0.01`, "notifications", formType);
    expect(twice).toMatchObject({ refusal: "malformed", text: "fail" });
    expect(await state(order)).toBe("NOTPAY");
  });

  it("are changed by no signed notification that names another app", async () => {
    const order = await payments.place();
    const path = `/orders/${order.out_trade_no}/notifications`;
    await payments.sim("POST", path, { kind: "notification_foreign", params: { field: "appid" } });
    const { notifications } = await payments.sim<Notified>("GET", `/orders/${order.out_trade_no}`);
    expect(notifications.flatMap(({ attempts }) => attempts)).toMatchObject([{ verdict: "refused" }]);
    expect(await state(order)).toBe("NOTPAY");
  });

  it("are held when a signed notification names another amount", async () => {
    const order = await payments.place();
    const scope = { out_trade_no: order.out_trade_no };
    await payments.sim("POST", "/faults", {
      ...{ kind: "wrong_amount", params: { by: 1, where: "notification" }, scope, times: 1 },
    });
    await payments.pay(order);
    await expect.poll(() => payments.decisions(order.id)).toContain("amount_mismatch");
    expect((await payments.stored(order.id)).amount_mismatch).toBe(true);
  });
});

describe("a payment by code at Alipay", () => {
  it("is reversed, which gives the money back", async () => {
    await using payments = await startPaymentsApp({ settings });
    const { auth_code } = await payments.sim<{ auth_code: string }>("POST", "/users/payer/payment-codes", {
      platform: "alipay",
    });
    const order = await payments.place({ trade_type: "MICROPAY", auth_code });
    const reversed = await payments.call<ApiOrder>("POST", `/orders/${String(order.id)}/reversals`);
    expect([reversed.status, reversed.body.data.trade_state]).toEqual([200, "REFUND"]);
  });
});

describe("an order at Alipay whose notifications are lost", () => {
  it("is settled by the reconcile job, and closed at its end when nobody pays", async () => {
    await using payments = await startPaymentsApp({ settings });
    const [paid, unpaid] = [await payments.place(), await payments.place({ trade_type: "NATIVE" })];
    await payments.pay(paid);
    await payments.later(10_000);
    expect((await payments.stored(paid.id)).trade_state).toBe("SUCCESS");
    await payments.later(2 * 3_600_000);
    expect((await payments.stored(unpaid.id)).trade_state).toBe("CLOSED");
  });
});
