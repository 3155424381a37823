/** The log of a program that was started without a terminal: a file that is replaced before it grows large. */
import { mkdirSync, statSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { dirname } from "node:path";
import { renameFileSync } from "../../server/file-system/rename-file.ts";

interface LogFileOptions {
  readonly maxBytes?: number;
  /** The number of older files: `hearth.1.log` is the newest of them. */
  readonly kept?: number;
}

/** The limit of text that waits for the disk; more is dropped. */
const maxWaiting = 1024 * 1024;

/** @param file ends in `.log` */
export function openLogFile(file: string, { maxBytes = 4 * 1024 * 1024, kept = 3 }: LogFileOptions = {}) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let waiting = "";
  let writing: Promise<void> | undefined;
  const older = (number: number) => (number === 0 ? file : file.replace(/[.]log$/, `.${String(number)}.log`));

  function rotate(): void {
    for (let number = kept; number > 0; number--)
      try {
        renameFileSync(older(number - 1), older(number));
      } catch {
        // The older file does not exist yet.
      }
    size = 0;
  }

  async function writeAll(): Promise<void> {
    while (waiting !== "") {
      const text = waiting;
      waiting = "";
      if (size > 0 && size + text.length > maxBytes) rotate();
      // A full disk must not end the program that reports it.
      await appendFile(file, text, { mode: 0o600 }).catch(() => undefined);
      size += Buffer.byteLength(text);
    }
    writing = undefined;
  }

  return {
    write(text: string): void {
      if (waiting.length + text.length <= maxWaiting) waiting += text;
      writing ??= writeAll();
    },
    /** Settles when everything is written. */
    flush: (): Promise<void> => writing ?? Promise.resolve(),
  };
}
