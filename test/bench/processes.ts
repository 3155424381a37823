/** What Linux tells of processes. */
import { readdirSync, readFileSync } from "node:fs";

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

/** By the script that it runs. */
export const nameOf = (pid: number) =>
  /([\w-]+)[.]js/.exec(readFileSync(`/proc/${String(pid)}/cmdline`, "utf8"))?.[1] ?? String(pid);

/** Resident memory in MB of 1,000,000 bytes. */
export const residentMb = (pid: number) =>
  (Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1]) * 1024) / 1e6;
