/**
 * Collects the hints of one turn of the event loop and passes them to the detector together, so that both names of a
 * rename are checked in one batch.
 */
import { basename, join } from "node:path";
import { prefixBelow } from "../../file-system/compare-paths.ts";
import type { ChangeDetector } from "../detection/change-detector.ts";
import type { Hint } from "../detection/hint.ts";
import { createUnreadablePlaces, namesIn } from "./unreadable-places.ts";

/** This many hints without a pause may have overflowed the system's queue, which then drops notifications silently. */
const burstSize = 2_000;
const burstOverMs = 200;
/** This long after a folder took the place of another, chokidar has decided whether to watch it. */
const decidedAfterMs = 1_000;
/** Checks per turn of the event loop, so that the process stays responsive during a burst. */
const entriesPerSlice = 1_000;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * rename: the entry was created, removed or replaced. change: content or attributes. found: found by scanning a folder.
 * missing: known, but not found by that.
 */
export type HintKind = "rename" | "change" | "found" | "missing";

export interface HintCollectorDeps {
  readonly root: string;
  readonly detector: Pick<
    ChangeDetector,
    "process" | "settleDepartures" | "entries" | "folders" | "learns" | "learn" | "leaveOut" | "leaveUnlearned"
  >;
  /** Paths that are not checked. */
  readonly ignored: (path: string) => boolean;
  /** `ignored` for each of many entries of a folder. */
  readonly ignoredEach: (paths: readonly string[]) => boolean[];
  /** Everything before this moment (ms since 1970) has already produced its hint. */
  readonly seenUntil: () => number;
  /** Called after each batch. */
  readonly onWorked: () => void;
  /** Called after a scan of all folders, whose notifications may have been lost. */
  readonly onRecovered: () => void;
  /** Called once for the outermost folder or file that cannot be read, and once it can be. */
  readonly onUnreadable: (path: string) => void;
  readonly onReadable: (path: string) => void;
  /** Called with a folder that took the place of another one, which may be watched still. */
  readonly onUnwatched: (folder: string) => void;
  /** Called with an error that nothing expects. No hint is accepted any more. */
  readonly onFailed: (error: Error) => void;
}

