/** The calls to the two services at which faults are armed. */
import { createFault, deleteFaults, listFaults } from "../../../server/contract/console/control/control-endpoints.ts";
import type { FaultInput } from "../../../server/contract/console/control/control.ts";
import {
  createSimFault,
  deleteSimFaults,
  listSimFaults,
  type SimFaultInput,
} from "../../../server/contract/provider/sim-faults.ts";
import type { Call } from "../../api/http/call.ts";
import { routeFaultRow, simFaultRow, type FaultRow } from "./fault-row.ts";

export type NewFault = { side: "sim"; body: SimFaultInput } | { side: "route"; body: FaultInput };

/** All faults with their present counts, the latest first. */
export async function fetchFaults(call: Call, signal?: AbortSignal): Promise<FaultRow[]> {
  const [sim, routes] = await Promise.all([call(listSimFaults, { signal }), call(listFaults, { signal })]);
  return [...sim.faults.map(simFaultRow).reverse(), ...routes.faults.map(routeFaultRow).reverse()];
}

/** Arms a fault. Resolves with the key of its row. */
export const armFault = async (call: Call, fault: NewFault): Promise<string> =>
  fault.side === "sim"
    ? `sim-${(await call(createSimFault, { body: fault.body })).id}`
    : `route-${(await call(createFault, { body: fault.body })).id}`;

export const deleteAllFaults = (call: Call) => Promise.all([call(deleteSimFaults), call(deleteFaults)]);

/** The input that arms a removed fault again, for the remaining hits of `times`. */
export function restOf({ input, times, hits }: FaultRow): NewFault {
  const left = times === undefined ? undefined : times - hits;
  return input.side === "sim"
    ? { side: "sim", body: { ...input.body, times: left } }
    : { side: "route", body: { ...input.body, times: left } };
}

/**
 * Disarms all faults. Resolves with what arms those again that could still hit a request: one after another, the oldest
 * first, because older ones take precedence.
 */
export async function disarmFaults(call: Call): Promise<() => Promise<unknown>> {
  const armed = (await fetchFaults(call)).filter(({ spent }) => !spent).reverse();
  await deleteAllFaults(call);
  return async () => {
    for (const row of armed) await armFault(call, restOf(row));
  };
}
