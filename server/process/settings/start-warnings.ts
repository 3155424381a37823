import type { Settings } from "../../contract/process/settings.ts";
import { openFilesWarning } from "../open-files.ts";
import { isFromEnvironment } from "./read-settings.ts";
import { unknownVariables } from "./unknown-variables.ts";

/** What a user must know before a run begins, one line each. */
export const startWarnings = (settings: Settings): string[] =>
  [...(isFromEnvironment() ? unknownVariables(process.env, settings) : []), openFilesWarning(settings)].filter(
    (line) => line !== undefined,
  );
