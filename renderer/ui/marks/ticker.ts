import { useCallback, useSyncExternalStore } from "react";
import { serviceKey, useService } from "../services.ts";

/** How often a shown time is looked at: countdowns by the second, times that are told in minutes less often. */
const paces = { second: 1_000, minute: 15_000 } as const;
export type Pace = keyof typeof paces;

/** A clock shared by all shown times, so that they change together and need one timer for each pace. */
export interface Ticker {
  subscribe: (listen: () => void, pace: Pace) => () => void;
  now: () => number;
}

/** Runs `listeners` again and again while there are any and `isShown`; `update` after each change of that. */
function createBeat(everyMs: number, isShown: () => boolean) {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    for (const listen of listeners) listen();
  };
  return {
    listeners,
    tick,
    update() {
      if (listeners.size > 0 && isShown()) timer ??= setInterval(tick, everyMs);
      else {
        clearInterval(timer);
        timer = undefined;
      }
    },
  };
}

/** The document. */
interface Page {
  readonly visibilityState: string;
  addEventListener(type: "visibilitychange", listen: () => void): void;
}

/** Stands still while nobody sees the page. */
export function createTicker(page: Page): Ticker {
  const isShown = () => page.visibilityState === "visible";
  const beats = { second: createBeat(paces.second, isShown), minute: createBeat(paces.minute, isShown) };
  page.addEventListener("visibilitychange", () => {
    for (const beat of Object.values(beats)) {
      beat.update();
      if (isShown()) beat.tick();
    }
  });
  return {
    subscribe(listen, pace) {
      const beat = beats[pace];
      beat.listeners.add(listen);
      beat.update();
      return () => {
        beat.listeners.delete(listen);
        beat.update();
      };
    },
    now: () => Date.now(),
  };
}

export const tickerKey = serviceKey<Ticker>("ticker");

/** The result of `read` for the current time; the component renders again only when it changes. */
export function useTicking(read: (now: number) => string, pace: Pace = "second"): string {
  const ticker = useService(tickerKey);
  // A function of its own each time would be subscribed anew with each rendering.
  const subscribe = useCallback((listen: () => void) => ticker.subscribe(listen, pace), [ticker, pace]);
  return useSyncExternalStore(subscribe, () => read(ticker.now()));
}
