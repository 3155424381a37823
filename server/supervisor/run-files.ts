import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import type { Settings } from "../contract/process/settings.ts";
import { unwritable } from "../process/writable-folder.ts";
import {
  ForeignFileError,
  removeLeftReadyFile,
  removeOwnReadyFile,
  runFileIn,
  writeReadyFile,
  type ReadyFileContent,
} from "./ready-file.ts";
import { RunError } from "./run-error.ts";

/** `what` and `flag` describe a file in the message when it cannot be written. */
interface RunFile {
  readonly path: string;
  readonly what: string;
  readonly flag: string;
}

/** Why a file of a run cannot be written, in one line. */
const unwritableFile = ({ what, flag }: RunFile, error: unknown): string =>
  error instanceof ForeignFileError
    ? `ready file ${error.message}; choose another with ${flag}`
    : unwritable(what, error, flag);

/** The files with the addresses of one run. They are written when it is ready, and again whenever an address changes. */
export class RunFiles {
  readonly #files: readonly RunFile[];
  /** The addresses in all of them, as JSON; empty until they have been written once. */
  #written = "";

  constructor({ data_dir, ready_file }: Pick<Settings, "data_dir" | "ready_file">) {
    this.#files = [
      { path: runFileIn(data_dir), what: `data directory ${data_dir}`, flag: "--data-dir" },
      ...(ready_file === undefined
        ? []
        : [{ path: ready_file, what: `ready file ${ready_file}`, flag: "--ready-file" }]),
    ];
  }

  /** Whether other programs know the run's addresses. */
  get areWritten(): boolean {
    return this.#written !== "";
  }

  /** Removes the files of an earlier run. @throws RunError */
  removeStale(): void {
    for (const file of this.#files)
      try {
        accessSync(dirname(file.path), constants.W_OK);
        removeLeftReadyFile(file.path);
      } catch (error) {
        throw new RunError(unwritableFile(file, error));
      }
  }

  /** Writes the addresses if they have changed. Returns a problem for each file that cannot be written. */
  write(content: ReadyFileContent): string[] {
    const text = JSON.stringify(content);
    if (text === this.#written) return [];
    const problems = this.#files.flatMap((file) => {
      try {
        writeReadyFile(file.path, content);
        return [];
      } catch (error) {
        return [unwritableFile(file, error)];
      }
    });
    if (problems.length === 0) this.#written = text;
    return problems;
  }

  /** Removes the files of this process's run. */
  remove(): void {
    for (const { path } of this.#files) removeOwnReadyFile(path, process.pid);
  }
}
