/** The merchant's side and the simulator, through the whole life of orders: neither knows how the other was written. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPaymentProvider } from "../../../server/app/payments/provider/create-payment-provider.ts";
import type { PaymentProvider, PlacedOrder } from "../../../server/app/payments/provider/provider-client.ts";
import type { PayVersion, SignType } from "../../../server/contract/provider/payment-terms.ts";
import { settingsSchema } from "../../../server/contract/process/settings.ts";
import { notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

type Receiver = Awaited<ReturnType<typeof notificationReceiver>>;
const ways = [
  ["v2", "MD5"],
  ["v2", "HMAC-SHA256"],
  ["v3", "MD5"],
] as const;

let simulator: TestProvider;
let receiver: Receiver;
beforeAll(async () => {
  [simulator, receiver] = await Promise.all([startTestProvider(), notificationReceiver()]);
});
afterAll(async () => {
  await simulator[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

let orders = 0;
const newOrder = (tradeType: "JSAPI" | "NATIVE" | "APP" | "MWEB" = "JSAPI") => ({
  outTradeNo: `SIM|*-${String(++orders).padStart(6, "0")}`,
  description: "Two tickets",
  amount: 101,
  tradeType,
  openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  clientIp: "127.0.0.1",
  expiresAt: Date.now() + 600_000,
});
const act = (outTradeNo: string, what: string) =>
  simulator.control("POST", `/orders/${encodeURIComponent(outTradeNo)}/${what}`);

/** A merchant's side of this simulator that is told of its orders below its own path. */
const clientOf = (payment_version: PayVersion, payment_sign_type: SignType, path: string) =>
  createPaymentProvider({
    settings: settingsSchema.parse({
      data_dir: "unused",
      payment_timeout_ms: 60_000,
      payment_version,
      payment_sign_type,
      payment_notify_url: `${receiver.url}${path}`,
    }),
    simulator: simulator.payments,
    ownUrl: () => "unused",
  });

type Order = Parameters<PaymentProvider["placeOrder"]>[0];
async function placedBy(client: PaymentProvider, order: Order): Promise<PlacedOrder> {
  const placed = await client.placeOrder(order);
  if (placed.outcome !== "done") throw new Error(`The order was not placed: ${placed.outcome}`);
  return placed.value;
}

describe.each(ways)("payments by %s (%s)", (payment_version, payment_sign_type) => {
  const path = `/${payment_version}-${payment_sign_type}`;
  let client: PaymentProvider;
  beforeAll(() => {
    client = clientOf(payment_version, payment_sign_type, path);
  });
  afterAll(() => client.close());

  const notified = (kind: "notifications" | "refund-notifications") => receiver.at(`${path}/api/payments/${kind}`);

  it("places orders of every type, the same again as often as it is asked", async () => {
    const needs = { JSAPI: "prepayId", NATIVE: "codeUrl", APP: "prepayId", MWEB: "webUrl" } as const;
    for (const tradeType of ["JSAPI", "NATIVE", "APP", "MWEB"] as const) {
      const order = newOrder(tradeType);
      for (let i = 0; i < 2; i++) {
        const placed = await client.placeOrder(order);
        expect(placed).toMatchObject({ outcome: "done" });
        const value = placed.outcome === "done" ? placed.value : ({} as PlacedOrder);
        expect(value[needs[tradeType]]).toMatch(/./);
        expect(Object.keys(await client.payParameters(tradeType, value))).not.toHaveLength(0);
      }
      expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ value: { tradeState: "NOTPAY" } });
      const changed = await client.placeOrder({ ...order, amount: 102 });
      expect(changed).toMatchObject({ outcome: "refused", code: "INVALID_REQUEST" });
    }
  });

  it("has an order paid, notified, queried, refunded and notified again", async () => {
    const order = newOrder();
    await client.placeOrder(order);
    await act(order.outTradeNo, "pay");
    const told = await notified("notifications");
    const payment = { outTradeNo: order.outTradeNo, total: 101, currency: "CNY" };
    const queried = await client.queryOrder(order.outTradeNo);
    expect(queried).toMatchObject({ outcome: "done", value: { ...payment, tradeState: "SUCCESS" } });
    const transactionId = queried.outcome === "done" ? queried.value.transactionId : "";
    const read = await client.readerOf(payment_version).readPaymentNotification(Buffer.from(told.body), told.headers);
    expect(read).toMatchObject({ ...payment, kind: "payment", version: payment_version, transactionId });
    expect(await client.closeOrder(order.outTradeNo)).toMatchObject({ outcome: "refused", code: "ORDERPAID" });

    const refund = { outTradeNo: order.outTradeNo, outRefundNo: `R@${order.outTradeNo}`, total: 101, amount: 50 };
    expect(await client.refund(refund)).toMatchObject({ outcome: "done", value: { amount: 50 } });
    simulator.clock.offsetMs += 1_000;
    const toldOfRefund = await notified("refund-notifications");
    expect(
      await client
        .readerOf(payment_version)
        .readRefundNotification(Buffer.from(toldOfRefund.body), toldOfRefund.headers),
    ).toEqual({
      kind: "refund",
      version: payment_version,
      outTradeNo: order.outTradeNo,
      outRefundNo: refund.outRefundNo,
      status: "SUCCESS",
      transactionId,
      amount: 50,
      currency: "CNY",
    });
    expect(await client.queryRefund(refund)).toMatchObject({ value: { status: "SUCCESS", amount: 50 } });
    expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ value: { tradeState: "REFUND" } });
    const otherAmount = await client.refund({ ...refund, amount: 51 });
    expect(otherAmount).toMatchObject({
      outcome: "refused",
      code: payment_version === "v2" ? "REFUND_FEE_MISMATCH" : "INVALID_REQUEST",
    });
  });

  it.each(["JSAPI", "APP"] as const)("makes pay parameters that the platform takes: %s", async (tradeType) => {
    const order = newOrder(tradeType);
    const parameters = await client.payParameters(tradeType, await placedBy(client, order));
    const paid = await simulator.control("POST", "/users/ada/payments", parameters);
    expect(paid).toEqual({ errMsg: "requestPayment:ok" });
    expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ value: { tradeState: "SUCCESS" } });
  });

  it("closes an order, and is refused what is not there", async () => {
    const order = newOrder();
    await client.placeOrder(order);
    expect(await client.closeOrder(order.outTradeNo)).toMatchObject({ outcome: "done" });
    expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ value: { tradeState: "CLOSED" } });
    const none = "SIM-NONE-1";
    expect(await client.queryOrder(none)).toMatchObject({ outcome: "refused", code: "ORDERNOTEXIST" });
    expect(await client.queryRefund({ outTradeNo: "HEARTH-1", outRefundNo: "R-NONE" })).toMatchObject({
      outcome: "refused",
      code: "REFUNDNOTEXIST",
    });
    const refund = await client.refund({ outTradeNo: none, outRefundNo: "R-NONE", total: 1, amount: 1 });
    expect(refund).toMatchObject({ outcome: "refused", code: "ORDERNOTEXIST" });
  });
});

