/**
 * Collects the hints of one turn of the event loop and passes them to the detector together, so that both names of a
 * rename are checked in one batch.
 */
import { join } from "node:path";
import { prefixBelow } from "../../file-system/compare-paths.ts";
import type { ChangeDetector } from "../detection/change-detector.ts";
import type { Hint } from "../detection/hint.ts";
import { createUnreadablePlaces, namesIn } from "./unreadable-places.ts";

/** This many hints without a pause may have overflowed the system's queue, which then drops notifications silently. */
const burstSize = 2_000;
const burstOverMs = 200;
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
  readonly detector: Pick<ChangeDetector, "process" | "settleDepartures" | "folders" | "start">;
  /** Makes sure that the system watches the folder that is at this path now. */
  readonly watch: (folder: string) => void;
  /** Whether the watch has ended because its path leads elsewhere: no path is checked any more. */
  readonly hasLeft: () => boolean;
  /** Paths that are not checked. */
  readonly ignored: (path: string) => boolean;
  /** `ignored` for each of many entries of a folder. */
  readonly ignoredEach: (paths: readonly string[]) => boolean[];
  /** Everything before this moment (ms since 1970) has already produced its hint. */
  readonly seenUntil: () => number;
  /** Called after each batch. */
  readonly onWorked: () => void;
  /** Called once for the outermost folder or file that cannot be read, and once it can be read again. */
  readonly onUnreadable: (path: string) => void;
  readonly onReadable: (path: string) => void;
  /** Called with an error that nothing expects. No hint is accepted any more. */
  readonly onFailed: (error: Error) => void;
}

/**
 * Collects hints from notifications and scans. Each is in one of these states:
 *
 * | state | ends |
 * |---|---|
 * | pending: a path to check | in the next turn of the event loop, at most `entriesPerSlice` in one turn |
 * | unread: a folder to scan | with them; its entries become pending |
 * | unreadable | with `readAgain`, or a scan of a folder above it, once it can be read |
 *
 * `finish` ends all of them, and so does an error that nothing expects.
 */
export class HintCollector {
  readonly #deps: HintCollectorDeps;
  readonly #pending = new Map<string, Mutable<Hint>>();
  /** Folders to scan, and the moment before which everything in them has been seen. */
  readonly #unread = new Map<string, number>();
  readonly #unreadable: ReturnType<typeof createUnreadablePlaces>;
  #burst = { size: 0, seenUntil: 0 };
  #burstTimer: NodeJS.Timeout | undefined;
  #departureTimer: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;
  #finished = false;
  #onIdle: (() => void) | undefined;

  constructor(deps: HintCollectorDeps) {
    this.#deps = deps;
    this.#unreadable = createUnreadablePlaces(deps);
  }

