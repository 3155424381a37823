/** Starts the user's backend for the time of a check, and waits until it answers. */
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import spawn from "cross-spawn";
import { askToStop } from "../../process/lifetime/ask-to-stop.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { graceMs } from "../serve.ts";

const readyWithinMs = 120_000;
const pollIntervalMs = 100;

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(1_000), redirect: "manual" }).then(
    () => true,
    () => false,
  );

/**
 * Its output goes to stderr.
 * @throws RunError if it ends, or does not answer at `url` in time
 */
export async function startBackend(
  { url, command: [command = "", ...args] }: { url: string; command: readonly string[] },
  added: NodeJS.ProcessEnv,
  over: AbortSignal,
): Promise<{ readonly stop: () => Promise<void> }> {
  const child = spawn(command, args, { stdio: ["ignore", 2, 2], env: { ...process.env, ...added } });
  let ended: string | undefined;
  const exited = once(child, "exit").then(
    () => (ended = "ended"),
    (error: Error) => (ended = `cannot be run: ${error.message}`),
  );
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async () => {
    if (ended === undefined) askToStop(child);
    const timer = setTimeout(kill, graceMs);
    await exited;
    clearTimeout(timer);
    process.off("exit", kill);
  };
  for (const until = performance.now() + readyWithinMs; !(await answers(url)); await wait(pollIntervalMs)) {
    over.throwIfAborted();
    if (ended === undefined && performance.now() < until) continue;
    const why = ended ?? `did not answer at ${url} within ${String(readyWithinMs / 1000)} s`;
    await stop();
    throw new RunError(`the backend (${command}) ${why}`);
  }
  return { stop };
}
