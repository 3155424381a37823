import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { ElectronApplication } from "playwright-core";
import { patienceMs } from "../eventually.ts";
import { commandLineOf, descendants, isRunning, sendSignal, stateOf } from "../process/processes.ts";

type Program = Pick<ElectronApplication, "close" | "evaluate">;

/**
 * Has the program quit within a time. No process of it is left in any case, so that its folder can be removed.
 * @throws Error with what it has printed and what still ran, where it has not quit
 */
export async function quitProgram(
  electron: Program,
  { pid = 0 }: Pick<ChildProcess, "pid">,
  printed: () => string,
  withinMs = patienceMs,
): Promise<void> {
  const late = `it has not done so within ${String(withinMs)} ms`;
  const closed = electron.close().then(() => undefined, String);
  const problem = await Promise.race([closed, wait(withinMs, late, { ref: false })]);
  if (problem === undefined) return;
  // Playwright closes its connection as soon as the program has accepted the request to quit.
  const asked = electron.evaluate(() => "answers").catch(() => "has accepted the request");
  const answer = await Promise.race([asked, wait(5_000, "does not answer")]);
  const still = [pid, ...descendants(pid)].filter(isRunning);
  const lines = still.map((one) => `${String(one)} ${stateOf(one)}, ${commandLineOf(one).slice(0, 200)}`);
  // The main process ends first: it would start its services again.
  for (const one of still) killIfRunning(one);
  throw new Error(
    `The program should quit: ${problem}. Its main process ${answer}. There were:\n${lines.join("\n")}\nIt printed:\n${printed()}`,
  );
}

function killIfRunning(pid: number): void {
  try {
    sendSignal(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
