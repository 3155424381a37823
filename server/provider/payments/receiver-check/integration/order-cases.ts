/** The rows about placing, paying and closing orders, and about bills. */
import type { integrationRows, placingRows } from "../../../../contract/provider/checks/integration-rows.ts";
import type { IntegrationCase } from "./integration-case.ts";
import type { refundCases } from "./refund-cases.ts";

type OrderRow = Exclude<keyof typeof integrationRows, "secrets" | keyof typeof refundCases>;
type PlacingRow = Exclude<keyof typeof placingRows, "answers">;
type Run = (order: IntegrationCase) => Promise<void>;

const orderquery = ["orderquery" as const];
const prepayLifetimeMs = 2 * 3_600_000;

/** The platform has no result for the order yet: no failure. */
async function isNoFailure(order: IntegrationCase, lie: () => Promise<void>, why: string): Promise<void> {
  await order.pay();
  await lie();
  await order.genuine();
  await order.showsNoFailure(why);
  await order.tellTruth();
  order.accepts(await order.genuine(), "the next notification");
  await order.settledOnce();
}

/** @returns the id of the order that the buyer would pay by what the backend returned */
async function payable(order: IntegrationCase): Promise<number | undefined> {
  const { isDone, words, found } = await order.ask("pay");
  if (!isDone) {
    order.fail(`It did not answer the request to pay: ${words}.`);
    return undefined;
  }
  const paid = await order.payableBy(String(found));
  if (paid === undefined) order.fail("It returned no valid prepay id of an unpaid order.");
  return paid;
}

const differences = async (order: IntegrationCase) => {
  const { isDone, found } = await order.ask("reconcile", { date: order.today });
  return isDone ? Number(found) : 0;
};

export const placingCases: Readonly<Record<PlacingRow, Run>> = {
  async "place-amount"(order) {
    const { total, currency } = order.order;
    if (total !== 101 || currency !== "CNY")
      order.fail(`It placed an order of ${String(total)} (${currency}) instead of 101 fen.`);
  },

  async "place-lost-reply"(order) {
    const placed = await order.placesWithLostReply();
    if (placed > 1) order.fail(`It placed ${String(placed)} orders for one request.`);
  },

  async unpaid(order) {
    await order.notSettled("nobody has paid it");
    await order.showsNoFailure("it can still be paid");
  },
};

export const orderCases: Readonly<Record<OrderRow, Run>> = {
  "timeout-not-failed": (order) =>
    isNoFailure(
      order,
      () => order.lie({ kind: "no_answer", params: { calls: orderquery, when: "before" } }),
      "query order only timed out",
    ),

  "not-found-yet": (order) =>
    isNoFailure(
      order,
      () => order.lie({ kind: "order_not_exist", params: { queries: 1 } }),
      "the platform only did not find it yet",
    ),

  async coupon(order) {
    await order.pay({ couponFee: 30 });
    order.accepts(await order.genuine(), "a payment with a coupon");
    await order.settledOnce();
  },

  async "close-unpaid"(order) {
    const { isDone, words } = await order.ask("close");
    if (!isDone) order.fail(`It did not close the order: ${words}.`);
    const state = await order.stateAtPlatform();
    if (state !== "CLOSED") order.fail(`At the platform the order is ${state}: the buyer can still pay.`);
  },

  async "close-paid"(order) {
    await order.pay();
    await order.ask("close");
    order.accepts(await order.genuine(), "the notification of the payment");
    await order.settledOnce();
  },

  async "prepay-renewed"(order) {
    await order.age(prepayLifetimeMs);
    await payable(order);
  },

  async "pay-again"(order) {
    const first = await payable(order);
    const second = await payable(order);
    if (first !== undefined && second !== undefined && first !== second)
      order.fail("It returned two orders that the buyer can both pay.");
  },

  async bill(order) {
    const before = await differences(order);
    await order.mustSettle();
    const paid = await order.ask("reconcile", { date: order.today });
    if (!paid.isDone) return order.fail(`It did not compare the bill: ${paid.words}.`);
    const more = Number(paid.found) - before;
    if (more > 0) order.fail(`It reports ${String(more)} differences more, but the payment is right.`);
  },

  async "bill-missing"(order) {
    const before = await differences(order);
    await order.payUnknownOrder();
    const after = await order.ask("reconcile", { date: order.today });
    if (!after.isDone) return order.fail(`It did not compare the bill: ${after.words}.`);
    if (Number(after.found) <= before) order.fail("It does not report the payment that it does not know.");
  },
};
