import type { AdjustableClock } from "../../time/adjustable-clock.ts";
import { currentTraceparent, resumedSpan, runInSpan } from "../../trace/span.ts";

interface Entry<Item> {
  readonly due: number;
  readonly item: Item;
  /** The traceparent of its cause. */
  readonly cause: string | undefined;
}

interface Deps<Item> extends Pick<AdjustableClock, "wakeAt"> {
  readonly run: (item: Item) => void;
}

/**
 * Runs items at given times, with one timer for all of them, each in the span in which it was added. Kept in memory: its
 * user refills it at each start.
 */
export class Agenda<Item> {
  readonly #deps: Deps<Item>;
  /** Sorted by time, the earliest first. */
  #entries: Entry<Item>[] = [];
  #alarm: { readonly due: number; readonly stop: () => void } | undefined;

  constructor(deps: Deps<Item>) {
    this.#deps = deps;
  }

  /**
   * @param due Unix ms; a past time counts as now
   * @param cause the traceparent of what planned it
   */
  add(due: number, item: Item, cause = currentTraceparent()): void {
    // Most new items are later than all others, so the search usually ends at once, and no item is moved.
    const before = this.#entries.findLastIndex((entry) => entry.due <= due);
    this.#entries.splice(before + 1, 0, { due, item, cause });
    this.#setAlarm();
  }

  /** Runs what is due, without waiting for the timer. @param now Unix ms */
  runDue(now: number): void {
    this.#alarm?.stop();
    this.#alarm = undefined;
    const later = this.#entries.findIndex((entry) => entry.due > now);
    const due = this.#entries.splice(0, later < 0 ? this.#entries.length : later);
    this.#setAlarm();
    for (const { item, cause } of due) runInSpan(resumedSpan(cause), () => this.#deps.run(item));
  }

  /** Removes all items. */
  clear(): void {
    this.#entries = [];
    this.#setAlarm();
  }

  #setAlarm(): void {
    const due = this.#entries[0]?.due;
    if (this.#alarm?.due === due) return;
    this.#alarm?.stop();
    this.#alarm = due === undefined ? undefined : { due, stop: this.#deps.wakeAt(due, () => this.runDue(due)) };
  }
}
