import type { WakeAt } from "../../../time/adjustable-clock.ts";

/** The time of the next inquiry about orders and refunds. The stores set it, and it wakes the reconcile job. */
export class Alarm {
  readonly #wakeAt: WakeAt;
  #waiting: { readonly at: number; readonly stop: () => void } | undefined;
  #listener: (() => void) | undefined;

  constructor(wakeAt: WakeAt) {
    this.#wakeAt = wakeAt;
  }

  /** In Unix ms. Does nothing when an earlier time is set. */
  setFor(at: number): void {
    if (this.#waiting && this.#waiting.at <= at) return;
    this.stop();
    const ring = () => {
      this.#waiting = undefined;
      this.#listener?.();
    };
    this.#waiting = { at, stop: this.#wakeAt(at, ring) };
  }

  stop(): void {
    this.#waiting?.stop();
    this.#waiting = undefined;
  }

  onRing(listen: () => void): void {
    this.#listener = listen;
  }
}
