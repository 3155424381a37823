/** What the merchant's side understands of the replies of version 2, call by call. */
import { describe, expect, it } from "vitest";
import { fieldsOfXml } from "../../support/payments/payment-signatures.ts";
import { withScriptedProvider } from "../../support/payments/scripted/scripted-payment-provider.ts";
import {
  orderToPlace,
  outTradeNo,
  paidV2,
  paymentV2,
  signedV2,
  successV2,
} from "../../support/payments/scripted/scripted-payment-v2.ts";

describe("the payment calls of version 2 return", () => {
  it("an order's state, and its payment once there is one", async () => {
    const { scripted, client } = await withScriptedProvider(
      signedV2({ ...paidV2, brand_new_field: "1", coupon_fee_0: "1" }),
    );
    expect(await client.queryOrder(outTradeNo)).toMatchObject({
      outcome: "done",
      value: {
        outTradeNo,
        tradeState: "SUCCESS",
        description: "paid",
        total: 101,
        currency: "CNY",
        transactionId: "4200000000202601010000000001",
        paidAt: Date.parse("2026-01-01T00:00:00Z"),
      },
    });
    for (const trade_state of ["REFUND", "NOTPAY", "CLOSED", "REVOKED", "USERPAYING", "PAYERROR"]) {
      scripted.answerBy(signedV2({ ...successV2, trade_state, out_trade_no: outTradeNo }));
      expect(await client.queryOrder(outTradeNo)).toMatchObject({ value: { tradeState: trade_state } });
    }
    scripted.answerBy(signedV2({ ...successV2, trade_state: "ACCEPT", out_trade_no: outTradeNo }));
    expect(await client.queryOrder(outTradeNo)).toMatchObject({ value: { tradeState: "NOTPAY" } });
    expect(scripted.calls[0]?.path).toBe("/pay/orderquery");
  });

  it("the result of a payment by code", async () => {
    const { scripted, client } = await withScriptedProvider(signedV2(paymentV2));
    expect(await client.payByCode({ ...orderToPlace, authCode: "130000000000000000" })).toMatchObject({
      outcome: "done",
      value: { tradeState: "SUCCESS", total: 101 },
    });
    expect(scripted.calls[0]?.path).toBe("/pay/micropay");
    expect(fieldsOfXml(scripted.calls[0]?.body ?? "")).toMatchObject({ auth_code: "130000000000000000" });
  });

  it("the results of closing and reversing", async () => {
    const { scripted, client } = await withScriptedProvider(signedV2(successV2));
    expect(await client.closeOrder(outTradeNo)).toMatchObject({ outcome: "done" });
    expect(await client.reverseOrder(outTradeNo)).toMatchObject({ outcome: "unknown", reason: "malformed" });
    for (const [recall, again] of [
      ["Y", true],
      ["N", false],
    ] as const) {
      scripted.answerBy(signedV2({ ...successV2, recall }));
      expect(await client.reverseOrder(outTradeNo)).toMatchObject({ outcome: "done", value: { again } });
    }
    expect(scripted.calls.map(({ path }) => path).slice(0, 2)).toEqual(["/pay/closeorder", "/secapi/pay/reverse"]);
  });

  const refund = { outTradeNo, outRefundNo: "R1", total: 101, amount: 50, reason: "came broken" };
  it("an accepted refund", async () => {
    const told = { ...successV2, out_trade_no: outTradeNo, out_refund_no: "R1", refund_id: "50", refund_fee: "50" };
    const { scripted, client } = await withScriptedProvider(signedV2(told));
    expect(await client.refund(refund)).toMatchObject({
      outcome: "done",
      value: { outRefundNo: "R1", refundId: "50", status: "PROCESSING", amount: 50 },
    });
    expect(scripted.calls[0]?.path).toBe("/secapi/pay/refund");
    expect(fieldsOfXml(scripted.calls[0]?.body ?? "")).toMatchObject({
      out_trade_no: outTradeNo,
      out_refund_no: "R1",
      total_fee: "101",
      refund_fee: "50",
      refund_desc: "came broken",
      notify_url: "http://127.0.0.1:3080/api/payments/refund-notifications",
    });
    for (const other of [{ out_trade_no: "HEARTH20260101000002" }, { out_refund_no: "R2" }]) {
      scripted.answerBy(signedV2({ ...told, ...other }));
      expect(await client.refund(refund)).toMatchObject({ outcome: "unknown", reason: "foreign" });
    }
  });

  it.each([
    ["SUCCESS", "SUCCESS"],
    ["PROCESSING", "PROCESSING"],
    ["CHANGE", "ABNORMAL"],
    ["REFUNDCLOSE", "CLOSED"],
  ])("a refund that is %s", async (word, status) => {
    const { client } = await withScriptedProvider(
      signedV2({
        ...successV2,
        refund_count: "1",
        out_refund_no_0: "R1",
        refund_id_0: "50",
        refund_fee_0: "50",
        refund_status_0: word,
        refund_success_time_0: "2026-01-01 08:00:00",
      }),
    );
    const value = { outRefundNo: "R1", status, amount: 50, succeededAt: Date.parse("2026-01-01T00:00:00Z") };
    expect(await client.queryRefund({ outTradeNo: "HEARTH-1", outRefundNo: "R1" })).toMatchObject({
      outcome: "done",
      value,
    });
    expect(await client.queryRefund({ outTradeNo: "HEARTH-1", outRefundNo: "R2" })).toMatchObject({
      outcome: "unknown",
      reason: "foreign",
    });
  });
});
