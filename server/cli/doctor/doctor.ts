/** `hearth doctor`: checks this installation and its data directory, and changes nothing. */
import { join, resolve } from "node:path";
import { settingsSchema, type SettingName, type Settings } from "../../contract/process/settings.ts";
import { cancelledCode } from "../../process/lifetime/stop-request.ts";
import { printLine } from "../../process/terminal/print-text.ts";
import { configFileName } from "../../process/settings/config-file.ts";
import {
  defaultDataDir,
  resolveWithOrigins,
  SettingsError,
  type SettingOrigins,
} from "../../process/settings/read-settings.ts";
import { unknownVariables } from "../../process/settings/unknown-variables.ts";
import type { Fork } from "../../supervisor/processes/child.ts";
import { findRunning } from "../../supervisor/data-directory/instance-lock.ts";
import type { CommandContext } from "../command.ts";
import { askInspector } from "./ask-inspector.ts";
import { findings, type DoctorCheck, type DoctorContext, type Finding } from "./check.ts";
import { checkModels, checkPromptCache, checkStoredDatabases, checkStoredUploads } from "./check-contents.ts";
import { checkDataDirectory } from "./check-data-directory.ts";
import { checkInstallation, checkWindow } from "./check-installation.ts";
import { checkLimits } from "./check-limits.ts";
import { checkPorts } from "./check-ports.ts";
import { checkProject } from "./check-project.ts";
import type { DoctorInput } from "./doctor-input.ts";
import { createFindingPrinter } from "./print-findings.ts";

type Flags = Partial<Record<SettingName, unknown>>;

/** The settings of a start; if a file or variable is invalid, the flags only, with the error. */
function settingsOf(flags: Flags, cwd: string): { settings: Settings; origins: SettingOrigins; finding: Finding } {
  const { ok, problem } = findings("settings");
  try {
    const { settings, from: origins } = resolveWithOrigins(flags, process.env, cwd);
    return { settings, origins, finding: ok("flags, variables and files are valid") };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const dataDir = String(
      (flags.data_dir as string | undefined) ?? process.env["HEARTH_DATA_DIR"] ?? defaultDataDir(),
    );
    const parsed = settingsSchema.safeParse({ ...flags, data_dir: resolve(cwd, dataDir) });
    // The command line itself is invalid.
    if (!parsed.success) throw error;
    const origins = { file: join(parsed.data.data_dir, configFileName), origins: {} };
    return {
      settings: parsed.data,
      origins,
      finding: problem(`${error.message}; the checks below use flags and defaults`),
    };
  }
}

/** A process that does not answer may use the directory. */
const isLocked = (dataDir: string, fork: Fork, signal: AbortSignal) =>
  askInspector<boolean>({ type: "lock", file: join(dataDir, "lock.db") }, { fork, signal }).catch(() => {
    signal.throwIfAborted();
    return false;
  });

const checks: readonly DoctorCheck[] = [
  checkInstallation,
  checkDataDirectory,
  checkProject,
  checkPorts,
  checkLimits,
  checkStoredDatabases,
  checkStoredUploads,
  checkModels,
  checkPromptCache,
  checkWindow,
];

export async function doctor(
  { quick = false, json = false, ...flags }: DoctorInput,
  { cwd, host: { fork }, version }: CommandContext,
): Promise<number> {
  const { settings, origins, finding } = settingsOf(flags, cwd);
  const cancelled = new AbortController();
  const { signal } = cancelled;
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => cancelled.abort());
  const printer = createFindingPrinter(json ? undefined : process.stdout, process.env);
  try {
    printer.report(finding);
    for (const text of unknownVariables(process.env, settings)) printer.report(findings("settings").warning(text));
    const running = await findRunning(settings.data_dir);
    const inUse = running !== undefined || (await isLocked(settings.data_dir, fork, signal));
    const onProgress = (text: string) => printer.onProgress(text);
    const reads = !quick;
    const context: DoctorContext = { fork, version, settings, origins, running, inUse, reads, signal, onProgress };
    for (const check of checks) for await (const one of check(context)) printer.report(one);
  } catch (error) {
    if (!signal.aborted) throw error;
    return cancelledCode;
  } finally {
    printer.end();
  }
  const outcomes = printer.findings();
  const count = (state: Finding["state"]) => outcomes.filter((one) => one.state === state).length;
  const counts = { ok: count("ok"), warnings: count("warning"), problems: count("problem") };
  printLine(
    json
      ? JSON.stringify({ checks: outcomes, ...counts })
      : `${String(counts.ok)} ok, ${String(counts.warnings)} warnings, ${String(counts.problems)} problems`,
  );
  return counts.problems === 0 ? 0 : 1;
}
