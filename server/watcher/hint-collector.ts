/**
 * Gathers the hints of one turn of the event loop and hands them to the detector together, so that both names of a
 * rename are looked at in one picture.
 */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ChangeDetector, Hint } from "./change-detector.ts";

/** So many hints without a pause may have overrun the system's queue, which then drops notifications silently. */
const burstSize = 2_000;
const burstOverMs = 200;
/** Looks per turn of the event loop, so that a burst does not keep the process from answering. */
const entriesPerSlice = 1_000;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** rename: the entry came, went or was replaced. change: content or attributes. found: seen by looking through a folder. */
export type HintKind = "rename" | "change" | "found";

export interface HintCollectorDeps {
  readonly detector: Pick<ChangeDetector, "process" | "settleDepartures" | "entries" | "learns" | "learn" | "leaveOut">;
  /** Paths that are not looked at. */
  readonly ignored: (path: string) => boolean;
  /** The same of each of many entries of a folder. */
  readonly ignoredEach: (paths: readonly string[]) => boolean[];
  /** Everything that happened before this moment (ms since 1970) has been hinted at. */
  readonly seenUntil: () => number;
  /** Called after each piece of work. */
  readonly onWorked: () => void;
  /** Called after folders were looked through because notifications may have been lost. */
  readonly onRecovered: () => void;
}

export function createHintCollector(deps: HintCollectorDeps) {
  const { detector, ignored, ignoredEach, seenUntil, onWorked, onRecovered } = deps;
  const pending = new Map<string, Mutable<Hint>>();
  /** Folders to look through, and up to when everything in them has been seen. */
  const unread = new Map<string, number>();
  let burst = { size: 0, folders: new Set<string>(), seenUntil: 0 };
  let burstTimer: NodeJS.Timeout | undefined;
  let recovering = false;
  let turn: NodeJS.Immediate | undefined;
  let departureTimer: NodeJS.Timeout | undefined;
  let finished = false;
  let onIdle: (() => void) | undefined;

  const schedule = () => {
    if (!finished) turn ??= setImmediate(work);
  };

  function work(): void {
    turn = undefined;
    let styles = 0;
    for (const [folder, until] of unread) {
      if (styles + pending.size >= entriesPerSlice) break;
      styles += readFolder(folder, until);
    }
    const hints = [...pending.values()].slice(0, entriesPerSlice);
    for (const { path } of hints) pending.delete(path);
    detector.process(hints);
    // The second name of a rename may be among those that are still to be looked at.
    if (pending.size > 0 || unread.size > 0) schedule();
    else settleDepartures();
    onWorked();
    if (turn) return;
    if (recovering) onRecovered();
    recovering = false;
    onIdle?.();
  }

  /** Returns how many entries have been looked at already. */
  function readFolder(folder: string, until: number): number {
    unread.delete(folder);
    const isLearning = detector.learns(folder);
    let names: string[] = [];
    try {
      names = readdirSync(folder);
    } catch (error) {
      // Gone again, or not for us to read: what was known in it is looked at all the same, but for what the last run knew.
      if (isLearning && (error as NodeJS.ErrnoException).code !== "ENOENT") return 0;
    }
    const all = [...new Set([...names, ...detector.entries(folder)])];
    const isIgnored = ignoredEach(all.map((name) => join(folder, name)));
    for (const [at, name] of all.entries()) {
      const path = join(folder, name);
      if (isIgnored[at] === true) detector.leaveOut(path);
      else if (isLearning) detector.learn(path, name, at < names.length);
      else note(path, "found", until);
    }
    return isLearning ? names.length : 0;
  }

  function settleDepartures(): void {
    clearTimeout(departureTimer);
    const waitMs = detector.settleDepartures();
    if (waitMs === undefined || finished) return;
    departureTimer = setTimeout(() => {
      // A held-up process finds its timers due before it has read the notifications: let it read them first.
      setImmediate(() => {
        if (turn || finished) return;
        settleDepartures();
        onWorked();
      });
    }, waitMs);
  }

  function watchForBurst(path: string): void {
    if (burst.size++ === 0) burst.seenUntil = seenUntil();
    burst.folders.add(dirname(path));
    if (burstTimer) burstTimer.refresh();
    else burstTimer = setTimeout(endBurst, burstOverMs).unref();
  }

  function endBurst(): void {
    const over = burst;
    burst = { size: 0, folders: new Set(), seenUntil: 0 };
    burstTimer = undefined;
    if (over.size < burstSize) return;
    recovering = true;
    for (const folder of over.folders) scanBatch(folder, over.seenUntil);
  }

  function hint(path: string, kind: HintKind, until?: number): void {
    if (!ignored(path)) note(path, kind, until);
  }

  function note(path: string, kind: HintKind, until = seenUntil()): void {
    const known = pending.get(path);
    const entry = known ?? { path, renames: 0, changed: false, seenUntil: until };
    if (kind === "rename") entry.renames++;
    if (kind === "change") entry.changed = true;
    if (!known) pending.set(path, entry);
    if (kind !== "found") watchForBurst(path);
    schedule();
  }

  /** Looks at a folder and every entry of it, in a later turn of the event loop. */
  function scanBatch(folder: string, until = seenUntil()): void {
    hint(folder, "found", until);
    unread.set(folder, until);
    schedule();
  }

  return {
    hint,
    lookThrough: scanBatch,
    /** Resolves when no hint is waiting. */
    idle: () => new Promise<void>((resolve) => (turn ? (onIdle = resolve) : resolve())),
    /** Works off what is pending; takes no more. */
    finish(): void {
      finished = true;
      clearImmediate(turn);
      clearTimeout(departureTimer);
      clearTimeout(burstTimer);
      detector.process([...pending.values()]);
      detector.settleDepartures(true);
      onWorked();
    },
  };
}
