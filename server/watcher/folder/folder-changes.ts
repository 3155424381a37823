/**
 * Watches one folder and everything below it. chokidar maintains the system's watches on every folder, old and new; its
 * notifications are only hints for the change detector.
 */
import { join, sep } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { prefixBelow } from "../../file-system/compare-paths.ts";
import { createCatchUp } from "../detection/catch-up.ts";
import { createChangeDetector, type Change } from "../detection/change-detector.ts";
import type { Exclusion } from "../excluded/exclude-patterns.ts";
import { hasFacts, identityOf, readFacts } from "../detection/file-facts.ts";
import { FolderTreeWatcher } from "./folder-tree-watcher.ts";
import { createHintCollector } from "./hint-collector.ts";
import type { TreeNode } from "../detection/snapshot-tree.ts";
import { createStepClock } from "./step-clock.ts";
import { noteOf, type TreeNote } from "../journal/tree-notes.ts";
import { namesIn } from "./unreadable-places.ts";
import { leadsElsewhere, viewFrom } from "./watched-path.ts";

/** What the last run knew about the folder. */
export interface LastPicture {
  readonly root: TreeNode;
  /** What that run excluded; undefined if it equals what is excluded now. */
  readonly exclusion: Exclusion | undefined;
  /** The path led to another folder then. How this one differs from it is reported. */
  readonly isElsewhere?: true;
}

export interface FolderChangesOptions {
  /** Absolute path of the folder, under which changes are reported, and the path that it resolves to. */
  readonly dir: string;
  readonly root: string;
  /** What is neither reported nor descended into. */
  readonly exclusion: Exclusion;
  /** Changes since this snapshot are reported before anything new. */
  readonly lastPicture: LastPicture | undefined;
  /** Receives changes, and how they change the snapshot for the next run. */
  readonly report: (changes: readonly Change[], notes: readonly TreeNote[]) => void;
  /** Called if the path now leads to another folder. Changes since the last run are then not reported. */
  readonly onOtherFolder: () => void;
  readonly onError: (error: Error) => void;
  /** Called with an error of before, by its message, that is none any more. */
  readonly onMended?: ((error: Error) => void) | undefined;
  /** Called with an error that nothing expects. Nothing is reported any more. */
  readonly onFailed: (error: Error) => void;
}

/** Linux names every entry that changes, once per change. */
const exact = process.platform === "linux";

export interface FolderChanges {
  /** The snapshot for the next run: everything known, without the changes that are not reported yet. */
  picture(): Iterable<TreeNote>;
  /** How many files are known. */
  files(): number;
  /**
   * Looks for what nothing tells: another folder in the place of the watched one, what can be read again. Returns whether
   * the path leads elsewhere: nothing more is reported then, and the snapshot stays what was.
   */
  look(): boolean;
  /** Reports what has happened until now. */
  settle(): Promise<void>;
  /** Reports nothing more. */
  stop(): Promise<void>;
}

/**
 * Starts watching. Resolves once every later change will be seen.
 * @throws Error naming the folder when it exceeds what the system can watch.
 */
