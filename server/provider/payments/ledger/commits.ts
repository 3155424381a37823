/** Commits changes of the ledger, then notifies subscribers in the order of commits. */
import { createTurns } from "../../../process/create-turns.ts";
import type { Awaitable, GroupedWrites } from "../../../store/database.ts";
import type { LedgerChange } from "./ledger.ts";

export type Notify = (change: LedgerChange) => void;

/** @param onError receives errors thrown by listeners; they do not affect the change */
export function createCommits(writes: GroupedWrites, onError: (error: unknown) => void) {
  const listeners = new Set<Notify>();
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
    /**
     * Runs `work` after all earlier changes. Publishes afterwards what it notified, even if it throws: it must notify
     * only committed changes.
     */
    write: <Value>(work: (notify: Notify) => Promise<Value>): Promise<Value> =>
      inTurn(async () => {
        const changes: LedgerChange[] = [];
        try {
          return await work((change) => void changes.push(change));
        } finally {
          changes.forEach(publish);
        }
      }),
    /**
     * Runs `work` in one commit with others, for changes that the tables alone keep from conflicts. `work` must wait for
     * nothing but its statements. If it throws, nothing is committed or published.
     */
    async step<Value>(work: (notify: Notify) => Awaitable<Value>): Promise<Value> {
      const changes: LedgerChange[] = [];
      const value = await writes.write(() => work((change) => void changes.push(change)));
      changes.forEach(publish);
      return value;
    },
    subscribe(this: void, listen: Notify) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };
}
