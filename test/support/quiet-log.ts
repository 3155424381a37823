import { pino } from "pino";

/** A log that nobody reads. */
export const quietLog = pino({ level: "silent" });

/** A log whose lines a test can read. */
export function recordedLog() {
  const lines: string[] = [];
  return { lines, log: pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }) };
}
