/** Runs Hearth without a window, until it is stopped. */
import { fileURLToPath } from "node:url";
import type { ServiceName } from "../contract/process/services.ts";
import type { SettingName, Settings } from "../contract/process/settings.ts";
import { announceAddresses } from "../process/terminal/announce.ts";
import { commandVariable } from "../process/terminal/own-command.ts";
import { createLogPrinter, statusReporter } from "../process/terminal/print-log.ts";
import { compileCache } from "../process/installation/compile-cache.ts";
import { printError } from "../process/terminal/print-text.ts";
import { readOrigins, resolveRun, type SettingOrigins } from "../process/settings/read-settings.ts";
import { startWarnings } from "../process/settings/start-warnings.ts";
import { drainMs } from "../process/lifetime/drain.ts";
import { cancelledCode, onSecondCtrlC, onSecondSignal, onStopRequest } from "../process/lifetime/stop-request.ts";
import { announceRun } from "../supervisor/announce-run.ts";
import { describeHolder, takeInstanceLock } from "../supervisor/data-directory/instance-lock.ts";
import type { ProgramHost } from "../supervisor/program-host.ts";
import type { ReadyFileContent } from "../supervisor/ready-file.ts";
import { prepareDataDir } from "../supervisor/data-directory/prepare-data-dir.ts";
import { startRun, type Run } from "../supervisor/run.ts";
import { RunError } from "../supervisor/run-error.ts";
import { backUpData } from "./backup/back-up-data.ts";
import type { CommandContext } from "./command.ts";
import { openBrowser } from "./open-browser.ts";
import { describePortHolder } from "./port-holder.ts";

const entry = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

/** Replaced by the bundler with the package's version. */
declare const hearthVersion: string;

export interface ServeOptions {
  /** Opens the console in the default browser. */
  readonly browser?: boolean;
  /** The origins of the settings. Default: those of this process's run. */
  readonly origins?: SettingOrigins;
  /** The services that run. Default: all. */
  readonly services?: readonly ServiceName[];
  /**
   * Called once, instead of printing the address; the run ends with its exit code. A request to stop aborts `stopping`,
   * and Hearth still answers for ten seconds; a second signal ends the run at once.
   */
  readonly whenReady?: (addresses: ReadyFileContent, stopping: AbortSignal) => Promise<number>;
}

/** `hearth serve`. */
export const serveCommand = (
  flags: Partial<Record<SettingName, unknown>>,
  { cwd, host }: CommandContext,
): Promise<number> => serveUntilStopped({ ...resolveRun(flags, cwd), headless: true }, host);

/** The time that a command has to end after a request to stop. */
export const graceMs = 10_000;

/** @returns the exit code: 0 after a requested stop, 1 when Hearth cannot run. */
export async function serveUntilStopped(
  settings: Settings,
  { fork, command }: ProgramHost,
  { browser = settings.open === true, origins = readOrigins(settings), services, whenReady }: ServeOptions = {},
): Promise<number> {
  // Leaves stdout to the command that Hearth is started for.
  const printer = createLogPrinter(settings, whenReady ? process.stderr : process.stdout);
  const { promise: over, resolve: end, reject: fail } = Promise.withResolvers<number>();
  const stop = new AbortController();
  // A requested stop is a success for `hearth serve`, but cancels other work.
  const stoppedCode = whenReady ? cancelledCode : 0;
  let run: Run | undefined;
  let isUsed = false;
  const describe = () => ({
    pid: process.pid,
    console: run?.consoleAddress(),
    urls: run?.urls(),
    window: false,
    ...(stop.signal.aborted && { isEnding: true }),
  });

  /** Prints how to open the console. Logs contain no token. */
  async function report(addresses: ReadyFileContent, of: Run): Promise<void> {
    const console = of.consoleAddress() ?? "";
    const login = async () => (await of.loginCode()).address;
    if (settings.json) printer.say("info", "hearth", "ready", { ...addresses, console });
    else {
      const cli = entry("cli");
      await announceRun(addresses, { version: hearthVersion, settings, console, login, command, cli });
    }
    if (browser) await openBrowser(await login().catch(() => console));
  }

  try {
    // Registered before anything is made that a stop has to remove.
    onStopRequest(() => {
      if (stop.signal.aborted) return;
      if (run && drainMs(settings) > 0)
        printer.say("info", "hearth", "stopping: waiting for open requests; Ctrl-C ends them at once");
      stop.abort();
      setTimeout(end, isUsed ? graceMs : 0, stoppedCode).unref();
    });
    onSecondSignal(() => end(stoppedCode));
    onSecondCtrlC(() => run?.hurry());
    prepareDataDir(settings, hearthVersion);
    const taken = await takeInstanceLock(settings.data_dir, describe, {
      onWait: (message) => printer.say("info", "hearth", message),
    });
    if (!("lock" in taken)) throw new RunError(describeHolder(settings.data_dir, taken.holder));
    announceAddresses(settings, readOrigins(settings));
    for (const warning of startWarnings(settings)) printer.say("warn", "hearth", warning);
    try {
      await backUpData({
        settings,
        version: hearthVersion,
        fork,
        entry: entry("update-backup"),
        signal: stop.signal,
        printer,
      });
      stop.signal.throwIfAborted();
      run = startRun({
        settings,
        version: hearthVersion,
        fork,
        entries: { app: entry("app"), model: entry("model"), runner: entry("runner") },
        env: { ...compileCache, ...process.env, [commandVariable]: command },
        origins,
        services,
        keepsAddresses: whenReady !== undefined,
        retriesApp: whenReady === undefined,
        onLine: printer.line,
        onStatus: statusReporter(printer),
        onReady(addresses) {
          if (whenReady) {
            isUsed = true;
            whenReady(addresses, stop.signal).then((code) => {
              end(stop.signal.aborted && code === 0 ? stoppedCode : code);
            }, fail);
          } else if (run) report(addresses, run).catch(fail);
        },
        onWarning: (message) => printer.say("warn", "hearth", message),
        onFatal: (reason, takenPort) =>
          void describePortHolder(takenPort, settings, command)
            .then((holder) => printError(holder ?? reason))
            .finally(() => end(1)),
      });
      return await over;
    } finally {
      await run?.stop();
      await taken.lock.release();
    }
  } catch (error) {
    if (stop.signal.aborted) return stoppedCode;
    if (!(error instanceof RunError)) throw error;
    printError(error.message);
    return 1;
  }
}
