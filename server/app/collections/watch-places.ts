/** Watches a folder and one file beside it, whether they exist or not. */
import { statSync, type Stats } from "node:fs";

export interface WatchedPlaces {
  readonly folder: string;
  readonly file: string;
}

interface Options {
  /** Links in the folder lead to what is watched as well: not those of a clone. */
  readonly followsLinks: boolean;
  /** Called after a possible change; the caller must look what changed. */
  readonly onHint: () => void;
  readonly onError: (error: unknown) => void;
}

export interface PlacesWatch {
  /**
   * Checks whether the folder exists, and returns that. Must be called before the folder is read: what is read of one that
   * was not there must be read again; otherwise a folder that appears and vanishes between two checks would stay loaded.
   */
  readonly follow: () => boolean;
  close(): Promise<void>;
}

/** How soon a folder or a file that was not there is noticed. */
const pollIntervalMs = 500;

/** The kind of entry at a path; undefined when nothing is there or it cannot be read. */
function lookUp(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Another folder may have replaced one; it may even have the same inode number. */
const isSame = (a: Stats | undefined, b: Stats | undefined) => a?.ino === b?.ino && a?.birthtimeMs === b?.birthtimeMs;
const isUnchanged = (a: Stats | undefined, b: Stats | undefined) =>
  isSame(a, b) && a?.size === b?.size && a?.mtimeMs === b?.mtimeMs && a?.ctimeMs === b?.ctimeMs;

/**
 * The folder is watched by the system while it is there. Whether it is there, and the single file, is looked up twice a
 * second: to be told, one would have to watch the data directory, where the database writes at every request. Both are
 * looked up in one turn and by this thread, because waking up threads costs an idle process more than the answer.
 */
export function watchPlaces({ folder, file }: WatchedPlaces, { followsLinks, onHint, onError }: Options): PlacesWatch {
  let watcher: Promise<{ close(): Promise<void> }> | undefined;

  async function openWatcher() {
    const { watch } = await import("chokidar");
    const opened = watch(folder, { depth: 0, followSymlinks: followsLinks, ignoreInitial: true, atomic: false });
    opened.on("all", onHint).on("error", onError);
    // The folder is gone. A new one of the same name needs a new watch.
    opened.on("unlinkDir", (path) => {
      if (path === folder) closeWatcher().catch(onError);
    });
    // Changes between the last check and the start of the watch.
    opened.on("ready", onHint);
    return opened;
  }
  async function closeWatcher(): Promise<void> {
    const open = watcher;
    watcher = undefined;
    await (await open?.catch(() => undefined))?.close();
  }
  function follow(): boolean {
    const there = lookUp(folder)?.isDirectory() === true;
    if (there === (watcher !== undefined)) return there;
    if (there) {
      watcher = openWatcher();
      watcher.catch(onError);
    } else closeWatcher().catch(onError);
    return there;
  }

  const lookAtBoth = () => ({ folder: lookUp(folder), file: lookUp(file) });
  let before = lookAtBoth();
  const timer = setInterval(() => {
    const [last, now] = [before, lookAtBoth()];
    before = now;
    if (isUnchanged(last.folder, now.folder) && isUnchanged(last.file, now.file)) return;
    if (isSame(last.folder, now.folder) || watcher === undefined) follow();
    else closeWatcher().then(follow).catch(onError);
    onHint();
  }, pollIntervalMs).unref();
  follow();

  return {
    follow,
    async close() {
      clearInterval(timer);
      await closeWatcher();
    },
  };
}