export function createHintCollector(deps: HintCollectorDeps) {
  const { detector, ignored, ignoredEach, seenUntil, onWorked, onRecovered, onUnwatched, onFailed } = deps;
  const pending = new Map<string, Mutable<Hint>>();
  /** Folders that took the place of others, until the system watches them. */
  const replaced = new Set<string>();
  /** The latest of them, and since when, by a clock that nobody sets. */
  const undecided = new Map<string, number>();
  /** Folders to scan, and the moment before which everything in them has been seen. */
  const unread = new Map<string, number>();
  const unreadable = createUnreadablePlaces(deps);
  let burst = { size: 0, seenUntil: 0 };
  let burstTimer: NodeJS.Timeout | undefined;
  let decisionTimer: NodeJS.Timeout | undefined;
  let recovering = false;
  let turn: NodeJS.Immediate | undefined;
  let departureTimer: NodeJS.Timeout | undefined;
  let finished = false;
  let onIdle: (() => void) | undefined;

  const schedule = () => {
    if (!finished) turn ??= setImmediate(attempt, work);
  };

  /** Timers call it: what it threw would end the process, with all that others do in it. */
  function attempt<Result>(step: () => Result): Result | undefined {
    if (finished) return undefined;
    try {
      return step();
    } catch (error) {
      finish();
      onFailed(error as Error);
      onIdle?.();
      return undefined;
    }
  }

  function work(): void {
    turn = undefined;
    let entries = 0;
    for (const [folder, until] of unread) {
      if (entries + pending.size >= entriesPerSlice) break;
      entries += readFolder(folder, until);
    }
    const hints = [...pending.values()].slice(0, entriesPerSlice);
    for (const { path } of hints) pending.delete(path);
    process(hints);
    // A rename's second name may be among the paths that are still unchecked.
    if (pending.size > 0 || unread.size > 0) schedule();
    else settleDepartures();
    onWorked();
    if (turn) return;
    if (recovering) onRecovered();
    recovering = false;
    onIdle?.();
  }

  function process(hints: readonly Hint[]): void {
    for (const { path, seenUntil: until } of detector.process(hints)) unreadable.add(path, until);
  }

  /** What happened below it meanwhile was not seen, nor were the folders there watched. */
  function lookBelow(folder: string, until: number): void {
    recovering = true;
    const below = prefixBelow(folder);
    for (const inner of detector.folders()) if (inner !== folder && inner.startsWith(below)) scan(inner, until);
  }

  /** Scans a folder. Returns how many of its entries are already checked. */
  function readFolder(folder: string, until: number): number {
    unread.delete(folder);
    const isLearning = detector.learns(folder);
    const names = namesIn(folder);
    if (!names) {
      if (isLearning) detector.leaveUnlearned(folder);
      unreadable.add(folder, until);
      return 0;
    }
    const unseenSince = unreadable.remove(folder);
    if (unseenSince !== undefined) lookBelow(folder, unseenSince);
    // What is gone comes first: a renamed file's old name departs before its new name, perhaps in a later batch, arrives.
    const there = new Set(names);
    const gone = [...new Set(detector.entries(folder))].filter((name) => !there.has(name));
    const all = [...gone, ...names];
    const isIgnored = ignoredEach(all.map((name) => join(folder, name)));
    for (const [at, name] of all.entries()) {
      const path = join(folder, name);
      const isListed = at >= gone.length;
      if (isIgnored[at] === true) detector.leaveOut(path);
      else if (isLearning) detector.learn(path, name, isListed);
      else note(path, isListed ? "found" : "missing", until);
    }
    return isLearning ? names.length : 0;
  }

  /** Returns the ms that renames still wait for their second names. */
  function settleDepartures(): number | undefined {
    clearTimeout(departureTimer);
    const waitMs = detector.settleDepartures();
    if (waitMs === undefined || finished) return undefined;
    departureTimer = setTimeout(() => {
      // In a delayed process, timers fire before the notifications are read: read them first.
      setImmediate(attempt, () => {
        if (turn) return;
        settleDepartures();
        onWorked();
      });
    }, waitMs);
    return waitMs;
  }

  function takeUp(settle: () => number | undefined): number | undefined {
    return attempt(() => {
      process([...pending.values()]);
      pending.clear();
      const waitMs = settle();
      onWorked();
      return waitMs;
    });
  }

  function watchForBurst(): void {
    if (burst.size++ === 0) burst.seenUntil = seenUntil();
    if (burstTimer) burstTimer.refresh();
    else burstTimer = setTimeout(endBurst, burstOverMs).unref();
  }

  function endBurst(): void {
    const over = burst;
    burst = { size: 0, seenUntil: 0 };
    burstTimer = undefined;
    if (over.size >= burstSize) lookEverywhere(over.seenUntil);
  }

  /** Notifications may have been lost: nobody knows of which folders. */
  function lookEverywhere(until?: number): void {
    recovering = true;
    for (const folder of detector.folders()) scan(folder, until);
  }

  function hint(path: string, kind: HintKind, until?: number): void {
    // What is ignored takes room in the system's queue, too.
    if (kind !== "found") watchForBurst();
    if (!ignored(path)) note(path, kind, until);
  }

  function note(path: string, kind: HintKind, until = seenUntil()): void {
    const known = pending.get(path);
    const entry: Mutable<Hint> = known ?? { path, renames: 0, changed: false, seenUntil: until };
    if (kind === "rename") entry.renames++;
    if (kind === "found" || kind === "missing") entry.found = true;
    if (kind === "missing") entry.missing = true;
    if (kind === "change" && entry.changed) entry.changedAgain = true;
    if (kind === "change") entry.changed = true;
    if (!known) pending.set(path, entry);
    schedule();
  }

  /**
   * Checks a folder and each of its entries, in a later turn of the event loop. Not the folder above the watched one, which
   * chokidar lists while that is gone.
   */
  function scan(folder: string, until = seenUntil()): void {
    if (ignored(folder)) return;
    note(folder, "found", until);
    unread.set(folder, Math.min(until, unread.get(folder) ?? Infinity));
    schedule();
  }

  /** chokidar stays with a deleted folder if the new one in its place has its inode and an entry of its own name. */
  function watchUndecided(): void {
    decisionTimer = undefined;
    for (const [folder, since] of undecided) {
      if (performance.now() - since < decidedAfterMs) continue;
      undecided.delete(folder);
      if (!namesIn(folder)?.includes(basename(folder))) continue;
      replaced.add(folder);
      onUnwatched(folder);
    }
    if (undecided.size > 0) decideLater();
  }

  function decideLater(): void {
    decisionTimer ??= setTimeout(attempt, decidedAfterMs, watchUndecided).unref();
  }

  /** Accepts no more. */
  function finish(): void {
    finished = true;
    clearImmediate(turn);
    turn = undefined;
    clearTimeout(departureTimer);
    clearTimeout(burstTimer);
    clearTimeout(decisionTimer);
    unreadable.clear();
  }

  return {
    hint,
    scan,
    lookEverywhere,
    /** Checks again what could not be read. */
    readAgain(): void {
      for (const [path, until] of unreadable.entries()) scan(path, until);
    },
    /** For a folder that the system does not watch because it cannot be read. */
    unwatchedFolder: (folder: string) => unreadable.add(folder, seenUntil()),
    movedFolder: (from: string, to: string) => unreadable.moved(from, to),
    /**
     * Checks what is in a folder that took the place of another one: now, and again when it is watched. What comes into it
     * before that has no notification.
     */
    replacedFolder(folder: string): void {
      replaced.add(folder);
      undecided.set(folder, performance.now());
      decideLater();
      scan(folder);
    },
    /** For each folder that the system watches from now on, or anew. */
    watchedFolder(folder: string): void {
      if (replaced.delete(folder)) scan(folder);
    },
    /** Resolves when no hint is waiting. */
    idle: () => new Promise<void>((resolve) => (turn ? (onIdle = resolve) : resolve())),
    /** Processes what is pending. Returns the ms that renames wait for their second names, if any. */
    takeUp: () => takeUp(settleDepartures),
    /** Processes what is pending, without waiting for the second names of renames. */
    settle: () => void takeUp(() => detector.settleDepartures(true)),
    finish,
  };
}
