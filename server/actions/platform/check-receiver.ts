import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { createToken } from "../../contract/console/console-endpoints.ts";
import { ownReceiverCheck } from "../../contract/provider/checks/own-receiver-check.ts";
import { receiverCheckRow } from "../../contract/provider/checks/receiver-check-rows.ts";
import {
  receiverCheckSchema,
  type ReceiverCheck,
  type ReceiverCheckRequest,
} from "../../contract/provider/checks/receiver-checks.ts";
import { cancelReceiverCheck, createReceiverCheck, getReceiverCheck } from "../../contract/provider/sim-operations.ts";
import { text, value } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import type { HearthApi } from "../hearth-api.ts";
import { alignColumns } from "../text-columns.ts";

const pollMs = 200;

async function ownRequest(hearth: HearthApi, signal: AbortSignal): Promise<ReceiverCheckRequest> {
  const { app, consoleToken } = await hearth.addresses();
  const { access_token } = await hearth.call(createToken, { body: { user: "receiver-check" }, signal });
  return ownReceiverCheck({ app, sessionToken: access_token, consoleToken });
}

/** Waits for the end of a check; cancels it when the signal aborts. */
async function followToEnd(hearth: HearthApi, begun: ReceiverCheck, signal: AbortSignal): Promise<ReceiverCheck> {
  const params = { id: String(begun.id) };
  let check = begun;
  try {
    while (check.state === "running") {
      await delay(pollMs, undefined, { signal });
      check = await hearth.call(getReceiverCheck, { params, signal });
    }
  } catch (error) {
    if (signal.aborted) await hearth.call(cancelReceiverCheck, { params });
    throw error;
  }
  return check;
}

export const receiverCheck = action({
  name: "check-receiver",
  group: "Develop against Hearth",
  summary: "send forged, repeated, late and wrong payment notifications to a receiver",
  input: z.object({
    notify_url: text("URL", "the receiver's URL for payment notifications; default: Hearth's own receiver"),
    only: value(z.array(receiverCheckRow).min(1).optional(), "ROW", "run only these rows"),
  }),
  output: receiverCheckSchema,
  effect: "changes",
  hasOwnCommand: true,
  async run(hearth, { notify_url, only }, signal) {
    const request = notify_url === undefined ? await ownRequest(hearth, signal) : { notify_url };
    return followToEnd(hearth, await hearth.call(createReceiverCheck, { body: { ...request, only }, signal }), signal);
  },
  print: ({ results }) =>
    alignColumns(results.map(({ row, verdict, seen, failings }) => [verdict, row, [seen, ...failings].join(" ")])),
});
