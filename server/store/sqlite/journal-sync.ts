/**
 * Syncs a database's journal to the disk. SQLite would block the whole process during a commit; here, further commits
 * continue meanwhile, and share the next sync.
 */
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../sync-folder.ts";

/**
 * SQLite never replaces the journal file of an open database, and syncs it before moving anything into the database
 * (https://www.sqlite.org/pragma.html#pragma_synchronous, NORMAL in WAL mode).
 */
export function createJournalSync(database: string) {
  let journal: FileHandle | undefined;
  let running = Promise.resolve();
  /** Starts after the running sync, which may have started before the last commit. */
  let next: Promise<void> | undefined;

  async function sync(): Promise<void> {
    if (!journal) {
      journal = await open(`${database}-wal`, "r+");
      await syncFolder(dirname(database));
    }
    await journal.datasync();
  }

  function begin(): Promise<void> {
    next = undefined;
    return (running = sync());
  }

  return {
    /** Resolves once all earlier commits survive a power cut. @throws when the disk fails */
    synced: (): Promise<void> => (next ??= running.then(begin, begin)),
    async close(): Promise<void> {
      await running.catch(() => undefined);
      await journal?.close();
    },
  };
}
