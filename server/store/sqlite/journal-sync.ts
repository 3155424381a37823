/**
 * Waits for the disk on behalf of a database. Within a commit SQLite would hold the whole process up for that; here what
 * comes meanwhile is committed, too, and waits for the next time together.
 */
import { open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../sync-folder.ts";

export interface JournalSync {
  /** Resolves once all that was committed before the call outlives a power cut. @throws when the disk fails */
  synced(): Promise<void>;
  close(): Promise<void>;
}

/**
 * SQLite never gives the journal of an open database another file, and moves nothing from it into the database before it is on
 * the disk (https://www.sqlite.org/pragma.html#pragma_synchronous, NORMAL in WAL mode).
 */
export function createJournalSync(database: string): JournalSync {
  let journal: FileHandle | undefined;
  let running = Promise.resolve();
  /** Begins when the one that runs has ended, which may have begun before the last commit. */
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
    synced: () => (next ??= running.then(begin, begin)),
    async close() {
      await running.catch(() => undefined);
      await journal?.close();
    },
  };
}