export async function watchFolder({
  dir,
  root,
  exclusion,
  lastPicture,
  report,
  onOtherFolder,
  onError,
  onMended,
  onFailed,
}: FolderChangesOptions): Promise<FolderChanges> {
  const view = viewFrom(dir, root);
  const below = prefixBelow(root);
  const inside = (path: string) => sep + path.slice(below.length);
  let changes: Change[] = [];
  let notes: TreeNote[] = [];
  const unreadable = (path: string) =>
    new Error(`${view(path)} cannot be read, so that its changes are told only once it can be: let Hearth read it`);
  const known = lastPicture && readFacts(root);
  const isSameFolder = hasFacts(known) && lastPicture && identityOf(known) === identityOf(lastPicture.root.facts);
  const isFollowed = isSameFolder || lastPicture?.isElsewhere;
  if (hasFacts(known) && lastPicture?.isElsewhere) notes.push(noteOf(inside(root), known));
  const catchUp =
    lastPicture && isFollowed
      ? createCatchUp({
          path: root,
          root: lastPicture.root,
          isExcluded: (path) => lastPicture.exclusion !== undefined && exclusion.has(view(path)),
          wasExcluded: (path) => lastPicture.exclusion?.has(view(path)) === true,
          isElsewhere: lastPicture.isElsewhere === true,
        })
      : undefined;
  const detector = createChangeDetector({
    root,
    readFacts,
    namesIn,
    report: ({ path, ev }) => changes.push({ path: view(path), ev }),
    note: (path, facts) => notes.push(noteOf(inside(path), facts)),
    onReplaced: (folder) => collector.replacedFolder(folder),
    onMoved: (from, to) => collector.movedFolder(from, to),
    catchUp,
    now: () => performance.now(),
    date: () => Date.now(),
    exact,
  });
  let hasStarted = false;
  let refused: Error | undefined;
  const hand = () => {
    // Nothing is told of a start that fails: the next one tells it.
    if (!hasStarted) return;
    if (changes.length > 0 || notes.length > 0) report(changes, notes);
    changes = [];
    notes = [];
  };
  // If the folder itself is gone, chokidar waits for it in its parent, whose other entries are not part of the watch.
  const ignored = (path: string) => path !== root && (!path.startsWith(below) || exclusion.has(view(path)));
  let isLeft = false;
  /** For good, also if the path leads back: what happened meanwhile was not taken up. */
  const hasLeft = () => (isLeft ||= leadsElsewhere(dir, root));
  const clock = createStepClock();
  const collector = createHintCollector({
    root,
    detector: {
      ...detector,
      process: (hints) => (hasLeft() ? [] : detector.process(hints)),
      settleDepartures: (everything) => (hasLeft() ? undefined : detector.settleDepartures(everything)),
    },
    ignored,
    ignoredEach: (paths) => exclusion.hasEach(paths.map(view)),
    seenUntil: clock.seenUntil,
    onWorked: hand,
    onRecovered: () => watcher.addMissing(detector.folders()),
    onUnreadable: (path) => onError(unreadable(path)),
    onReadable: (path) => onMended?.(unreadable(path)),
    onUnwatched: (folder) => watcher.watchAnew(folder),
    onFailed(error) {
      if (hasStarted) onFailed(error);
      else refused = error;
    },
  });
  /**
   * chokidar stays with the old folder if another one is in its place before chokidar looks. A folder that is moved or
   * deleted makes chokidar list its path.
   */
  const followRoot = () => {
    if (detector.lookAtRoot()) watcher.renew();
  };
  const watcher = new FolderTreeWatcher(root, {
    ignored,
    isFolder: detector.isFolder,
    onListing(folder) {
      if (folder === root) followRoot();
      collector.watchedFolder(folder);
    },
    onUnreadable: (folder) => collector.unwatchedFolder(folder),
  });
  watcher.on("raw", (kind, name, details) => {
    const { watchedPath } = details as { watchedPath: string };
    // No name: the system's queue overflowed.
    if (name === null) collector.lookEverywhere();
    else collector.hint(join(watchedPath, name), kind === "rename" ? "rename" : "change");
  });
  // chokidar emits this just before it sets up the folder's own watch. The scan runs in a later turn, so it misses
  // nothing.
  watcher.on("addDir", (folder) => {
    if (folder === root) detector.lookAtRoot();
    collector.scan(folder);
  });
  try {
    await untilReady(watcher, dir);
    watcher.on("error", (error) => onError(explain(error, dir)));
    await collector.idle();
    if (refused) throw refused;
  } catch (error) {
    clock.stop();
    collector.finish();
    await watcher.close();
    throw error;
  }
  detector.started();
  hasStarted = true;
  if (hasFacts(known) && !isFollowed) onOtherFolder();
  hand();

  /** The notifications of one turn are read in the next: this one may be past its reading. */
  async function notificationsRead(): Promise<void> {
    await setImmediate();
    await setImmediate();
  }
  async function settle(): Promise<void> {
    await notificationsRead();
    const waitMs = collector.takeUp();
    if (waitMs === undefined) return;
    // A look can find a renamed entry gone before the rename itself is told.
    await setTimeout(waitMs);
    await notificationsRead();
    collector.settle();
  }
  return {
    settle,
    *picture() {
      for (const [path, { facts }] of detector.known()) yield noteOf(inside(path), facts);
    },
    files() {
      let files = 0;
      for (const [, { facts }] of detector.known()) if (facts.kind !== "directory") files++;
      return files;
    },
    look() {
      if (hasLeft()) return true;
      followRoot();
      collector.readAgain();
      return false;
    },
    async stop() {
      collector.finish();
      clock.stop();
      await watcher.close();
    },
  };
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
