import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { getServiceLog } from "../../contract/console/console-endpoints.ts";
import { serviceNameSchema, type ServiceName } from "../../contract/process/services.ts";
import { value, whole } from "../../process/command-line/inputs.ts";
import { action } from "../action.ts";
import type { HearthApi } from "../hearth-api.ts";

const pollMs = 500;

async function readLines(hearth: HearthApi, name: ServiceName, signal: AbortSignal): Promise<string[]> {
  const { lines } = await hearth.call(getServiceLog, { params: { name }, signal });
  return lines;
}

/** The lines of a log behind those that were read before. `b c d` after `a b c`: `d`. */
export function addedLines(before: readonly string[], now: readonly string[]): readonly string[] {
  for (let end = now.length; end > 0; end--) {
    const known = before.slice(-end);
    if (known.length > 0 && known.every((line, at) => line === now[end - known.length + at])) return now.slice(end);
  }
  return now;
}

export const logs = action({
  name: "logs",
  group: "Traffic",
  summary: "print the last log lines of a service",
  input: z.object({
    service: value(serviceNameSchema.default("app"), serviceNameSchema.options.join("|"), "service; default: app"),
    limit: whole(z.int().min(1).max(200).default(50), "N", "at most this many lines; default: 50"),
  }),
  output: z.array(z.string()),
  effect: "reads",
  run: async (hearth, { service, limit }, signal) => (await readLines(hearth, service, signal)).slice(-limit),
  async *follow(hearth, { service }, signal, listed) {
    for (let seen: readonly string[] = listed; ; await delay(pollMs, undefined, { signal })) {
      const now = await readLines(hearth, service, signal);
      const added = addedLines(seen, now);
      if (added.length > 0) yield [...added];
      seen = now;
    }
  },
  print: (lines) => lines.join("\n"),
});
