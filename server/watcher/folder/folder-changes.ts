/**
 * Watches one folder and everything below it. The notifications of the system's watches are only hints for the change
 * detector.
 */
import { sep } from "node:path";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import { prefixBelow } from "../../file-system/compare-paths.ts";
import { createCatchUp, type CatchUp } from "../detection/catch-up.ts";
import { ChangeDetector } from "../detection/change-detector.ts";
import type { Exclusion } from "../excluded/exclude-patterns.ts";
import { hasFacts, identityOf, readFacts } from "../detection/file-facts.ts";
import { FolderWatches } from "./folder-watches.ts";
import { HintCollector } from "./hint-collector.ts";
import type { Change } from "../detection/map-event.ts";
import type { TreeNode } from "../detection/snapshot-tree.ts";
import { createStepClock } from "./step-clock.ts";
import { noteOf, type TreeNote } from "../journal/tree-notes.ts";
import { namesIn } from "./unreadable-places.ts";
import { WatchLimit, watchLimitError } from "./watch-limit.ts";
import { leadsElsewhere, viewFrom } from "./watched-path.ts";

/** The folder as the last run knew it. */
export interface LastPicture {
  readonly root: TreeNode;
  /** The exclusion of that run; undefined if it equals the present one. */
  readonly exclusion: Exclusion | undefined;
  /** The path led to another folder then. The differences between the two are reported. */
  readonly isElsewhere?: true;
}

export interface FolderChangesOptions {
  /** Absolute path of the folder, under which changes are reported, and the path that it resolves to. */
  readonly dir: string;
  readonly root: string;
  /** Paths that are neither reported nor descended into. */
  readonly exclusion: Exclusion;
  /** Changes since this snapshot are reported before anything new. */
  readonly lastPicture: LastPicture | undefined;
  /** Receives changes, and how they change the snapshot for the next run. */
  readonly report: (changes: readonly Change[], notes: readonly TreeNote[]) => void;
  /** Called if the path now leads to another folder. Changes since the last run are then not reported. */
  readonly onOtherFolder: () => void;
  readonly onError: (error: Error) => void;
  /** Called once an earlier error, named by its message, is over. */
  readonly onMended?: ((error: Error) => void) | undefined;
  /** Called with the number of folders that the system does not let Hearth watch, after the error about the first of them. */
  readonly onUnwatched: (folders: number) => void;
  /** Called with an error that nothing expects. Nothing is reported any more. */
  readonly onFailed: (error: Error) => void;
}

/** Linux names every entry that changes, once per change. */
const exact = process.platform === "linux";

/** How soon the watched folder is noticed that was gone and is back. */
const rootBackMs = 100;

