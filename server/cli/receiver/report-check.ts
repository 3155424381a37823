/** Lets a simulator run a check, prints its rows, and writes its reports. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { CheckLanguage } from "../../contract/provider/checks/check-language.ts";
import { junitReport } from "../../contract/provider/checks/receiver-check-junit.ts";
import type { ReceiverCheck, ReceiverCheckRequest } from "../../contract/provider/checks/receiver-checks.ts";
import { cancelledCode } from "../../process/lifetime/stop-request.ts";
import { printError, printLine } from "../../process/terminal/print-text.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";
import { makeRoomFor } from "../output-file.ts";
import { followCheck } from "./follow-check.ts";
import { createCheckPrinter } from "./print-check.ts";

/** The value of `--json` without a file. */
const jsonAlone = "-";

export interface Reports {
  /** Files; `json` may also be `-`, for stdout. */
  readonly junit?: string | undefined;
  readonly json?: string | undefined;
}

const absolute = (path: string | undefined, cwd: string) =>
  path === undefined || path === jsonAlone ? path : resolve(cwd, path);

export const reportFiles = ({ junit, json }: Reports, cwd: string): Reports => ({
  junit: absolute(junit, cwd),
  json: absolute(json, cwd),
});

interface Check {
  /** Base URL of the simulator. */
  readonly provider: string;
  readonly request: ReceiverCheckRequest;
  readonly signal: AbortSignal;
  readonly title: (check: ReceiverCheck) => string;
  readonly language?: CheckLanguage | undefined;
}

/** @throws SettingsError naming the flag whose file cannot be written */
function write(flag: string, file: string | undefined, text: () => string): void {
  if (file === undefined || file === jsonAlone) return;
  try {
    writeFileSync(file, text());
  } catch (error) {
    throw new SettingsError(`${flag}: ${file} cannot be written: ${(error as Error).message}`);
  }
}

export function makeRoomForReports({ junit, json }: Reports): void {
  if (junit !== undefined) makeRoomFor(junit, "--junit");
  if (json !== undefined && json !== jsonAlone) makeRoomFor(json, "--json");
}

const exitCode = ({ state, counts }: ReceiverCheck) =>
  state === "done" && counts.fail === 0 && counts.pass > 0 ? 0 : 1;

/** @returns the exit code */
export async function reportCheck(
  { provider, request, signal, title, language }: Check,
  { junit, json }: Reports,
): Promise<number> {
  try {
    const onEvent =
      json === jsonAlone ? () => undefined : createCheckPrinter(process.stdout, { env: process.env, title, language });
    const report = await followCheck({ provider, request, onEvent, signal });
    write("--junit", junit, () => junitReport(report, language));
    write("--json", json, () => `${JSON.stringify(report, undefined, 2)}\n`);
    if (json === jsonAlone) printLine(JSON.stringify(report));
    if (report.problem !== undefined) printError(report.problem);
    return exitCode(report);
  } catch (error) {
    if (signal.aborted) return cancelledCode;
    throw error;
  }
}
