/** Watches a folder and one file beside it, whether they exist or not. */
import { statSync, unwatchFile, watchFile, type Stats } from "node:fs";

export interface Places {
  readonly folder: string;
  readonly file: string;
}

interface Options {
  /** Called after a possible change; the caller must look what changed. */
  readonly onHint: () => void;
  readonly onError: (error: unknown) => void;
}

export interface PlacesWatch {
  /**
   * Checks whether the folder exists. Must be called before the folder is read; otherwise a folder that appears and
   * vanishes between two checks would stay loaded.
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
  function follow(): void {
    const there = isFolder(folder);
    if (there === (watcher !== undefined)) return;
    if (there) {
      watcher = openWatcher();
      watcher.catch(onError);
    } else closeWatcher().catch(onError);
  }

  const onFolder = (now: Stats, before: Stats) => {
    // Another folder replaced the watched one; it may even have the same inode number.
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
