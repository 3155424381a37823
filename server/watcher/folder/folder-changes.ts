/**
 * Watches one folder and everything below it. chokidar maintains the system's watches on every folder, old and new; its
 * notifications are only hints for the change detector.
 */
import { join, sep } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { prefixBelow } from "../../file-system/compare-paths.ts";
import { createCatchUp, type CatchUp } from "../detection/catch-up.ts";
import { ChangeDetector, type Change } from "../detection/change-detector.ts";
import type { Exclusion } from "../excluded/exclude-patterns.ts";
import { hasFacts, identityOf, readFacts } from "../detection/file-facts.ts";
import { FolderTreeWatcher } from "./folder-tree-watcher.ts";
import { HintCollector } from "./hint-collector.ts";
import type { TreeNode } from "../detection/snapshot-tree.ts";
import { createStepClock } from "./step-clock.ts";
import { noteOf, type TreeNote } from "../journal/tree-notes.ts";
import { namesIn } from "./unreadable-places.ts";
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
  /** Called with an error that nothing expects. Nothing is reported any more. */
  readonly onFailed: (error: Error) => void;
}

/** Linux names every entry that changes, once per change. */
const exact = process.platform === "linux";

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
  readonly #watcher: FolderTreeWatcher;
  readonly #clock = createStepClock();
  /** Whether the folder is not the one that the last run watched. */
  readonly #isOther: boolean;
  #changes: Change[] = [];
  #notes: TreeNote[] = [];
  #hasStarted = false;
  #refused: Error | undefined;
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
    this.#watcher = this.#createWatcher();
  }

  /**
   * Resolves once every later change will be seen.
   * @throws Error naming the folder when it exceeds what the system can watch.
   */
  async start(): Promise<void> {
    const { dir, onError, onOtherFolder } = this.#options;
    try {
      await untilReady(this.#watcher, dir);
      this.#watcher.on("error", (error) => onError(explain(error, dir)));
      await this.#collector.idle();
      if (this.#refused) throw this.#refused;
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.#detector.started();
    this.#hasStarted = true;
    if (this.#isOther) onOtherFolder();
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
    return false;
  }

  /** Reports what has happened until now. */
  async settle(): Promise<void> {
    await notificationsRead();
    const waitMs = this.#collector.takeUp();
    if (waitMs === undefined) return;
    // A scan can find a renamed entry gone before the notification of the rename arrives.
    await setTimeout(waitMs);
    await notificationsRead();
    this.#collector.settle();
  }

  /** Reports nothing more. */
  async stop(): Promise<void> {
    this.#collector.finish();
    this.#clock.stop();
    await this.#watcher.close();
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
      report: ({ path, ev }) => this.#changes.push({ path: this.#view(path), ev }),
      note: (path, facts) => this.#notes.push(noteOf(this.#inside(path), facts)),
      onReplaced: (folder) => this.#collector.replacedFolder(folder),
      onMoved: (from, to) => this.#collector.movedFolder(from, to),
      catchUp,
      now: () => performance.now(),
      date: () => Date.now(),
      exact,
    });
  }

  #createCollector(): HintCollector {
    const { root, exclusion, onError, onMended, onFailed } = this.#options;
    const detector = this.#detector;
    return new HintCollector({
      root,
      detector,
      hasLeft: () => this.#hasLeft(),
      ignored: (path) => this.#isIgnored(path),
      ignoredEach: (paths) => exclusion.hasEach(paths.map(this.#view)),
      seenUntil: this.#clock.seenUntil,
      onWorked: () => this.#report(),
      onRecovered: () => this.#watcher.addMissing(detector.folders()),
      onUnreadable: (path) => onError(this.#unreadable(path)),
      onReadable: (path) => onMended?.(this.#unreadable(path)),
      onUnwatched: (folder) => this.#watcher.watchAnew(folder),
      onFailed: (error) => (this.#hasStarted ? onFailed(error) : (this.#refused = error)),
    });
  }

  #createWatcher(): FolderTreeWatcher {
    const { root } = this.#options;
    const watcher = new FolderTreeWatcher(root, {
      ignored: (path) => this.#isIgnored(path),
      isFolder: (path) => this.#detector.isFolder(path),
      onListing: (folder) => {
        if (folder === root) this.#followRoot();
        this.#collector.watchedFolder(folder);
      },
      onUnreadable: (folder) => this.#collector.unwatchedFolder(folder),
    });
    watcher.on("raw", (kind, name, details) => {
      const { watchedPath } = details as { watchedPath: string };
      // No name: the system's queue overflowed.
      if (name === null) this.#collector.scanAll();
      else this.#collector.hint(join(watchedPath, name), kind === "rename" ? "rename" : "change");
    });
    // chokidar emits this just before it sets the folder's own watch. The scan runs in a later turn, so it misses no
    // change.
    watcher.on("addDir", (folder) => {
      if (folder === root) this.#detector.lookAtRoot();
      this.#collector.scan(folder);
    });
    return watcher;
  }

  #report(): void {
    // A start that fails reports no changes: the next one does.
    if (!this.#hasStarted) return;
    if (this.#changes.length > 0 || this.#notes.length > 0) this.#options.report(this.#changes, this.#notes);
    this.#changes = [];
    this.#notes = [];
  }

  /**
   * chokidar stays with the old folder if another one is in its place before chokidar looks. A folder that is moved or
   * deleted makes chokidar list its path.
   */
  #followRoot(): void {
    if (this.#detector.lookAtRoot()) this.#watcher.renew();
  }

  #hasLeft(): boolean {
    return (this.#isLeft ||= leadsElsewhere(this.#options.dir, this.#options.root));
  }

  /** If the folder itself is gone, chokidar waits for it in its parent, whose other entries are not part of the watch. */
  #isIgnored(path: string): boolean {
    const { root, exclusion } = this.#options;
    return path !== root && (!path.startsWith(this.#below) || exclusion.has(this.#view(path)));
  }

  #inside(path: string): string {
    return sep + path.slice(this.#below.length);
  }

  #unreadable(path: string): Error {
    return new Error(
      `${this.#view(path)} cannot be read, so that its changes are told only once it can be: let Hearth read it`,
    );
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

function untilReady(watcher: FolderTreeWatcher, dir: string): Promise<void> {
  return new Promise((resolve, reject) => {
    watcher.once("ready", () => {
      watcher.off("error", refuse);
      resolve();
    });
    const refuse = (error: unknown) => reject(explain(error, dir));
    watcher.on("error", refuse);
  });
}

function explain(error: unknown, dir: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== "ENOSPC" && code !== "EMFILE") return new Error(`${dir}: ${message}`, { cause: error });
  return new Error(
    `${dir}: the system allows no more watched folders; exclude some (--exclude) or raise ` +
      (code === "ENOSPC" ? "fs.inotify.max_user_watches" : "fs.inotify.max_user_instances or the limit of open files"),
    { cause: error },
  );
}
