/** Finds processes that a run of tests or a script left running: those that inherited the run's mark. */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const name = "TEST_RUN_MARK";
const value = randomUUID();

/** Belongs in the environment of the run. */
export const runMark = { env: { [name]: value } };

/** Looks, with a pause before each, for processes that are already ending: a stall counts as one pause. */
const graceLooks = 20;

function findMarked(): { pid: number; command: string }[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((entry) => {
    try {
      if (!/^\d+$/.test(entry) || !readFileSync(`/proc/${entry}/environ`, "utf8").includes(`${name}=${value}`))
        return [];
      const command = readFileSync(`/proc/${entry}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return [{ pid: Number(entry), command: `${entry} ${command.slice(0, 120)}` }];
    } catch {
      // It has ended, or belongs to another user.
      return [];
    }
  });
}

/** Ends them. @returns a description of each that was still running after a moment; Linux only, elsewhere empty. */
export async function endLeftProcesses(): Promise<string[]> {
  let left = findMarked();
  for (let looks = 0; left.length > 0 && looks < graceLooks; looks++) {
    await wait(100);
    left = findMarked();
  }
  for (const { pid } of left)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  return left.map(({ command }) => command);
}
