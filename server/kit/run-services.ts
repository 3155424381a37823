/** Runs the services as children of the caller's process: when it ends for any reason, they end. */
import { fileURLToPath } from "node:url";
import type { ServiceName } from "../contract/process/services.ts";
import type { Settings } from "../contract/process/settings.ts";
import { parseUpstream } from "../contract/process/upstream-setting.ts";
import { compileCache } from "../process/installation/compile-cache.ts";
import { temporaryVariable } from "../process/lifetime/parent-link.ts";
import { readOrigins } from "../process/settings/read-settings.ts";
import { createLogPrinter } from "../process/terminal/print-log.ts";
import { createNodeFork } from "../supervisor/processes/fork-node.ts";
import type { ReadyFileContent } from "../supervisor/ready-file.ts";
import { prepareDataDir } from "../supervisor/data-directory/prepare-data-dir.ts";
import { startRun } from "../supervisor/run.ts";
import { RunError } from "../supervisor/run-error.ts";

/** Replaced by the bundler with the package's version. */
declare const hearthVersion: string;

const entry = (name: string) => fileURLToPath(new URL(`./${name}.js`, import.meta.url));

/** `stand_in`: the address of the proxy for the real platform's hosts; null without the setting. */
export interface KitAddresses extends ReadyFileContent {
  readonly stand_in: string | null;
}

/**
 * Variables that Hearth reads in addition to its settings. The caller's environment may be that of another Hearth, or
 * of an Ollama.
 */
const readVariable = /^(?:HEARTH_(?:COMMAND|CONFIGURATION|CONSOLE_TOKEN)|OLLAMA_\w+)$/i;

/** The environment of the services, without options except the keys that settings name. */
function ownEnvironment({ upstreams }: Settings, temporary: readonly string[]): NodeJS.ProcessEnv {
  const named = upstreams.map((upstream) => parseUpstream(upstream).keyVariable);
  const kept = Object.entries(process.env).filter(([name]) => named.includes(name) || !readVariable.test(name));
  return { ...compileCache, ...Object.fromEntries(kept), [temporaryVariable]: JSON.stringify(temporary) };
}

/**
 * @param temporary folders that the services remove if this process ends without having stopped them
 * @param onStart receives a function that kills all services before it returns, also during their start
 * @param services that run; default: all
 * @returns once all of them answer
 * @throws RunError
 */
export async function runServices(
  settings: Settings,
  temporary: readonly string[],
  onStart: (kill: () => void) => void,
  services?: readonly ServiceName[],
): Promise<{ addresses: KitAddresses; stop: () => Promise<void> }> {
  prepareDataDir(settings);
  const printer = createLogPrinter(settings, process.stderr);
  const { promise: ready, resolve, reject } = Promise.withResolvers<ReadyFileContent>();
  const run = startRun({
    settings,
    version: hearthVersion,
    fork: createNodeFork(),
    entries: { app: entry("app"), model: entry("model"), runner: entry("runner") },
    services,
    env: ownEnvironment(settings, temporary),
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
