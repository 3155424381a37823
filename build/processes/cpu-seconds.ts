import { readFileSync } from "node:fs";

/** The unit of times in /proc: the same on every Linux, whatever its kernel's own. */
const ticksPerSecond = 100;

/** CPU seconds of this process and of its children that have ended, with theirs. Undefined where there is no /proc. */
export function cpuSeconds(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name before it may contain blanks. utime, stime, cutime and cstime are the fields 14 to 17, and this begins with 3.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}
