/** `hearth exec -- COMMAND`: a Hearth of its own for the time of one command, for tests and CI. */
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import spawn from "cross-spawn";
import { cancelledCode, exitCodeOf, onSecondSignal } from "../../process/lifetime/stop-request.ts";
import { askToStop } from "../../process/lifetime/ask-to-stop.ts";
import { announceAddresses } from "../../process/terminal/announce.ts";
import { printError, printLines } from "../../process/terminal/print-text.ts";
import { resolveWithOrigins, SettingsError } from "../../process/settings/read-settings.ts";
import { refusalOfHost } from "../../stand-in/destinations.ts";
import { consoleAccess } from "../../supervisor/console-access.ts";
import { createScriptedModel, type RulesText } from "../../supervisor/create-scripted-model.ts";
import type { ReadyFileContent } from "../../supervisor/ready-file.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { unservedFiles } from "../../supervisor/unserved-files.ts";
import { coverageTable, measureCoverage, readRouteCalls, type RouteCoverage } from "../coverage/route-coverage.ts";
import type { CommandContext } from "../command.ts";
import { environmentOf } from "./exec-environment.ts";
import type { ExecInput } from "./exec-input.ts";
import { exportsOf, importState, stateFiles } from "./exec-state.ts";
import { makeRoomFor } from "../output-file.ts";
import { ownDataDirIn, withOwnHearth } from "../own-hearth.ts";
import { graceMs } from "../serve.ts";
import { simulatedToken } from "../simulated-token.ts";

interface ExecOptions {
  readonly importFrom?: string;
  readonly exportTo?: string;
  /** Undefined without the flag. `file`: where the coverage is written as JSON. */
  readonly coverage?: { readonly file: string | undefined };
  /** The hosts that pass while Hearth stands in for the real platform's; undefined without --stand-in. */
  readonly passes?: readonly string[];
  /** Scripted models by name; undefined without the flag. */
  readonly models?: ReadonlyMap<string, RulesText>;
  readonly command: readonly string[];
}

/** @throws SettingsError */
function readOptions(input: ExecInput, { env, cwd }: CommandContext): ExecOptions {
  const { command, import: from, export_on_exit: exportTo, coverage, stand_in: standsIn, stand_in_passes } = input;
  if (standsIn !== true && stand_in_passes !== undefined) throw new SettingsError("--stand-in-passes needs --stand-in");
  const importFrom = from === undefined ? undefined : resolve(cwd, from);
  if (importFrom !== undefined && statSync(importFrom, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new SettingsError(`--import: the folder ${importFrom} does not exist`);
  return {
    command,
    ...(importFrom !== undefined && { importFrom }),
    ...(exportTo !== undefined && { exportTo: resolve(cwd, exportTo) }),
    ...(coverage !== undefined && { coverage: { file: coverage === "-" ? undefined : resolve(cwd, coverage) } }),
    ...(input.model !== undefined && { models: readModels(input.model, cwd) }),
    ...(standsIn === true && { passes: readPasses({ stand_in_passes }, env, cwd) }),
  };
}

/** @throws SettingsError */
function readModels(flags: readonly string[], cwd: string): Map<string, RulesText> {
  const read = flags.map((flag): [string, RulesText] => {
    const [, name, path] = /^([^=]+)=(.+)$/.exec(flag) ?? [];
    if (name === undefined || path === undefined) throw new SettingsError(`--model ${flag}: NAME=FILE is required`);
    try {
      return [name, { text: readFileSync(resolve(cwd, path)), file: path }];
    } catch (error) {
      throw new SettingsError(`--model ${flag}: the file cannot be read: ${(error as Error).message}`);
    }
  });
  return new Map(read);
}

/** Announces the hosts that a project's file lets through. */
function readPasses(input: Pick<ExecInput, "stand_in_passes">, env: NodeJS.ProcessEnv, cwd: string): readonly string[] {
  const { settings, from } = resolveWithOrigins(input, env, cwd);
  const { stand_in_passes: origin } = from.origins;
  announceAddresses(settings, { ...from, origins: origin ? { stand_in_passes: origin } : {} });
  return settings.stand_in_passes;
}

async function runWithData(
  { command, importFrom, exportTo, coverage, models = new Map<string, RulesText>() }: ExecOptions,
  addresses: ReadyFileContent,
  env: NodeJS.ProcessEnv,
  over: AbortSignal,
  dataDir: string,
): Promise<number> {
  if (importFrom !== undefined) {
    const unserved = await unservedFiles(addresses.console);
    if (unserved.length > 0) throw new RunError(unserved.join("; "));
    await importState(importFrom, addresses, dataDir);
  }
  for (const [name, rules] of models) await createScriptedModel(addresses.model ?? "", name, rules);
  const token = await simulatedToken("test", addresses);
  const before = coverage && (await readRouteCalls(addresses));
  let code = await runCommand(command, { ...environmentOf(addresses, token), ...env }, over);
  // A failure of this work does not replace the command's exit code.
  const finish = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      printError((error as Error).message);
      code ||= 1;
    });
  };
  if (before) await finish(async () => reportCoverage(await measureCoverage(addresses, before), coverage.file));
  if (exportTo !== undefined) for (const write of exportsOf(exportTo, addresses, dataDir)) await finish(write);
  return code;
}

