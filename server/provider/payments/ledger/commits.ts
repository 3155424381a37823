/** Runs changes of the ledger and notifies subscribers: only of committed changes, in the order of the commits. */
import type { GroupedWrites } from "../../../store/grouped-writes.ts";
import type { LedgerChange } from "./ledger.ts";

export interface Commits {
  /**
   * Runs `work` after all earlier changes. Publishes afterwards what it notified, even if it throws: it must notify
   * only committed changes.
   */
  write<Value>(work: (notify: (change: LedgerChange) => void) => Promise<Value>): Promise<Value>;
  /**
   * For changes that exclude each other through the tables alone. Runs `work`, which must be synchronous, atomically
   * and in a group with others. Publishes as above, but nothing if it throws, because the change is then rolled back.
   */
  step<Value>(work: (notify: (change: LedgerChange) => void) => Value): Promise<Value>;
  readonly subscribe: (listen: (change: LedgerChange) => void) => () => void;
}

/** @param notify receives errors thrown by listeners; they do not affect the change */
export function createCommits(writes: GroupedWrites, notify: (error: unknown) => void): Commits {
  const listeners = new Set<(change: LedgerChange) => void>();
  let last: Promise<unknown> = Promise.resolve();

  function publish(change: LedgerChange): void {
    for (const listen of listeners)
      try {
        listen(change);
      } catch (error) {
        notify(error);
      }
  }

  return {
    write(work) {
      const done = last.then(async () => {
        const changes: LedgerChange[] = [];
        try {
          return await work((change) => void changes.push(change));
        } finally {
          changes.forEach(publish);
        }
      });
      last = done.catch(() => undefined);
      return done;
    },
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
