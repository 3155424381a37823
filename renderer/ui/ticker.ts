import { useSyncExternalStore } from "react";
import { serviceKey, useService } from "./services.ts";

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

export const tickerKey = serviceKey<Ticker>("ticker");

/** The result of `read` for the current time; the component renders again only when it changes. */
export function useTicking(read: (now: number) => string): string {
  const { subscribe, now } = useService(tickerKey);
  return useSyncExternalStore(subscribe, () => read(now()));
}
