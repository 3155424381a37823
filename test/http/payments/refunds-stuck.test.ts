import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiOrder, ApiRefund } from "../../../server/contract/app/payments.ts";
import { changing, failing, refusing } from "../../support/trip-wire.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let payments: PaymentsApp;
beforeEach(async () => {
  folder = temporaryFolder();
  payments = await startPaymentsApp({ folder: folder.path });
});
afterEach(async () => {
  await payments[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const hour = 3_600_000;

async function paid(): Promise<ApiOrder> {
  const order = await payments.place();
  await payments.pay(order);
  return payments.get(order.id);
}
/** As long as the settings are wrong. */
function refuseAll(code: string): void {
  for (const call of ["refund", "queryRefund"] as const) payments.trip.always(call, refusing(code));
}
async function stuck(): Promise<ApiOrder> {
  const order = await paid();
  refuseAll("SIGNERROR");
  expect((await payments.refund(order.id)).status).toBe(503);
  return order;
}
const refundOf = async ({ id }: ApiOrder) => (await payments.get(id)).refunds[0] as ApiRefund;
const given = async ({ out_trade_no }: ApiOrder) =>
  (await payments.sim<{ refunds: { refund: number }[] }>("GET", `/orders/${out_trade_no}`)).refunds.map(
    ({ refund }) => refund,
  );

describe("a refund that stays open because its calls fail", () => {
  it("stays open with the last failure, for as long as that lasts", async () => {
    const order = await stuck();
    const shown = { status: "PROCESSING", accepted: false, err_code: "SIGNERROR", err_text: "as the test wants it" };
    expect(await refundOf(order)).toMatchObject(shown);
    expect((await payments.stored(order.id)).refunds).toMatchObject([shown]);
    refuseAll("NOAUTH");
    await payments.later(48 * hour);
    expect(await refundOf(order)).toMatchObject({ ...shown, err_code: "NOAUTH" });
    expect(await given(order)).toEqual([]);
  });

  it("shows a failure without a code by its text", async () => {
    const order = await paid();
    for (const call of ["refund", "queryRefund"] as const) payments.trip.always(call, failing());
    expect((await payments.refund(order.id)).status).toBe(503);
    const refund = await refundOf(order);
    expect([refund.err_code, refund.err_text]).toEqual([undefined, "as the test wants it"]);
  });

  it("says that the provider tells of another amount", async () => {
    const order = await paid();
    payments.trip.next("refund", changing({ amount: 1 }));
    await payments.refund(order.id);
    const text = `The platform reports 1 fen, but ${String(order.amount)} fen were requested.`;
    expect(await refundOf(order)).toMatchObject({ status: "PROCESSING", accepted: true, err_text: text });
  });

  it("is named to who asks for more", async () => {
    const order = await stuck();
    const { out_refund_no: number } = await refundOf(order);
    const { status, body } = await payments.refund(order.id, { amount: 1 });
    expect([status, body.details]).toEqual([403, [{ field: "err_code", problem: "NOTHING_LEFT" }]]);
    expect(body.Message).toContain(number);
  });

  it("is asked for again at the next start, gives the money back once, and shows no failure any more", async () => {
    const order = await stuck();
    await payments.later(5 * hour);
    const { clock } = payments.app;
    await payments[Symbol.asyncDispose]();
    payments = await startPaymentsApp({ folder: folder.path, clock });
    await expect.poll(() => refundOf(order)).toMatchObject({ accepted: true });
    const { err_code: code, err_text: text } = await refundOf(order);
    expect([code, text, await given(order)]).toEqual([undefined, undefined, [order.amount]]);
  });

  it("has each call of a repeated request in its history", async () => {
    const order = await stuck();
    await payments.refund(order.id);
    const { history } = await payments.stored(order.id);
    const refunding = history.filter(({ name }) => name === "refund").map(({ kind }) => kind);
    expect(refunding.toSorted()).toEqual(["call", "call", "reply", "reply"]);
  });
});

it("an abnormal refund that is paid out after all is found by query refund, also where no notification comes", async () => {
  const order = await paid();
  payments.trip.next("queryRefund", changing({ status: "ABNORMAL" }));
  const { data } = (await payments.refund(order.id, { amount: 101 })).body;
  await payments.notifyRefund(order, data.out_refund_no, "CHANGE");
  expect((await payments.get(order.id)).refunds).toMatchObject([{ status: "ABNORMAL" }]);
  payments.trip.next("queryRefund", changing({ status: "SUCCESS" }));
  await payments.later(hour);
  expect((await payments.get(order.id)).refunds).toMatchObject([{ status: "SUCCESS" }]);
});

describe("a refund that the provider has accepted and lost", () => {
  async function accepted(): Promise<ApiOrder> {
    await payments.sim("PATCH", "/settings", { refund_seconds: 3_600 });
    const order = await paid();
    expect((await payments.refund(order.id)).status).toBe(201);
    expect(await refundOf(order)).toMatchObject({ status: "PROCESSING", accepted: true });
    return order;
  }

  it("is asked for again with the same number, however old it is", async () => {
    const order = await accepted();
    const { out_refund_no: number } = await refundOf(order);
    payments.trip.always("queryRefund", failing());
    await payments.later(48 * hour);
    payments.trip.always("queryRefund", undefined);
    payments.trip.next("queryRefund", refusing("REFUNDNOTEXIST"));
    await payments.later(2 * hour);
    expect(payments.trip.calls.filter((name) => name === "refund")).toHaveLength(2);
    expect(await refundOf(order)).toMatchObject({ out_refund_no: number, accepted: true });
    expect(await given(order)).toEqual([order.amount]);
  });

  it("is CLOSED once the provider refuses it, as after a reset", async () => {
    const order = await accepted();
    await payments.sim("DELETE", "/state");
    await payments.later(hour);
    const ended = { status: "CLOSED", err_code: "ORDERNOTEXIST" };
    await expect.poll(() => refundOf(order)).toMatchObject(ended);
  });
});
