import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { sendAboutSimOrder } from "../../contract/provider/sim-operations.ts";
import { simSendingResultSchema, type SimSending } from "../../contract/provider/sim-notification-faults.ts";
import { onOff, value } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import { ActionError } from "../action-error.ts";
import { duration } from "../duration.ts";
import { alignColumns } from "../text-columns.ts";
import { orderArgument } from "./order-argument.ts";
import { findOrder, atPlatform } from "./order-result.ts";

const sendingOf = ({ again, forged }: { again?: boolean | undefined; forged?: boolean | undefined }): SimSending =>
  again === true
    ? { kind: "notification_duplicate", params: { copies: 2, concurrent: false, gap_ms: 0 } }
    : forged === true
      ? { kind: "notification_signature", params: { how: "wrong_key" } }
      : { kind: "genuine", params: {} };

export const notify = action({
  name: "notify",
  group: "Payments",
  summary: "send the platform's notification of an order now: genuine, repeated, forged or late",
  input: z.object({
    order: orderArgument("notify"),
    again: onOff("sends it twice"),
    forged: onOff("sign it with a wrong key"),
    late: value(duration.optional(), "TIME", "delay before sending, such as 10s"),
  }),
  output: z.object({ out_trade_no: z.string(), kind: z.string(), ...simSendingResultSchema.shape }),
  effect: "changes",
  async run(hearth, { order: named, late = 0, ...how }, signal) {
    if (how.again === true && how.forged === true)
      throw new ActionError("--again and --forged cannot be combined.", { exitCode: 2 });
    const order = await findOrder(hearth, named);
    const body = sendingOf(how);
    await delay(late, undefined, { signal });
    const { deliveries } = await hearth.call(sendAboutSimOrder, { ...atPlatform(order), body, signal });
    return { out_trade_no: order.out_trade_no, kind: body.kind, deliveries };
  },
  print: ({ deliveries }) =>
    alignColumns(
      deliveries.map(({ status, accepted, expected, reply }) => [
        accepted ? "accepted" : "refused",
        expected === "either" || (expected === "accept") === accepted ? "as expected" : `expected: ${expected}`,
        status === 0 ? "no reply" : String(status),
        reply.slice(0, 200),
      ]),
    ),
});
