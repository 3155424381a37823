/** Notices changes of a folder's files and of one file beside it, whether they are there or not. */
import { statSync, unwatchFile, watchFile, type Stats } from "node:fs";

export interface Places {
  readonly folder: string;
  readonly file: string;
}

interface Options {
  /** Something may have changed; what, one has to look. */
  readonly onHint: () => void;
  readonly onError: (error: unknown) => void;
}

export interface PlacesWatch {
  /**
   * Looks whether the folder is there. To be called before the folder is read: one that has come and gone between two looks
   * would else be read and never missed.
   */
  readonly follow: () => void;
  close(): Promise<void>;
}

/** How soon a folder or a file that was not there is noticed. */
const pollIntervalMs = 500;

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * The folder is watched by the system while it is there. Whether it is there, and the single file, is looked up twice a
 * second: to be told, one would have to watch the data directory, where the database writes at every request.
 */
export function watchPlaces({ folder, file }: Places, { onHint, onError }: Options): PlacesWatch {
  let watcher: Promise<{ close(): Promise<void> }> | undefined;

  async function openWatcher() {
    const { watch } = await import("chokidar");
    const opened = watch(folder, { depth: 0, ignoreInitial: true, atomic: false });
    opened.on("all", onHint).on("error", onError);
    // It is gone: when it comes back, it is another one.
    opened.on("unlinkDir", (path) => {
      if (path === folder) closeWatcher().catch(onError);
    });
    // What came between the last look and the first watch.
    opened.on("ready", onHint);
    return opened;
  }
  async function closeWatcher(): Promise<void> {
    const open = watcher;
    watcher = undefined;
    await (await open?.catch(() => undefined))?.close();
  }
  function follow(): void {
    const there = isFolder(folder);
    if (there === (watcher !== undefined)) return;
    if (there) {
      watcher = openWatcher();
      watcher.catch(onError);
    } else closeWatcher().catch(onError);
  }

  const onFolder = (now: Stats, before: Stats) => {
    // A folder of the same name in the place of the one that is watched; it may even have got its number.
    const another = now.ino !== before.ino || now.birthtimeMs !== before.birthtimeMs;
    if (another && watcher !== undefined) closeWatcher().then(follow).catch(onError);
    else follow();
    onHint();
  };
  watchFile(folder, { interval: pollIntervalMs, persistent: false }, onFolder);
  watchFile(file, { interval: pollIntervalMs, persistent: false }, onHint);
  follow();

  return {
    follow,
    async close() {
      unwatchFile(folder, onFolder);
      unwatchFile(file, onHint);
      await closeWatcher();
    },
  };
}
