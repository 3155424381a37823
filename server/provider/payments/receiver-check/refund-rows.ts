/** The rows about refund notifications. In version 2 these have no signature, only a part encrypted with a key. */
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import type { SimSending } from "../../../contract/provider/sim-notification-faults.ts";
import type { Case } from "./case.ts";
import { NotJudged } from "./problems.ts";

const genuine: SimSending = { kind: "genuine", params: { about: "refund" } };

/** @throws NotJudged if there is no address to notify */
async function refunded(order: Case): Promise<void> {
  if (!order.hasRefundAddress) throw new NotJudged("no address for the notifications of refunds was given");
  await order.pay();
  await order.refund();
}

const refusedRefund = (what: string, sending: SimSending) => async (order: Case) => {
  await refunded(order);
  order.refuses(await order.send(sending), what);
  await order.notSettled("it was told of a refund, not of a payment");
};

const forged = (what: string, how: SimFaultOf<"notification_signature">["params"]["how"]) =>
  refusedRefund(what, { kind: "notification_signature", params: { about: "refund", how } });

export const refundRows = {
  async "refund-first"(order: Case) {
    await refunded(order);
    await order.send(genuine);
    const [sent] = await order.genuine();
    if (sent?.claimed === "yes") await order.mustHaveAsked();
    await order.notSettled("its money went back before");
  },

  /** A receiver that does not know the refund must say no; one that says yes must have queried it. */
  async "refund-query-first"(order: Case) {
    await refunded(order);
    const [sent] = await order.send(genuine);
    if (sent?.claimed === "nothing") order.fail(`It gave ${sent.words}.`, true);
    if (sent?.claimed === "yes" && (await order.queries("refundquery")) === 0)
      order.fail("It said yes without asking query refund.", true);
  },

  "refund-forged-key": forged("a refund by the wrong key", "wrong_key"),
  "refund-forged-changed": forged("a refund that was changed afterwards", "changed_field"),
  "refund-forged-missing": forged("a refund without any proof", "missing"),
  "refund-foreign-order": refusedRefund("a refund of an order that does not exist", {
    kind: "notification_foreign",
    params: { about: "refund", field: "out_trade_no" },
  }),
};
