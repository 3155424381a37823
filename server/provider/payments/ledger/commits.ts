/** Commits changes of the ledger, then notifies subscribers in the order of commits. */
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
   * Runs `work` in one commit with others, for changes that the tables alone keep from conflicts. `work` must wait for
   * nothing but its statements. If it throws, nothing is committed or published.
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