describe("payments by code", () => {
  let client: PaymentProvider;
  beforeAll(() => {
    client = clientOf("v2", "MD5", "/codes");
  });
  afterAll(() => client.close());
  const pay = async (outcome?: string) => {
    const order = newOrder();
    const { auth_code } = await simulator.control("POST", "/users/ada/payment-codes", outcome ? { outcome } : {});
    return { order, paid: await client.payByCode({ ...order, authCode: String(auth_code) }) };
  };

  it("are done at once where no password is asked for", async () => {
    const { order, paid } = await pay("paid");
    expect(paid).toMatchObject({ outcome: "done", value: { total: 101, tradeState: "SUCCESS" } });
    expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ value: { tradeState: "SUCCESS" } });
  });

  it("are open while the buyer types, and can be reversed when that has failed", async () => {
    const { order, paid } = await pay("asks-password");
    expect(paid).toMatchObject({ outcome: "unknown", reason: "undecided", code: "USERPAYING" });
    expect(await client.reverseOrder(order.outTradeNo)).toMatchObject({ outcome: "refused", code: "USERPAYING" });
    await act(order.outTradeNo, "fail");
    expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ value: { tradeState: "PAYERROR" } });
    expect(await client.reverseOrder(order.outTradeNo)).toMatchObject({ outcome: "done", value: { again: false } });
    expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ value: { tradeState: "REVOKED" } });
  });

  it("are refused for an invalid code", async () => {
    const refused = await client.payByCode({ ...newOrder(), authCode: "1" });
    expect(refused).toMatchObject({ outcome: "refused", code: expect.stringMatching(/^AUTH/) });
  });
});

describe("the platform's keys", () => {
  it("may change while payments go on", async () => {
    const client = clientOf("v3", "MD5", "/keys");
    const order = newOrder();
    expect(await client.placeOrder(order)).toMatchObject({ outcome: "done" });
    const changes = [
      ["POST", "/platform-key/rotations", undefined],
      ["POST", "/platform-key/rotations", undefined],
      ["PUT", "/platform-key", { mode: "public_key" }],
      ["PUT", "/platform-key", { mode: "certificate" }],
      ["POST", "/platform-key/rotations", undefined],
    ] as const;
    for (const [method, path, body] of changes) {
      const { serial } = await simulator.control(method, path, body);
      expect(serial).toMatch(/./);
      expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ outcome: "done" });
    }
    client.close();
  });
});

describe("the built-in merchant", () => {
  it.each(ways)("may be replaced while payments by %s (%s) go on", async (version, signType) => {
    const told = `/replaced-${version}-${signType}`;
    const client = clientOf(version, signType, told);
    const key = `${version}${signType}`.replaceAll("-", "").padEnd(32, "k");
    const merchant = {
      app_ids: [`wx${Buffer.from(key).toString("hex").slice(0, 16)}`],
      api_v2_key: key,
      api_v3_key: key,
    };
    const path = `/merchants/${simulator.payments.credentials.mch_id}`;
    expect(await simulator.control("PUT", path, merchant)).toMatchObject(merchant);
    const order = newOrder();
    const parameters = await client.payParameters("JSAPI", await placedBy(client, order));
    expect(parameters["appId"]).toBe(merchant.app_ids[0]);
    expect(await simulator.control("POST", "/users/ada/payments", parameters)).toEqual({ errMsg: "requestPayment:ok" });
    const { body, headers } = await receiver.at(`${told}/api/payments/notifications`);
    const read = await client.readerOf(version).readPaymentNotification(Buffer.from(body), headers);
    expect(read).toMatchObject({ outTradeNo: order.outTradeNo });
    expect(await client.queryOrder(order.outTradeNo)).toMatchObject({ value: { tradeState: "SUCCESS" } });
    client.close();
  });
});
