import type { Log } from "../../process/log.ts";
import type { NoteUsage } from "./usage.ts";

/** Logs the first recovered call of each model. The metrics count all of them. */
export function logRecoveredCalls(log: Log): NoteUsage {
  const known = new Set<string>();
  return ({ model, recoveredCalls = 0 }) => {
    if (recoveredCalls === 0 || known.has(model)) return;
    known.add(model);
    log.info({ model }, "corrected a tool call with wrong markup; the metrics count such calls");
  };
}
