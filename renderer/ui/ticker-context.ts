import { createContext, useContext, useMemo, useSyncExternalStore } from "react";

/** A clock shared by all shown times, so that they change together and need only one timer. */
export interface Ticker {
  subscribe: (listen: () => void) => () => void;
  now: () => number;
}

export function createTicker(everyMs: number): Ticker {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    for (const listen of listeners) listen();
  };
  return {
    subscribe(listen) {
      listeners.add(listen);
      timer ??= setInterval(tick, everyMs);
      return () => {
        listeners.delete(listen);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    now: () => Date.now(),
  };
}

export const TickerContext = createContext<Ticker | undefined>(undefined);

/** The result of `read` for the current time; the component renders again only when it changes. */
export function useTicking(read: (now: number) => string): string {
  const ticker = useContext(TickerContext);
  const fixed = useMemo(() => ({ subscribe: () => () => undefined, now: () => 0 }), []);
  const { subscribe, now } = ticker ?? fixed;
  return useSyncExternalStore(subscribe, () => read(now()));
}
