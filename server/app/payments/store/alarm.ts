import type { WakeAt } from "../../../time/adjustable-clock.ts";

/** The time of the next inquiry about orders and refunds. The stores set it, and it wakes the reconcile job. */
export interface Alarm {
  /** In Unix ms. Does nothing when an earlier time is set. */
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
