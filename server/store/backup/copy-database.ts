/** Copies of databases: each as its database is at one moment, whatever is written meanwhile. */
import { closeSync, openSync } from "node:fs";
import Sqlite from "better-sqlite3";

interface CopyOptions {
  /** Called after each part with the share that is done, from 0 to 1. What it throws ends the copying. */
  readonly onProgress?: (share: number) => void;
}

/** Pages at a time: about 4 MB, after which other work gets its turn. */
const pagesAtATime = 1_000;

/**
 * Copies a database into the new file `to`, for its owner alone: one file without a journal. The caller brings it to the disk,
 * and removes what is left of it when this throws.
 */
export async function copyDatabase(
  from: Sqlite.Database,
  to: string,
  { onProgress = () => undefined }: CopyOptions = {},
): Promise<void> {
  closeSync(openSync(to, "wx", 0o600)); // SQLite would ask the umask alone
  const own = !from.inTransaction;
  // Without it, a write of another process would make the copying begin anew.
  if (own) from.exec("begin");
  try {
    from.prepare("select 1 from sqlite_master").get();
    await from.backup(to, {
      progress({ totalPages, remainingPages }) {
        onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
        return pagesAtATime;
      },
    });
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
