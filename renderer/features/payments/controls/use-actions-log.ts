import { useState } from "react";
import type { z } from "zod";
import type { simSendingResultSchema } from "../../../../server/contract/provider/sim-notification-faults.ts";
import type { simNotifiedSchema } from "../../../../server/contract/provider/sim-orders.ts";
import { messageOfError } from "../../../api/http/console-error.ts";

export type Delivery =
  | z.output<typeof simSendingResultSchema>["deliveries"][number]
  | z.output<typeof simNotifiedSchema>["deliveries"][number];

/** The result of an action on the order. */
export type ActionOutcome =
  | { readonly kind: "state"; readonly state: string }
  | { readonly kind: "deliveries"; readonly deliveries: readonly Delivery[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "failed"; readonly text: string };

export interface LogEntry {
  readonly id: number;
  readonly at: number;
  readonly label: string;
  readonly outcome: ActionOutcome;
}

const mostEntries = 8;

/** Runs actions one at a time and keeps their results, the newest first. */
export function useActionsLog(afterwards: () => Promise<void>) {
  const [entries, setEntries] = useState<readonly LogEntry[]>([]);
  const [running, setRunning] = useState<string>();
  async function run(label: string, act: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
    setRunning(label);
    const outcome = await act().catch((error: unknown): ActionOutcome => ({
      kind: "failed",
      text: messageOfError(error),
    }));
    setRunning(undefined);
    setEntries((all) => [{ id: (all[0]?.id ?? 0) + 1, at: Date.now(), label, outcome }, ...all].slice(0, mostEntries));
    await afterwards();
    return outcome;
  }
  return { entries, running, run };
}
export type ActionsLog = ReturnType<typeof useActionsLog>;
