/** Copies databases consistently, as of one moment, during writes. */
import { closeSync, openSync } from "node:fs";
import { Sqlite } from "../native-sqlite.ts";

interface CopyOptions {
  /** Called before, after each part, and at the end, with the finished share, from 0 to 1. Its error ends the copying. */
  readonly onProgress?: (share: number) => void;
}

/** Pages copied at a time: about 4 MB; other work runs in between. */
const pagesAtATime = 1_000;

/**
 * Copies a database into the new file `to`, for its owner only: one file without a journal. The caller syncs it to the
 * disk, and removes its remains when this throws.
 */
export async function copyDatabase(
  from: Sqlite,
  to: string,
  { onProgress = () => undefined }: CopyOptions = {},
): Promise<void> {
  closeSync(openSync(to, "wx", 0o600)); // SQLite would use the umask only
  const own = !from.inTransaction;
  // Without it, a write of another process would restart the copying.
  if (own) from.exec("begin");
  try {
    from.prepare("select 1 from sqlite_master").get();
    onProgress(0);
    await from.copyTo(to, pagesAtATime, (remaining, total) => onProgress(1 - remaining / total));
    onProgress(1);
  } finally {
    if (own) from.exec("commit");
  }
  const copy = new Sqlite(to);
  try {
    copy.pragma("journal_mode = DELETE");
  } finally {
    copy.close();
  }
}