/** The notifications of one turn of the event loop are read in the next: this turn may be past its reading. */
async function notificationsRead(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/**
 * The changes of one folder.
 *
 * | state | changes are | ends |
 * |---|---|---|
 * | starting | collected | with everything scanned, or by an error, after which the next run reports them |
 * | started | reported | with `stop`, an error that nothing expects, or when the path leads elsewhere |
 * | left: the path led elsewhere | neither collected nor reported | never, also if the path leads back |
 */
export class FolderChanges {
  readonly #options: FolderChangesOptions;
  readonly #below: string;
  readonly #view: (path: string) => string;
  readonly #detector: ChangeDetector;
  readonly #collector: HintCollector;
  readonly #watches: FolderWatches;
  readonly #clock = createStepClock();
  /** Whether the folder is not the one that the last run watched. */
  readonly #isOther: boolean;
  #changes: Change[] = [];
  #notes: TreeNote[] = [];
  #hasStarted = false;
  #refused: Error | undefined;
  #rootTimer: NodeJS.Timeout | undefined;
  readonly #limit: WatchLimit;
  /** The system's latest refusal of a watch. */
  #refusal: NodeJS.ErrnoException | undefined;
  #isLeft = false;

  constructor(options: FolderChangesOptions) {
    const { dir, root, lastPicture } = options;
    this.#options = options;
    this.#below = prefixBelow(root);
    this.#view = viewFrom(dir, root);
    const known = lastPicture && readFacts(root);
    const isSameFolder = hasFacts(known) && lastPicture && identityOf(known) === identityOf(lastPicture.root.facts);
    const isFollowed = isSameFolder || lastPicture?.isElsewhere === true;
    this.#isOther = hasFacts(known) && !isFollowed;
    if (hasFacts(known) && lastPicture?.isElsewhere) this.#notes.push(noteOf(this.#inside(root), known));
    this.#detector = this.#createDetector(lastPicture && isFollowed ? this.#catchUp(lastPicture) : undefined);
    this.#collector = this.#createCollector();
    this.#watches = this.#createWatches();
    this.#limit = new WatchLimit(options);
  }

  /**
   * Resolves once every later change will be seen.
   * @throws Error naming the folder when it exceeds what the system can watch.
   */
  async start(): Promise<void> {
    this.#collector.scan(this.#options.root);
    await this.#collector.idle();
    const refused = this.#refused ?? (this.#watches.refused > 0 ? this.#explainLimit() : undefined);
    if (refused) {
      this.stop();
      throw refused;
    }
    this.#detector.start.end();
    this.#hasStarted = true;
    if (this.#isOther) this.#options.onOtherFolder();
    this.#report();
  }

  /** The snapshot for the next run: everything known, without the changes that are not reported yet. */
  *picture(): Iterable<TreeNote> {
    for (const [path, { facts }] of this.#detector.known()) yield noteOf(this.#inside(path), facts);
  }

  /** How many files are known. */
  files(): number {
    let files = 0;
    for (const [, { facts }] of this.#detector.known()) if (facts.kind !== "directory") files++;
    return files;
  }

  /**
   * Looks for changes without a notification: another folder in the place of the watched one, or an entry that can be read
   * again. Returns whether the path leads elsewhere: no more is reported then, and the snapshot stays as it was.
   */
  look(): boolean {
    if (this.#hasLeft()) return true;
    this.#followRoot();
    this.#collector.readAgain();
    for (const folder of this.#watches.retry()) this.#collector.scan(folder);
    this.#limit.update(this.#watches.refused, () => this.#explainLimit());
    return false;
  }

  /** Reports what has happened until now. */
  async settle(): Promise<void> {
    await notificationsRead();
    const waitMs = this.#collector.takeUp();
    if (waitMs === undefined) return;
    // A scan can find a renamed entry gone before the notification of the rename arrives.
    await wait(waitMs);
    await notificationsRead();
    this.#collector.settle();
  }

  /** Ends the watch. */
  stop(): void {
    this.#collector.finish();
    this.#clock.stop();
    clearTimeout(this.#rootTimer);
    this.#watches.close();
  }

  #catchUp(last: LastPicture): CatchUp {
    const { root, exclusion } = this.#options;
    return createCatchUp({
      path: root,
      root: last.root,
      isExcluded: (path) => last.exclusion !== undefined && exclusion.has(this.#view(path)),
      wasExcluded: (path) => last.exclusion?.has(this.#view(path)) === true,
      isElsewhere: last.isElsewhere === true,
    });
  }

  #createDetector(catchUp: CatchUp | undefined): ChangeDetector {
    return new ChangeDetector({
      root: this.#options.root,
      readFacts,
      namesIn,
      report: (change) => this.#changes.push({ ...change, path: this.#view(change.path) }),
      note: (path, facts) => this.#notes.push(noteOf(this.#inside(path), facts)),
      onFolder: (folder) => this.#collector.scan(folder),
      onMoved: (from, to) => {
        this.#collector.movedFolder(from, to);
        this.#watches.move(from, to);
      },
      onGone: (folder) => this.#watches.drop(folder),
      catchUp,
      now: () => performance.now(),
      date: () => Date.now(),
      exact,
    });
  }

  #createCollector(): HintCollector {
    const { root, exclusion, onError, onMended, onFailed } = this.#options;
    return new HintCollector({
      root,
      detector: this.#detector,
      watch: (folder) => this.#watches.set(folder),
      hasLeft: () => this.#hasLeft(),
      ignored: (path) => this.#isIgnored(path),
      ignoredEach: (paths) => exclusion.hasEach(paths.map(this.#view)),
      seenUntil: this.#clock.seenUntil,
      onWorked: () => this.#report(),
      onUnreadable: (path) => onError(this.#unreadable(path)),
      onReadable: (path) => onMended?.(this.#unreadable(path)),
      onFailed: (error) => (this.#hasStarted ? onFailed(error) : (this.#refused = error)),
    });
  }

  #createWatches(): FolderWatches {
    const { root } = this.#options;
    return new FolderWatches({
      root,
      onChange: (path, kind) => this.#collector.hint(path, kind),
      onOverflow: () => this.#collector.scanAll(),
      onDisplaced: (folder) => (folder === root ? this.#followRoot() : this.#collector.scan(folder)),
      onRefused: (error) => (this.#refusal = error),
    });
  }

  #report(): void {
    // A start that fails reports no changes: the next one does.
    if (!this.#hasStarted) return;
    if (this.#changes.length > 0 || this.#notes.length > 0) this.#options.report(this.#changes, this.#notes);
    this.#changes = [];
    this.#notes = [];
  }

  /** Follows the path of the folder: another folder may be there, or the folder is gone, until one is there again. */
  #followRoot(): void {
    const { root } = this.#options;
    const wasMissing = this.#rootTimer !== undefined;
    clearTimeout(this.#rootTimer);
    this.#rootTimer = undefined;
    if (this.#hasLeft()) return;
    const isReplaced = this.#detector.lookAtRoot();
    const facts = readFacts(root);
    const isMissing = facts === undefined || (hasFacts(facts) && facts.kind !== "directory");
    if (isMissing) this.#rootTimer = setTimeout(() => this.#followRoot(), rootBackMs).unref();
    else if (wasMissing) this.#collector.scanAll();
    else if (isReplaced) this.#collector.scan(root);
  }

  #hasLeft(): boolean {
    return (this.#isLeft ||= leadsElsewhere(this.#options.dir, this.#options.root));
  }

  #isIgnored(path: string): boolean {
    const { root, exclusion } = this.#options;
    return path !== root && (!path.startsWith(this.#below) || exclusion.has(this.#view(path)));
  }

  #inside(path: string): string {
    return sep + path.slice(this.#below.length);
  }

  #explainLimit(): Error {
    const { dir } = this.#options;
    return watchLimitError(dir, this.#refusal ?? new Error("refused"), this.#detector.folders().length);
  }

  #unreadable(path: string): Error {
    return new Error(`${this.#view(path)} cannot be read, so its changes are not reported: let Hearth read it`);
  }
}

/**
 * Starts watching.
 * @throws Error naming the folder when it exceeds what the system can watch.
 */
export async function watchFolder(options: FolderChangesOptions): Promise<FolderChanges> {
  const folder = new FolderChanges(options);
  await folder.start();
  return folder;
}
