/** Changes of the ledger, and who hears of them: of what is on disk only, in the order in which it came there. */
import { createTurns } from "../../../process/create-turns.ts";
import type { Awaitable, GroupedWrites } from "../../../store/database.ts";
import type { LedgerChange } from "./ledger.ts";

export interface Commits {
  /**
   * Runs `work` after all earlier changes. Publishes afterwards what it notified, even if it throws: it must notify
   * only committed changes.
   */
  write<Value>(work: (notify: (change: LedgerChange) => void) => Promise<Value>): Promise<Value>;
  /**
   * For what excludes others by the tables alone: runs `work`, which waits for its statements only, as a whole and together
   * with others. It tells as above, but nothing where it throws: none of it stays then.
   */
  step<Value>(work: (notify: (change: LedgerChange) => void) => Awaitable<Value>): Promise<Value>;
  readonly subscribe: (listen: (change: LedgerChange) => void) => () => void;
}

/** @param onError receives errors thrown by listeners; they do not affect the change */
export function createCommits(writes: GroupedWrites, onError: (error: unknown) => void): Commits {
  const listeners = new Set<(change: LedgerChange) => void>();
  const inTurn = createTurns();

  function publish(change: LedgerChange): void {
    for (const listen of listeners)
      try {
        listen(change);
      } catch (error) {
        onError(error);
      }
  }

  return {
    write: (work) =>
      inTurn(async () => {
        const changes: LedgerChange[] = [];
        try {
          return await work((change) => void changes.push(change));
        } finally {
          changes.forEach(publish);
        }
      }),
    async step(work) {
      const changes: LedgerChange[] = [];
      const value = await writes.write(() => work((change) => void changes.push(change)));
      changes.forEach(publish);
      return value;
    },
    subscribe(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };
}
