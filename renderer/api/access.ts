import { createStore, type StoreApi } from "zustand/vanilla";

/**
 * Whether the server knows this browser. While it does not, everything that asks the console's API waits, and goes on where it
 * was once somebody has logged in: nothing fails, is asked in vain, or is lost.
 */
export interface Access {
  readonly loggedOut: StoreApi<boolean>;
  /** Resolves when the server knows this browser; undefined: it does. @throws the signal's reason */
  whenIn(signal?: AbortSignal | null): Promise<void> | undefined;
  /** A request that began at `since` was answered that the server does not know this browser. */
  lost(since: number): void;
  /** The server knows this browser. */
  gained(): void;
  /** How often it has been gained: a moment, for `lost`. */
  readonly now: () => number;
}

export function createAccess(): Access {
  const loggedOut = createStore<boolean>(() => false);
  let entry: PromiseWithResolvers<void> | undefined;
  let gains = 0;
  return {
    loggedOut,
    whenIn(signal) {
      if (!entry || !signal) return entry?.promise;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const giveUp = () => reject(signal.reason as Error);
      if (signal.aborted) giveUp();
      else signal.addEventListener("abort", giveUp, { once: true });
      void entry.promise.then(() => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      });
      return promise;
    },
    lost(since) {
      // An answer that comes after the login may be to what was asked before it.
      if (since !== gains || entry) return;
      entry = Promise.withResolvers();
      loggedOut.setState(true);
    },
    gained() {
      gains += 1;
      const entered = entry;
      entry = undefined;
      loggedOut.setState(false);
      entered?.resolve();
    },
    now: () => gains,
  };
}
