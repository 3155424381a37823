import type { WakeAt } from "../../../process/adjustable-clock.ts";

/** When orders and refunds are to be inquired about next: their stores set it, and the reconcile job is woken by it. */
export interface Alarm {
  /** In Unix ms. Does nothing where it rings earlier. */
  setFor(at: number): void;
  stop(): void;
  onRing(listen: () => void): void;
}

export function createAlarm(wakeAt: WakeAt): Alarm {
  let waiting: { readonly at: number; readonly stop: () => void } | undefined;
  let listener: (() => void) | undefined;
  function stop(): void {
    waiting?.stop();
    waiting = undefined;
  }
  function ring(): void {
    waiting = undefined;
    listener?.();
  }
  return {
    setFor(at) {
      if (waiting && waiting.at <= at) return;
      stop();
      waiting = { at, stop: wakeAt(at, ring) };
    },
    stop,
    onRing: (listen) => void (listener = listen),
  };
}
