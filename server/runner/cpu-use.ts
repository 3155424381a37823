/** How busy the CPUs are that this process may use, and how much of that it causes itself. */
import { cpus } from "node:os";
import { readSystemFile, type ReadSystemFile } from "./cgroups.ts";
import { allowedCpus } from "./threads.ts";

/** Monotonic counters, in milliseconds of CPU time. */
export interface CpuUse {
  readonly atMs: number;
  readonly busyMs: number;
  readonly ownMs: number;
  /** Threads that run or are ready to run, this one included; undefined where the system does not report them. */
  readonly running: number | undefined;
}

/** Linux counts CPU time in hundredths of a second. */
const tickMs = 10;

/** Busy time of the allowed CPUs from /proc/stat: everything except idle time and waiting for disks. */
function busyFromStat(stat: string, allowed: ReadonlySet<number> | undefined): number {
  let ticks = 0;
  for (const [, cpu, counters = ""] of stat.matchAll(/^cpu(\d+) (.*)$/gm)) {
    if (allowed !== undefined && !allowed.has(Number(cpu))) continue;
    // user, nice, system, idle, iowait, irq, softirq, steal. Guest times are part of user and nice.
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = counters.split(" ").map(Number);
    ticks += user + nice + system + irq + softirq + steal;
  }
  return ticks * tickMs;
}

/** Counts the whole machine, whichever CPUs the process may use. */
function runningFromStat(stat: string): number | undefined {
  const [, running] = /^procs_running (\d+)$/m.exec(stat) ?? [];
  return running === undefined ? undefined : Number(running);
}

const busyFromRuntime = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

export function readCpuUse(read: ReadSystemFile = readSystemFile): CpuUse {
  const stat = read("/proc/stat");
  const allowed = allowedCpus(read);
  const busyMs = stat === undefined ? busyFromRuntime() : busyFromStat(stat, allowed && new Set(allowed));
  const { user, system } = process.cpuUsage();
  const running = stat === undefined ? undefined : runningFromStat(stat);
  return { atMs: performance.now(), busyMs, ownMs: (user + system) / 1000, running };
}
