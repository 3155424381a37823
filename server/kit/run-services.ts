/** Runs the services as children of the caller's process: when it ends for any reason, they end. */
import { fileURLToPath } from "node:url";
import type { ServiceName } from "../contract/process/services.ts";
import { parseUpstream } from "../contract/process/upstream-setting.ts";
import { absolutePaths, readOrigins, resolveSettings } from "../process/settings/read-settings.ts";
import { createLogPrinter } from "../process/terminal/print-log.ts";
import { createNodeFork } from "../supervisor/processes/fork-node.ts";
import type { ReadyFileContent } from "../supervisor/ready-file.ts";
import { prepareDataDir } from "../supervisor/data-directory/prepare-data-dir.ts";
import { startRun } from "../supervisor/run.ts";
import { RunError } from "../supervisor/run-error.ts";
import { temporaryFoldersOf } from "./instance-folder.ts";
import { ownEnvironment } from "./own-environment.ts";
import type { RunningServices, StartOptions } from "./running-services.ts";

/** Replaced by the bundler with the package's version. */
declare const hearthVersion: string;

const entry = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

/**
 * @param services that run; default: all
 * @returns once all of them answer
 * @throws SettingsError, RunError
 */
export async function runServices(
  { values, folder, onStart }: StartOptions,
  services?: readonly ServiceName[],
): Promise<RunningServices> {
  // Relative to the working directory, not to the folder, which only excludes configuration files.
  const settings = resolveSettings(absolutePaths(values, process.cwd()), {}, folder);
  prepareDataDir(settings);
  const printer = createLogPrinter(settings, process.stderr);
  const { promise: ready, resolve, reject } = Promise.withResolvers<ReadyFileContent>();
  const run = startRun({
    settings,
    version: hearthVersion,
    fork: createNodeFork(),
    entries: { app: entry("app"), model: entry("model"), runner: entry("runner") },
    services,
    env: ownEnvironment(
      temporaryFoldersOf(folder),
      settings.upstreams.map((upstream) => parseUpstream(upstream).keyVariable),
    ),
    origins: readOrigins(settings),
    keepsAddresses: true,
    onLine: printer.line,
    onStatus: () => undefined,
    onReady: resolve,
    onWarning: (message) => printer.say("warn", "hearth", message),
    onFatal: (reason) => reject(new RunError(reason)),
  });
  onStart(() => {
    void run.stop();
    run.hurry();
  });
  // Loads the modules of fetch while the services start.
  void new Headers();
  try {
    const addresses = await ready;
    // A window would show the state; tests would only miss an address.
    const down = run.statuses().find(({ name, state }) => name === "model" && state === "down");
    if (down !== undefined) throw new RunError(down.reason ?? "the model service does not run");
    return { addresses: { ...addresses, stand_in: run.urls()["stand_in"] ?? null }, stop: () => run.stop() };
  } catch (error) {
    await run.stop();
    throw error;
  }
}
