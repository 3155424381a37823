import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import type { Settings } from "../contract/process/settings.ts";
import { removeLeftReadyFile, runFileIn } from "./ready-file.ts";
import { RunError } from "./run-error.ts";
import { unwritable } from "./unwritable.ts";

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

/** Removes the file of an earlier run. @throws RunError */
export function removeStale({ path, what, flag }: RunFile): void {
  try {
    accessSync(dirname(path), constants.W_OK);
    removeLeftReadyFile(path);
  } catch (error) {
    throw new RunError(unwritable(what, error, flag));
  }
}