async function reportCoverage(coverage: RouteCoverage, file: string | undefined): Promise<void> {
  printLines(`\n${coverageTable(coverage)}`, process.stderr);
  if (file !== undefined) await writeFile(file, `${JSON.stringify(coverage, undefined, 2)}\n`);
}

async function runCommand(
  [command = "", ...args]: readonly string[],
  added: NodeJS.ProcessEnv,
  over: AbortSignal,
): Promise<number> {
  if (over.aborted) return cancelledCode;
  // On Windows, npm and similar commands are scripts, which Node cannot start directly.
  const child = spawn(command, args, {
    stdio: "inherit",
    env: { ...process.env, ...added },
  });
  const kill = () => void child.kill("SIGKILL");
  const stop = () => {
    askToStop(child);
    setTimeout(kill, graceMs).unref();
  };
  onSecondSignal(kill);
  process.once("exit", stop);
  over.addEventListener("abort", stop, { once: true });
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    return over.aborted && signal !== null ? cancelledCode : exitCodeOf(code, signal);
  } catch (error) {
    // 127 for a missing command, like shells.
    printError(`${command} cannot be run: ${(error as Error).message}`);
    return 127;
  } finally {
    process.off("exit", stop);
  }
}

/** Stands in for the real platform's hosts during `use`, which receives the variables for the command. */
async function standingIn(
  { provider, console }: ReadyFileContent,
  passes: readonly string[],
  folder: string,
  use: (env: NodeJS.ProcessEnv) => Promise<number>,
): Promise<number> {
  const [{ createAuthority }, { commandEnvironment }, { openStandIn }] = await Promise.all([
    import("../../stand-in/certificates.ts"),
    import("../../stand-in/command-environment.ts"),
    import("../../stand-in/open-stand-in.ts"),
  ]);
  const at = Date.now();
  const authority = createAuthority(at);
  const standIn = await openStandIn({
    provider,
    consoleToken: consoleAccess(console).token,
    authority,
    passes,
    port: 0,
    onRefused: (host) => printError(refusalOfHost(host)),
    at,
  });
  try {
    const { certificate } = authority;
    const { env } = process;
    return await use(
      commandEnvironment({ proxy: standIn.url, certificate, folder: join(folder, "stand-in"), env, at }),
    );
  } finally {
    await standIn.close(0);
  }
}

export async function exec(input: ExecInput, context: CommandContext): Promise<number> {
  const options = readOptions(input, context);
  const { exportTo, coverage } = options;
  if (exportTo !== undefined) for (const name of stateFiles) makeRoomFor(join(exportTo, name), "--export-on-exit");
  if (coverage?.file !== undefined) makeRoomFor(coverage.file, "--coverage");
  const given = (name: string) => {
    const path = options.importFrom === undefined ? undefined : join(options.importFrom, name);
    return path !== undefined && existsSync(path) ? path : undefined;
  };
  const [collections, routes] = [given("collections"), given("routes.json")];
  return withOwnHearth(
    context.host,
    {
      ...(collections !== undefined && { collections_dir: collections }),
      ...(routes !== undefined && { routes_file: routes }),
    },
    (addresses, over, folder) => {
      const run = (env: NodeJS.ProcessEnv) => runWithData(options, addresses, env, over, ownDataDirIn(folder));
      return options.passes === undefined ? run({}) : standingIn(addresses, options.passes, folder, run);
    },
    options.models && { services: ["app", "model"] },
  );
}
