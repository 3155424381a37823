/** Opens Hearth in its window: downloads Electron if it is missing, runs it, and falls back to the browser. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Settings } from "../contract/process/settings.ts";
import { hasDisplay } from "../process/terminal/has-display.ts";
import { printError, printLine } from "../process/terminal/print-text.ts";
import { settingsForChild } from "../process/settings/read-settings.ts";
import { afterRunning } from "../time/after-running.ts";
import { onSecondCtrlC, onStopRequest } from "../process/lifetime/stop-request.ts";
import { takeInstanceLock } from "../supervisor/data-directory/instance-lock.ts";
import type { ProgramHost } from "../supervisor/program-host.ts";
import { removeOwnReadyFile, runFileIn } from "../supervisor/ready-file.ts";
import { removeLeftRunnerSocket } from "../supervisor/runner-socket.ts";
import { splitLines } from "../supervisor/split-lines.ts";
import { ElectronMissing, findElectron } from "./find-electron.ts";
import { serve } from "./serve.ts";

/** What a run takes to end at the most: the model service drains before the application server does. */
export const stopWithinMs = ({ shutdown_delay_seconds: delay, drain_seconds: grace = 0 }: Settings): number =>
  10_000 + (delay + 2 * grace) * 1_000;
/** Chromium's own log lines, such as complaints about a missing D-Bus, are shown only for debugging. */
const chromiumLine = /^\[\d+:\d+\/\d+[.]\d+:(INFO|WARNING|ERROR):/;

/** Runs the window until it is closed. @returns Electron's exit code. */
async function runElectron(electron: string, settings: Settings): Promise<number> {
  // Chromium refuses to run its sandbox as root.
  const asRoot = process.platform === "linux" && process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const shell = fileURLToPath(new URL("./electron.js", import.meta.url));
  const child = spawn(electron, [...asRoot, shell], {
    // The end of the channel tells Electron that this process is gone, for any reason.
    stdio: ["inherit", "inherit", "pipe", "ipc"],
    env: { ...process.env, ...settingsForChild(settings) },
  });
  const verbose = settings.log_level === "debug" || settings.log_level === "trace";
  if (child.stderr)
    splitLines(child.stderr, (line) => {
      if (verbose || !chromiumLine.test(line)) printLine(line, process.stderr);
    });
  const stop = () => {
    if (child.connected) child.disconnect();
    afterRunning(stopWithinMs(settings), () => child.kill("SIGKILL")).unref();
  };
  onStopRequest(stop);
  onSecondCtrlC(() => void child.kill("SIGKILL"));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code === null) await cleanUpAfterKill(settings, child.pid ?? 0);
  return code ?? 1;
}

/** A killed Electron takes its processes with it, so this process cleans up. */
async function cleanUpAfterKill(settings: Settings, pid: number): Promise<void> {
  const taken = await takeInstanceLock(settings.data_dir, () => ({ pid: process.pid, window: false }));
  if (!("lock" in taken)) return;
  removeLeftRunnerSocket(settings.data_dir);
  for (const file of [runFileIn(settings.data_dir), settings.ready_file])
    if (file !== undefined) removeOwnReadyFile(file, pid);
  await taken.lock.release();
}

export async function startInWindow(settings: Settings, host: ProgramHost): Promise<number> {
  if (settings.headless || settings.open === false || !hasDisplay()) return serve(settings, host);
  let electron: string;
  try {
    electron = await findElectron();
  } catch (error) {
    if (!(error instanceof ElectronMissing)) throw error;
    printError(`no window, the console opens in the browser: ${error.message}`);
    return serve(settings, host, { browser: true });
  }
  return runElectron(electron, settings);
}
