/** Runs items at given times, with one timer for all of them. Kept in memory: its user refills it at each start. */
interface Entry<Item> {
  readonly due: number;
  readonly item: Item;
}

interface Deps<Item> {
  readonly wakeAt: (due: number, run: () => void) => () => void;
  readonly run: (item: Item) => void;
}

export interface Agenda<Item> {
  /** @param due Unix ms; a past time counts as now */
  add(due: number, item: Item): void;
  /**
   * Runs what is due, without waiting for the timer.
   * @param now Unix ms
   */
  runDue(now: number): void;
  /** Removes all items. */
  clear(): void;
}

export function createAgenda<Item>({ wakeAt, run }: Deps<Item>): Agenda<Item> {
  /** Sorted by time, the earliest last. */
  let entries: Entry<Item>[] = [];
  let alarm: { readonly due: number; readonly stop: () => void } | undefined;

  function setAlarm(): void {
    const due = entries.at(-1)?.due;
    if (alarm?.due === due) return;
    alarm?.stop();
    alarm = due === undefined ? undefined : { due, stop: wakeAt(due, () => runDue(due)) };
  }

  function runDue(now: number): void {
    alarm?.stop();
    alarm = undefined;
    const due: Item[] = [];
    for (let last = entries.at(-1); last && last.due <= now; last = entries.at(-1)) {
      due.push(last.item);
      entries.pop();
    }
    setAlarm();
    due.forEach(run);
  }

  return {
    add(due, item) {
      // Most new items are later than all others, so the search usually ends at the first element.
      const at = entries.findIndex((entry) => entry.due <= due);
      entries.splice(at < 0 ? entries.length : at, 0, { due, item });
      setAlarm();
    },
    runDue,
    clear() {
      entries = [];
      setAlarm();
    },
  };
}
