/** What a piece of work costs the processes that do it. */
import { cpuMsOf } from "../support/process/processes.ts";

export interface Turn {
  readonly requests: number;
  /** Of all the processes, in ms. */
  readonly cpuMs: number;
  readonly seconds: number;
}

/** Runs the work, which says how many requests it has made, and measures what it costs a process and those below it. */
export async function measured(pid: number, work: () => Promise<number>): Promise<Turn> {
  const before = cpuMsOf(pid);
  const beganMs = performance.now();
  const requests = await work();
  return { requests, seconds: (performance.now() - beganMs) / 1000, cpuMs: cpuMsOf(pid) - before };
}
