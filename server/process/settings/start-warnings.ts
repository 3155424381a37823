import type { Settings } from "../../contract/process/settings.ts";
import { openFilesWarning } from "../open-files.ts";
import { codeFileName, findOwnCode } from "./code-folder.ts";
import { defaultDataDir, isFromEnvironment, readOrigins } from "./read-settings.ts";
import { unknownVariables } from "./unknown-variables.ts";

/** Warnings for the user before a run begins, one line each. */
export const startWarnings = (settings: Settings): string[] =>
  [
    ...(isFromEnvironment() ? unknownVariables(process.env, settings) : []),
    unconfirmedCode(settings),
    openFilesWarning(),
  ].filter((line) => line !== undefined);

function unconfirmedCode(settings: Settings): string | undefined {
  const { folder } = readOrigins(settings);
  if (settings.routes !== undefined || folder === undefined) return undefined;
  const found = findOwnCode(folder, defaultDataDir());
  return found && !found.isConfirmed
    ? `${found.file} is not run, because others may have written it: to run it now, and later in this folder without the flag, start once with --routes ${codeFileName}`
    : undefined;
}