  hint(path: string, kind: HintKind, until?: number): void {
    // An ignored path takes room in the system's queue, too.
    if (kind !== "found") this.#watchForBurst();
    if (!this.#deps.ignored(path)) this.#note(path, kind, until);
  }

  /**
   * Checks a folder and each of its entries, in a later turn of the event loop, once the system watches it: no change falls
   * between the two.
   */
  scan(folder: string, until = this.#deps.seenUntil()): void {
    if (this.#deps.ignored(folder)) return;
    this.#note(folder, "found", until);
    this.#unread.set(folder, Math.min(until, this.#unread.get(folder) ?? Infinity));
    this.#schedule();
  }

  /** Scans all folders: notifications may have been lost, and it is unknown of which folders. */
  scanAll(until?: number): void {
    for (const folder of this.#deps.detector.folders()) this.scan(folder, until);
  }

  /** Checks again what could not be read. */
  readAgain(): void {
    for (const [path, until] of this.#unreadable.entries()) this.scan(path, until);
  }

  movedFolder(from: string, to: string): void {
    this.#unreadable.moved(from, to);
  }

  /** Resolves when no hint is waiting. */
  idle(): Promise<void> {
    return new Promise((resolve) => (this.#turn ? (this.#onIdle = resolve) : resolve()));
  }

  /** Processes what is pending. Returns the ms that renames wait for their second names, if any. */
  takeUp(): number | undefined {
    return this.#takeUp(() => this.#settleDepartures());
  }

  /** Processes what is pending, without waiting for the second names of renames. */
  settle(): void {
    this.#takeUp(() => (this.#deps.hasLeft() ? undefined : this.#deps.detector.settleDepartures(true)));
  }

  /** Accepts no more. */
  finish(): void {
    this.#finished = true;
    clearImmediate(this.#turn);
    this.#turn = undefined;
    clearTimeout(this.#departureTimer);
    clearTimeout(this.#burstTimer);
    this.#unreadable.clear();
  }

  #note(path: string, kind: HintKind, until = this.#deps.seenUntil()): void {
    const known = this.#pending.get(path);
    const entry: Mutable<Hint> = known ?? { path, renames: 0, changed: false, seenUntil: until };
    if (kind === "rename") entry.renames++;
    if (kind === "found" || kind === "missing") entry.found = true;
    if (kind === "missing") entry.missing = true;
    if (kind === "change" && entry.changed) entry.changedAgain = true;
    if (kind === "change") entry.changed = true;
    if (!known) this.#pending.set(path, entry);
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#finished) this.#turn ??= setImmediate(() => this.#attempt(() => this.#work()));
  }

  /** Timers call it: an error that left it would end the process, with everything else that runs there. */
  #attempt<Result>(step: () => Result): Result | undefined {
    if (this.#finished) return undefined;
    try {
      return step();
    } catch (error) {
      this.finish();
      this.#deps.onFailed(error as Error);
      this.#onIdle?.();
      return undefined;
    }
  }

  #work(): void {
    this.#turn = undefined;
    let entries = 0;
    for (const [folder, until] of this.#unread) {
      if (entries + this.#pending.size >= entriesPerSlice) break;
      entries += this.#readFolder(folder, until);
    }
    const hints = [...this.#pending.values()].slice(0, entriesPerSlice);
    for (const { path } of hints) this.#pending.delete(path);
    this.#process(hints);
    // A rename's second name may be among the paths that are still unchecked.
    if (this.#pending.size > 0 || this.#unread.size > 0) this.#schedule();
    else this.#settleDepartures();
    this.#deps.onWorked();
    if (!this.#turn) this.#onIdle?.();
  }

  #process(hints: readonly Hint[]): void {
    if (this.#deps.hasLeft()) return;
    for (const { path, seenUntil } of this.#deps.detector.process(hints)) this.#unreadable.add(path, seenUntil);
  }

  #takeUp(settle: () => number | undefined): number | undefined {
    return this.#attempt(() => {
      this.#process([...this.#pending.values()]);
      this.#pending.clear();
      const waitMs = settle();
      this.#deps.onWorked();
      return waitMs;
    });
  }

  /** Scans a folder. Returns how many of its entries are already checked. */
  #readFolder(folder: string, until: number): number {
    const { detector } = this.#deps;
    this.#unread.delete(folder);
    const isLearning = detector.start.learns(folder);
    this.#deps.watch(folder);
    const names = namesIn(folder);
    if (!names) {
      if (isLearning) detector.start.leaveUnlearned(folder);
      this.#unreadable.add(folder, until);
      return 0;
    }
    const unseenSince = this.#unreadable.remove(folder);
    if (unseenSince !== undefined) this.#scanBelow(folder, unseenSince);
    // Missing names come first: a renamed file's old name departs before its new name, perhaps in a later batch, arrives.
    const listed = new Set(names);
    const gone = [...new Set(detector.start.entries(folder))].filter((name) => !listed.has(name));
    const all = [...gone, ...names];
    const isIgnored = this.#deps.ignoredEach(all.map((name) => join(folder, name)));
    for (const [at, name] of all.entries()) {
      const path = join(folder, name);
      const isListed = at >= gone.length;
      if (isIgnored[at] === true) detector.start.leaveOut(path);
      else if (isLearning) detector.start.learn(path, name, isListed);
      else this.#note(path, isListed ? "found" : "missing", until);
    }
    return isLearning ? names.length : 0;
  }

  /** Scans the folders below one that can be read again: changes there were not seen, nor were they watched. */
  #scanBelow(folder: string, until: number): void {
    const below = prefixBelow(folder);
    for (const inner of this.#deps.detector.folders())
      if (inner !== folder && inner.startsWith(below)) this.scan(inner, until);
  }

  /** Returns the ms that renames still wait for their second names. */
  #settleDepartures(): number | undefined {
    clearTimeout(this.#departureTimer);
    const waitMs = this.#deps.hasLeft() ? undefined : this.#deps.detector.settleDepartures();
    if (waitMs === undefined || this.#finished) return undefined;
    // In a delayed process, timers fire before the notifications are read: read them first.
    this.#departureTimer = setTimeout(() => setImmediate(() => this.#attempt(() => this.#settleLate())), waitMs);
    return waitMs;
  }

  #settleLate(): void {
    if (this.#turn) return;
    this.#settleDepartures();
    this.#deps.onWorked();
  }

  #watchForBurst(): void {
    if (this.#burst.size++ === 0) this.#burst.seenUntil = this.#deps.seenUntil();
    if (this.#burstTimer) this.#burstTimer.refresh();
    else this.#burstTimer = setTimeout(() => this.#endBurst(), burstOverMs).unref();
  }

  #endBurst(): void {
    const over = this.#burst;
    this.#burst = { size: 0, seenUntil: 0 };
    this.#burstTimer = undefined;
    if (over.size >= burstSize) this.scanAll(over.seenUntil);
  }
}
