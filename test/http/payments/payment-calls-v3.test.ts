/** What the merchant's side understands of the replies of version 3, call by call. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  withScriptedProvider,
  paymentMerchant,
  type Script,
} from "../../support/payments/scripted/scripted-payment-provider.ts";
import { orderToPlace, outTradeNo } from "../../support/payments/scripted/scripted-payment-v2.ts";
import {
  isSignedBy,
  merchantOfV3,
  signedV3,
  type MerchantV3,
} from "../../support/payments/scripted/scripted-payment-v3.ts";

const { mch_id: mchid, app_id: appid } = paymentMerchant;
let keys: MerchantV3;
beforeAll(async () => void (keys = await merchantOfV3()));
afterAll(() => keys[Symbol.dispose]());

async function start(body: unknown, status = 200) {
  const says = (what: unknown, code = 200): Script => signedV3(keys.platform, { body: what, status: code });
  const { scripted } = await withScriptedProvider(says(body, status));
  const client = scripted.client({ ...keys.settings, payment_base_url: scripted.url });
  /** The call that came first, with its body read. */
  const called = () => {
    const [call] = scripted.calls;
    expect(call && isSignedBy(keys.merchant, call)).toBe(true);
    return {
      method: call?.method,
      path: call?.path,
      json: call?.body ? (JSON.parse(call.body) as unknown) : undefined,
    };
  };
  return { client, called, says: (what: unknown) => scripted.answerBy(says(what)) };
}

it.each([
  ["NATIVE", "native", { code_url: "weixin://wxpay/bizpayurl?pr=1" }, { codeUrl: "weixin://wxpay/bizpayurl?pr=1" }],
  ["APP", "app", { prepay_id: "wx1" }, { prepayId: "wx1" }],
  ["MWEB", "h5", { h5_url: "https://pay.example/1" }, { webUrl: "https://pay.example/1" }],
] as const)("an order of type %s is placed at its own address", async (tradeType, last, told, value) => {
  const { client, called, says } = await start(told);
  expect(await client.placeOrder({ ...orderToPlace, tradeType })).toMatchObject({ outcome: "done", value });
  const { path, json } = called();
  expect(path).toBe(`/v3/pay/transactions/${last}`);
  expect(json).not.toHaveProperty("payer");
  expect(json).toMatchObject({
    scene_info: { payer_client_ip: "127.0.0.1", ...(tradeType === "MWEB" && { h5_info: { type: "Wap" } }) },
  });
  says({ something_else: "1" });
  const broken = await client.placeOrder({ ...orderToPlace, tradeType });
  expect(broken).toMatchObject({ outcome: "unknown", reason: "malformed" });
});

it("an order is read with its state, and with the payment once there is one", async () => {
  const order = { appid, mchid, out_trade_no: outTradeNo, trade_state_desc: "so it is", brand_new: [1] };
  const { client, called, says } = await start({
    ...order,
    trade_state: "SUCCESS",
    transaction_id: "4200000000202601010000000001",
    success_time: "2026-01-01T08:00:00+08:00",
    amount: { total: 101, payer_total: 100, currency: "CNY" },
  });
  expect(await client.queryOrder(outTradeNo)).toEqual({
    outcome: "done",
    value: {
      outTradeNo,
      tradeState: "SUCCESS",
      description: "so it is",
      total: 101,
      currency: "CNY",
      transactionId: "4200000000202601010000000001",
      paidAt: Date.parse("2026-01-01T00:00:00Z"),
    },
    reply: { httpStatus: 200 },
  });
  expect(called()).toMatchObject({ method: "GET", path: expect.stringContaining(`/${outTradeNo}?mchid=${mchid}`) });
  for (const trade_state of ["REFUND", "NOTPAY", "CLOSED", "REVOKED", "USERPAYING", "PAYERROR"]) {
    says({ ...order, trade_state });
    expect(await client.queryOrder(outTradeNo)).toMatchObject({ outcome: "done", value: { tradeState: trade_state } });
  }
});

it("an order is closed by an empty reply that is signed", async () => {
  const { client, called } = await start(undefined, 204);
  expect(await client.closeOrder(outTradeNo)).toMatchObject({ outcome: "done", reply: { httpStatus: 204 } });
  const path = `/v3/pay/transactions/out-trade-no/${outTradeNo}/close`;
  expect(called()).toEqual({ method: "POST", path, json: { mchid } });
});

const refund = {
  refund_id: "50",
  out_refund_no: "R@1",
  out_trade_no: outTradeNo,
  status: "PROCESSING",
  amount: { total: 101, refund: 50, currency: "CNY" },
};

it("a refund is accepted, for the order and the number that were asked for", async () => {
  const asked = { outTradeNo, outRefundNo: "R@1", total: 101, amount: 50, reason: "came broken" };
  const { client, called, says } = await start(refund);
  expect(await client.refund(asked)).toMatchObject({
    outcome: "done",
    value: { outRefundNo: "R@1", refundId: "50", status: "PROCESSING", amount: 50 },
  });
  expect(called()).toEqual({
    method: "POST",
    path: "/v3/refund/domestic/refunds",
    json: {
      out_trade_no: outTradeNo,
      out_refund_no: "R@1",
      reason: "came broken",
      notify_url: "http://127.0.0.1:3080/api/payments/refund-notifications",
      amount: { refund: 50, total: 101, currency: "CNY" },
    },
  });
  for (const other of [{ out_trade_no: "HEARTH20260101000002" }, { out_refund_no: "R2" }]) {
    says({ ...refund, ...other });
    expect(await client.refund(asked)).toMatchObject({ outcome: "unknown", reason: "foreign" });
  }
});

it.each(["SUCCESS", "CLOSED", "PROCESSING", "ABNORMAL"])("a version 3 refund that is %s is read", async (status) => {
  const { client, called, says } = await start({ ...refund, status, success_time: "2026-01-01T08:00:00+08:00" });
  const value = { outRefundNo: "R@1", status, amount: 50, succeededAt: Date.parse("2026-01-01T00:00:00Z") };
  expect(await client.queryRefund({ outTradeNo: "HEARTH-1", outRefundNo: "R@1" })).toMatchObject({
    outcome: "done",
    value,
  });
  expect(called()).toMatchObject({ method: "GET", path: "/v3/refund/domestic/refunds/R%401" });
  says({ ...refund, status: "SOMETHING" });
  expect(await client.queryRefund({ outTradeNo: "HEARTH-1", outRefundNo: "R@1" })).toMatchObject({
    outcome: "unknown",
    reason: "malformed",
  });
});
