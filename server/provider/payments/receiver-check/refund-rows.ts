/** The rows about refund notifications. In version 2 these have no signature, only a part encrypted with a key. */
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import type { SimSending } from "../../../contract/provider/sim-notification-faults.ts";
import type { Case } from "./case.ts";
import { NotJudged } from "./problems.ts";

const genuine: SimSending = { kind: "genuine", params: { about: "refund" } };

/** @throws NotJudged if there is no address to notify */
async function refunded(order: Case): Promise<void> {
  if (!order.hasRefundAddress) throw new NotJudged("the address for refund notifications is not set");
  await order.pay();
  await order.refund();
}

const refusedRefund = (what: string, sending: SimSending) => async (order: Case) => {
  await refunded(order);
  order.refuses(await order.send(sending), what);
  await order.notSettled("the notification was a refund, not a payment");
};

const forged = (what: string, how: SimFaultOf<"notification_signature">["params"]["how"]) =>
  refusedRefund(what, { kind: "notification_signature", params: { about: "refund", how } });

export const refundRows = {
  async "refund-first"(order: Case) {
    await refunded(order);
    await order.send(genuine);
    const [sent] = await order.genuine();
    if (sent?.claimed === "yes") await order.mustHaveAsked();
    await order.notSettled("it was already refunded");
  },

  /** A receiver that does not know the refund must say no; one that says yes must have queried it. */
  async "refund-query-first"(order: Case) {
    await refunded(order);
    const [sent] = await order.send(genuine);
    if (sent?.claimed === "nothing") order.fail(`Reply: ${sent.words}.`, true);
    if (sent?.claimed === "yes" && (await order.queries("refundquery")) === 0)
      order.fail("It accepted without querying the refund.", true);
  },

  "refund-forged-key": forged("a refund with the wrong key", "wrong_key"),
  "refund-forged-changed": forged("a changed refund", "changed_field"),
  "refund-forged-missing": forged("a refund without proof", "missing"),
  "refund-foreign-order": refusedRefund("a refund for an order that does not exist", {
    kind: "notification_foreign",
    params: { about: "refund", field: "out_trade_no" },
  }),
};
