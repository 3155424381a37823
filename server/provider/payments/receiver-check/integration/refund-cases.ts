/** The rows about refunds that the backend makes. */
import type { integrationRows } from "../../../../contract/provider/checks/integration-rows.ts";
import type { SimFaultOf } from "../../../../contract/provider/sim-faults.ts";
import type { IntegrationCase } from "./integration-case.ts";

type RefundRow = Extract<keyof typeof integrationRows, `refund${string}`>;

const calls = ["refund" as const];

const endsAs = (order: IntegrationCase, status: SimFaultOf<"refund_outcome">["params"]["status"]) =>
  order.lie({ kind: "refund_outcome", params: { status, after_seconds: 0 } });

/** A settled order whose refunds end at once. */
async function settled(order: IntegrationCase): Promise<void> {
  await order.mustSettle();
  await endsAs(order, "SUCCESS");
}

/** A refund that must work. */
async function refunds(order: IntegrationCase, amount: number): Promise<void> {
  const { isDone, words } = await order.ask("refund", { amount });
  if (!isDone) order.fail(`It did not refund ${String(amount)} fen: ${words}.`);
}

/** Two requests for the same refund, of which the first has no result: they must be one refund. */
async function refundsOnce(order: IntegrationCase, lie: () => Promise<void>): Promise<void> {
  await settled(order);
  await lie();
  const first = await order.ask("refund", { amount: 50 });
  await order.tellTruth();
  await endsAs(order, "SUCCESS");
  // A backend that has accepted the refund tries again by itself.
  if (!first.isDone) await refunds(order, 50);
  await order.refundedAtPlatform(50);
  const numbers = await order.refundNumbers();
  if (numbers.size > 1) order.fail(`It used ${String(numbers.size)} refund numbers (out_refund_no) for one refund.`);
}

export const refundCases: Readonly<Record<RefundRow, (order: IntegrationCase) => Promise<void>>> = {
  async refund(order) {
    await settled(order);
    await refunds(order, 50);
    await order.refundedAtPlatform(50);
    await order.showsRefunded(50);
  },

  async "refund-twice"(order) {
    await settled(order);
    await refunds(order, 40);
    await order.refundedAtPlatform(40);
    await refunds(order, 61);
    await order.refundedAtPlatform(101);
    await order.showsRefunded(101);
  },

  "refund-lost-reply": (order) =>
    refundsOnce(order, () => order.lie({ kind: "reset", params: { calls, when: "after" } })),

  "refund-refused-once": (order) =>
    refundsOnce(order, () => order.lie({ kind: "err_code", params: { calls, when: "before", code: "NOTENOUGH" } })),

  async "refund-cap"(order) {
    await settled(order);
    await refunds(order, 60);
    await order.refundedAtPlatform(60);
    const second = await order.ask("refund", { amount: 60 });
    if (second.isDone) order.fail(`It accepted refunds of 120 of 101 fen: ${second.words}.`);
    else if ((await order.refundNumbers()).size > 1)
      order.fail("It asked the platform to refund 120 of 101 fen, and only the platform refused.");
    await order.showsRefunded(60);
  },

  async "refund-processing"(order) {
    await order.mustSettle();
    await endsAs(order, "PROCESSING");
    await refunds(order, 50);
    await order.refundedAtPlatform(50);
    await order.showsNoRefund("the refund is still PROCESSING");
  },

  async "refund-failed"(order) {
    await order.mustSettle();
    await endsAs(order, "PROCESSING");
    await refunds(order, 50);
    await order.endRefunds("CLOSED");
    await order.send({ kind: "genuine", params: { about: "refund" } });
    await order.showsNoRefund("the platform ended the refund as CLOSED");
  },

  async "refund-copies"(order) {
    await settled(order);
    await refunds(order, 50);
    await order.refundedAtPlatform(50);
    const params = { about: "refund" as const, copies: 5, concurrent: false, gap_ms: 0 };
    order.accepts(await order.send({ kind: "notification_duplicate", params }), "one of five copies");
    await order.showsRefunded(50);
  },
};
