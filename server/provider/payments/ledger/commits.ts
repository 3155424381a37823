/** One change of the ledger after the other, each told to the listeners before the next begins. */
import type { LedgerChange } from "./ledger.ts";

export interface Commits {
  /**
   * Runs `work` when all changes before it are done, and passes on what it tells afterwards, also where it throws: it tells
   * only what is on disk.
   */
  write<Value>(work: (tell: (change: LedgerChange) => void) => Promise<Value>): Promise<Value>;
  readonly subscribe: (listen: (change: LedgerChange) => void) => () => void;
}

/** @param report hears what a listener threw: the change is made, whatever a listener thinks of it */
export function createCommits(report: (error: unknown) => void): Commits {
  const listeners = new Set<(change: LedgerChange) => void>();
  let last: Promise<unknown> = Promise.resolve();

  function publish(change: LedgerChange): void {
    for (const listen of listeners)
      try {
        listen(change);
      } catch (error) {
        report(error);
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
    subscribe(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };
}
