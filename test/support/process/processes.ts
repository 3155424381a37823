/** What tests and benchmarks ask about processes; most of it Linux alone tells. */
import { readdirSync, readFileSync } from "node:fs";
import { eventually } from "../eventually.ts";

/**
 * Sends a signal to one process.
 * @throws Error without an id: 0, which `process.kill` takes, is all processes of the own group, those of the tests too
 */
export function sendSignal(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || pid <= 1) throw new Error(`${signal} cannot be sent to the process ${String(pid)}`);
  process.kill(pid, signal);
}

/** Sends a signal to the group that a process leads. @throws Error without its id */
export function sendSignalToGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined || leader <= 1) throw new Error(`${signal} cannot be sent to the group ${String(leader)}`);
  process.kill(-leader, signal);
}

/** True while a process exists; a dead one whose parent has not waited for it does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

/** All processes below one. */
export function descendants(pid: number): number[] {
  const parents = readdirSync("/proc").flatMap((entry) => {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      return [{ pid: Number(entry), parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) }];
    } catch {
      return [];
    }
  });
  const below = (of: number): number[] =>
    parents.filter(({ parent }) => parent === of).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid);
}

/** Processes that were started with this folder for temporary files, and have not ended. */
function usersOf(temporary: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/environ`, "utf8").includes(`TMPDIR=${temporary}\0`);
    } catch {
      return false; // it has ended
    }
  });
}

/**
 * Settles when every process that was started with this folder for temporary files has ended: Chromium's helpers write
 * into a profile for a moment after the program itself has ended.
 */
export const untilUnused = (temporary: string): Promise<void> =>
  eventually(() => {
    const users = usersOf(temporary);
    if (users.length > 0) throw new Error(`processes have not ended: ${users.join(" ")}`);
  });

/** How a process was started, or what it calls itself since; "" once it has ended. */
export function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, "utf8")
      .replaceAll("\0", " ")
      .trim();
  } catch {
    return "";
  }
}

/** What a process does: its state, a letter, and where in the kernel its main thread waits. */
export function stateOf(pid: number): string {
  const read = (name: string) => readFileSync(`/proc/${String(pid)}/${name}`, "utf8");
  try {
    return `${/\) (\w) /.exec(read("stat"))?.[1] ?? ""} ${read("wchan")}`;
  } catch {
    return "ended";
  }
}

/** By the script that it runs. */
export const nameOf = (pid: number) => /([\w-]+)[.]js/.exec(commandLineOf(pid))?.[1] ?? String(pid);

/** What a process is for Chromium: its `--type`; undefined for its main process, others and one that has ended. */
export const typeOf = (pid: number): string | undefined => /--type=([\w-]+)/.exec(commandLineOf(pid))?.[1];

/** Proportional set size of a process in MB of 1,000,000 bytes. */
export function proportionalMb(pid: number): number {
  const rollup = readFileSync(`/proc/${String(pid)}/smaps_rollup`, "utf8");
  return (Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) * 1024) / 1e6;
}

/** Resident memory in MB of 1,000,000 bytes. */
export const residentMb = (pid: number) =>
  (Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1]) * 1024) / 1e6;

/**
 * CPU time in ms of a process and of each below it, with that of their children that have ended, in steps of 10 ms. A
 * process is read before its parent, which takes over the time of a child that ends meanwhile.
 */
export function cpuMsByProcess(pid: number): Map<number, number> {
  const byProcess = new Map<number, number>();
  for (const each of [pid, ...descendants(pid)].reverse()) {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${String(each)}/stat`, "utf8");
    } catch {
      continue;
    }
    // From utime on: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0);
    byProcess.set(each, ticks * 10);
  }
  return byProcess;
}

/** CPU time in ms that a process and all below it have taken, those that have ended included. */
export const cpuMsOf = (pid: number): number => [...cpuMsByProcess(pid).values()].reduce((sum, one) => sum + one, 0);
