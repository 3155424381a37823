/** Opens Hearth in its window: downloads Electron if it is missing, runs it, and falls back to the browser. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { StartMessage } from "../../contract/process/process-messages.ts";
import type { SettingName, Settings } from "../../contract/process/settings.ts";
import { opensWindow } from "../../process/terminal/has-display.ts";
import { printError, printLine } from "../../process/terminal/print-text.ts";
import { readOrigins, resolveRun } from "../../process/settings/read-settings.ts";
import { afterRunning } from "../../time/after-running.ts";
import { onSecondCtrlC, onStopRequest } from "../../process/lifetime/stop-request.ts";
import { takeInstanceLock } from "../../supervisor/data-directory/instance-lock.ts";
import { removeOwnReadyFile, runFileIn } from "../../supervisor/ready-file.ts";
import { removeLeftRunnerSocket } from "../../supervisor/runner-socket.ts";
import { splitLines } from "../../supervisor/processes/split-lines.ts";
import { ElectronUnusable, findElectron } from "./find-electron.ts";
import type { CommandContext } from "../command.ts";
import { serveUntilStopped } from "../serve.ts";

/** The longest time in ms that a run needs to end: the model service drains before the application server does. */
export const stopWithinMs = ({ shutdown_delay_seconds: delay, drain_seconds: grace = 0 }: Settings): number =>
  10_000 + (delay + 2 * grace) * 1_000;
/** Chromium's own log lines, such as complaints about a missing D-Bus, are shown only for debugging. */
const chromiumLine = /^\[\d+:\d+\/\d+[.]\d+:(INFO|WARNING|ERROR):/;

/** The number of those lines that are printed when Electron cannot start, as the only explanation. */
const shownLines = 5;

/** Runs the window until it is closed. @returns Electron's exit code. @throws ElectronUnusable where Electron cannot start */
async function runElectron(electron: string, settings: Settings): Promise<number> {
  // Chromium does not run its sandbox as root.
  const asRoot = process.platform === "linux" && process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const shell = fileURLToPath(new URL("./electron.js", import.meta.url));
  const child = spawn(electron, [...asRoot, shell], {
    // The end of the channel tells Electron that this process is gone, for any reason.
    stdio: ["inherit", "inherit", "pipe", "ipc"],
    // Editors built on Electron set this for programs of their terminals; Electron would then run as Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: undefined },
  });
  const start = { type: "start", settings, origins: { ...readOrigins(settings) }, variables: {} } as const;
  child.send(start satisfies StartMessage, () => undefined);
  let hasBegun = false;
  child.once("message", () => (hasBegun = true));
  let heldBack: string[] = [];
  const verbose = settings.log_level === "debug" || settings.log_level === "trace";
  if (child.stderr)
    splitLines(child.stderr, (line) => {
      if (verbose || !chromiumLine.test(line)) printLine(line, process.stderr);
      else heldBack = [...heldBack, line].slice(-shownLines);
    });
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    if (child.connected) child.disconnect();
    afterRunning(stopWithinMs(settings), () => child.kill("SIGKILL")).unref();
  };
  onStopRequest(stop);
  onSecondCtrlC(() => void child.kill("SIGKILL"));
  const [code, signal] = await exitOf(child);
  if (!hasBegun && !isStopped && code !== 0) {
    if (child.stderr) await finished(child.stderr);
    for (const line of heldBack) printLine(line, process.stderr);
    throw new ElectronUnusable(`Electron ended with ${signal ?? `exit code ${code}`} before the window opened`);
  }
  if (code === null) await cleanUpAfterKill(settings, child.pid ?? 0);
  return code ?? 1;
}

/** Resolves after all messages of the child were received. @throws ElectronUnusable if the system cannot run it */
async function exitOf(child: ChildProcess): Promise<[code: number | null, signal: NodeJS.Signals | null]> {
  const ended = once(child, "exit").catch((error: unknown) => {
    throw new ElectronUnusable((error as Error).message);
  });
  const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  if (child.connected) await once(child, "disconnect");
  return [code, signal];
}

/** A killed Electron takes its processes with it, so this process cleans up. */
async function cleanUpAfterKill(settings: Settings, pid: number): Promise<void> {
  // Electron was killed before it created the folder.
  if (!existsSync(settings.data_dir)) return;
  const taken = await takeInstanceLock(settings.data_dir, () => ({ pid: process.pid, window: false }));
  if (!("lock" in taken)) return;
  removeLeftRunnerSocket(settings.data_dir);
  for (const file of [runFileIn(settings.data_dir), settings.ready_file])
    if (file !== undefined) removeOwnReadyFile(file, pid);
  await taken.lock.release();
}

/** `hearth start`. */
export async function start(
  flags: Partial<Record<SettingName, unknown>>,
  { cwd, host }: Pick<CommandContext, "cwd" | "host">,
): Promise<number> {
  const settings = resolveRun(flags, cwd);
  if (!(await opensWindow(settings))) return serveUntilStopped(settings, host);
  try {
    return await runElectron(await findElectron(), settings);
  } catch (error) {
    if (!(error instanceof ElectronUnusable)) throw error;
    printError(`the window cannot open, the console opens in the browser instead: ${error.message}`);
    return serveUntilStopped(settings, host, { browser: true });
  }
}
