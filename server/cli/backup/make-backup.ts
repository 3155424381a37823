/** Makes the file of a backup: writes it next to its place, verifies it, and then moves it there. */
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { renameFile } from "../../file-system/rename-file.ts";
import { syncFolder } from "../../store/sync-folder.ts";
import { makePartFolder } from "./part-folder.ts";
import { readBackup } from "./read-backup.ts";
import { writeBackup, type WrittenBackup } from "./write-backup.ts";

interface MakeOptions {
  readonly dataDir: string;
  /** The backup's path, which is not a link; an existing file is replaced. */
  readonly to: string;
  /** The version of the Hearth whose data these are. */
  readonly version: string;
  readonly signal: AbortSignal;
  /** Called with the current step and its progress. */
  readonly onProgress: (status: string, done: number, total: number) => void;
  /** Called before the file is moved to its place. @throws to prevent that */
  readonly beforePlacing?: () => void;
}

/** @throws Error with the reason; no file is left then */
export async function makeBackup(options: MakeOptions): Promise<WrittenBackup & { readonly size: number }> {
  const { dataDir, to, version, signal, onProgress, beforePlacing } = options;
  await using folder = await makePartFolder(to).catch((error: unknown) => {
    throw new Error(`the backup cannot be written: ${(error as Error).message}`, { cause: error });
  });
  const part = join(folder.path, "backup.tar");
  await using file = await open(part, "wx+", 0o600);
  const now = new Date();
  const written = await writeBackup({ dataDir, file, folder: folder.path, version, now, signal, onProgress });
  const { size } = await file.stat();
  await readBackup(file, { onProgress: (done) => onProgress("comparing", done, size), signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      throw new Error(`the file on the disk differs from the written data: ${(error as Error).message}`, {
        cause: error,
      });
    },
  );
  beforePlacing?.();
  signal.throwIfAborted();
  await renameFile(part, to);
  await syncFolder(dirname(to));
  return { ...written, size };
}
