import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import type { Settings } from "../contract/process/settings.ts";
import { unwritable } from "../process/writable-folder.ts";
import { ForeignFileError, removeLeftReadyFile, runFileIn } from "./ready-file.ts";
import { RunError } from "./run-error.ts";

/** A file with the run's addresses; `what` and `flag` describe it in the message when it cannot be written. */
export interface RunFile {
  readonly path: string;
  readonly what: string;
  readonly flag: string;
}

export const runFilesOf = ({ data_dir, ready_file }: Settings): RunFile[] => [
  { path: runFileIn(data_dir), what: `data directory ${data_dir}`, flag: "--data-dir" },
  ...(ready_file === undefined ? [] : [{ path: ready_file, what: `ready file ${ready_file}`, flag: "--ready-file" }]),
];

/** Why a file of a run cannot be written, in one line. */
export const unwritableFile = ({ what, flag }: RunFile, error: unknown): string =>
  error instanceof ForeignFileError
    ? `ready file ${error.message}; choose another with ${flag}`
    : unwritable(what, error, flag);

/** Removes the file of an earlier run. @throws RunError */
export function removeStale(file: RunFile): void {
  try {
    accessSync(dirname(file.path), constants.W_OK);
    removeLeftReadyFile(file.path);
  } catch (error) {
    throw new RunError(unwritableFile(file, error));
  }
}
