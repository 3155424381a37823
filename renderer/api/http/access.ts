import { createStore, type StoreApi } from "zustand/vanilla";

/**
 * Whether the server knows this browser. While it does not, all requests to the console's API wait, and continue after
 * a login: no request fails or is lost.
 */
export interface LoginAccess {
  readonly loggedOut: StoreApi<boolean>;
  /** Resolves when the server knows this browser; undefined: it does. @throws the signal's reason */
  whenIn(signal?: AbortSignal | null): Promise<void> | undefined;
  /** Reports that a request begun at `since` was answered with a demand to log in. */
  lost(since: number): void;
  /** Reports that the server knows this browser, after a login. */
  gained(): void;
  /** Reports an answer that the server gives only to a browser that it knows. */
  confirmed(): void;
  /** Whether the server has known this browser since the page was opened. */
  readonly wasIn: () => boolean;
  /** The number of logins so far, which serves as a time for `lost`. */
  readonly now: () => number;
}

/** @param isKnown whether the server knows this browser at first */
export function createAccess(isKnown = true): LoginAccess {
  const loggedOut = createStore<boolean>(() => !isKnown);
  let entry = isKnown ? undefined : Promise.withResolvers<void>();
  let gains = 0;
  let wasIn = false;
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
      // An answer that arrives after the login may belong to an earlier request.
      if (since !== gains || entry) return;
      entry = Promise.withResolvers();
      loggedOut.setState(true);
    },
    gained() {
      gains += 1;
      wasIn = true;
      const entered = entry;
      entry = undefined;
      loggedOut.setState(false);
      entered?.resolve();
    },
    confirmed() {
      wasIn = true;
    },
    wasIn: () => wasIn,
    now: () => gains,
  };
}
