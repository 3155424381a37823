import type { Settings } from "../../contract/process/settings.ts";
import { openFilesWarning } from "../open-files.ts";
import { isFromEnvironment } from "./read-settings.ts";
import { unknownVariables } from "./unknown-variables.ts";

/** Warnings for the user before a run begins, one line each. */
export const startWarnings = (settings: Settings): string[] =>
  [...(isFromEnvironment() ? unknownVariables(process.env, settings) : []), openFilesWarning()].filter(
    (line) => line !== undefined,
  );
