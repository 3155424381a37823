/** Faults of the simulated platform and of the application server's routes, as one list. */
import { z } from "zod";
import { deleteFault, listFaults } from "../../contract/console/control/control-endpoints.ts";
import type { Fault } from "../../contract/console/control/control.ts";
import { deleteSimFault, listSimFaults, type SimFault } from "../../contract/provider/sim-faults.ts";
import { ActionError } from "../action-error.ts";
import type { HearthApi } from "../hearth-api.ts";
import { alignColumns } from "../text-columns.ts";

export const faultResultSchema = z.object({
  key: z.string().describe("Names the fault in `fault disarm` and in recorded requests: sim-2, route-1."),
  kind: z.string().describe("The kind of a platform's fault; `route` for one of the application server's."),
  hits: z.int().describe("Number of times that the fault has fired."),
  spent: z.boolean().describe("Whether the fault has fired `times` times."),
  settings: z.record(z.string(), z.unknown()).describe("Other fields of the fault."),
});
export type FaultResult = z.infer<typeof faultResultSchema>;

export function faultOfPlatform({ id, kind, hits, spent, recent_hits: _, ...settings }: SimFault): FaultResult {
  return { key: `sim-${String(id)}`, kind, hits, spent, settings };
}

export function faultOfRoute({ id, hits, spent, recent_hits: _, ...settings }: Fault): FaultResult {
  return { key: `route-${String(id)}`, kind: "route", hits, spent, settings };
}

export async function readFaults(hearth: HearthApi, signal: AbortSignal): Promise<FaultResult[]> {
  const [platform, routes] = await Promise.all([
    hearth.call(listSimFaults, { signal }),
    hearth.call(listFaults, { signal }),
  ]);
  return [...platform.faults.map(faultOfPlatform), ...routes.faults.map(faultOfRoute)];
}

/** @throws ActionError for a key that no fault has */
export async function removeFault(hearth: HearthApi, key: string, signal: AbortSignal): Promise<void> {
  const [, where, digits] = /^(sim|route)-(\d{1,15})$/.exec(key) ?? [];
  if (digits === undefined)
    throw new ActionError(`${key} is not the key of a fault, such as sim-2; \`hearth fault\` lists them.`, {
      exitCode: 2,
    });
  const input = { params: { id: Number(digits) }, signal };
  await (where === "sim" ? hearth.call(deleteSimFault, input) : hearth.call(deleteFault, input));
}

/** The settings of a fault without those that are usual, as `code=SYSTEMERROR times=1`. */
function settingsText({ params, scope, probability, seed, ...others }: FaultResult["settings"]): string {
  const members = { ...(params as object), ...(scope as object), ...others };
  const all = Object.entries(probability === 1 ? members : { ...members, probability, seed });
  return all.map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`).join(" ");
}

export const printFaults = (faults: readonly FaultResult[]): string =>
  alignColumns(
    faults.map(({ key, kind, hits, spent, settings }) => [
      key,
      kind,
      `${String(hits)} ${hits === 1 ? "hit" : "hits"}${spent ? ", spent" : ""}`,
      settingsText(settings),
    ]),
  );
