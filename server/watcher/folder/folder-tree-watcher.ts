/**
 * chokidar, reduced to its folder watches: it keeps one system watch on every folder of a tree, old and new, and forwards
 * the notifications (`raw`). It does not check the files: checking each of them as well, for all folders at
 * once, took half a gigabyte for 100,000 files.
 */
import { FSWatcher } from "chokidar";
import type { Stats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";

type Scan = FSWatcher["createScanStream"];
type ScanOptions = NonNullable<Parameters<Scan>[1]>;
type EntryFilter = (entry: { path: string; fullPath: string; basename: string; stats: Stats }) => boolean;

async function* foldersIn(parent: string, wanted: EntryFilter) {
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const fullPath = join(parent, entry.name);
    const stats = await lstat(fullPath).catch(() => undefined);
    const found = stats && { path: entry.name, fullPath, basename: entry.name, stats, dirent: entry };
    if (found && wanted(found)) yield found;
  }
}

interface Deps {
  readonly ignored: (path: string) => boolean;
  /** Whether the path is a folder, or was one when last checked. Called per notification: must be fast. */
  readonly isFolder: (path: string) => boolean;
  /** Called with a folder before it is listed, which happens once its system watch is set. */
  readonly onListing: (folder: string) => void;
  /** Called with a folder that cannot be watched because it cannot be read. */
  readonly onUnreadable: (folder: string) => void;
}

export class FolderTreeWatcher extends FSWatcher {
  readonly #root: string;
  readonly #isFolder: Deps["isFolder"];
  readonly #onListing: Deps["onListing"];
  readonly #onUnreadable: Deps["onUnreadable"];
  /** Folders that chokidar knows and lists, but that have no system watch. */
  readonly #unwatchable = new Set<string>();

  constructor(root: string, deps: Deps) {
    super({
      atomic: false,
      followSymlinks: false,
      ignorePermissionErrors: true,
      ignored: (path, stats) => (stats !== undefined && !stats.isDirectory()) || deps.ignored(path),
    });
    this.#root = root;
    this.#isFolder = deps.isFolder;
    this.#onListing = deps.onListing;
    this.#onUnreadable = deps.onUnreadable;
    this.add(root);
  }

  /** Called before chokidar follows up a notification, which costs it a chain of promises and a check of its own. */
  override isUnwatched(path: string): boolean {
    // A deleted folder names itself, as if it held an entry of its own name.
    const namesItself = basename(path) === basename(dirname(path));
    return super.isUnwatched(path) || !(namesItself || this.#isFolder(path));
  }

  /** chokidar says nothing of a folder that it may not watch. */
  override handleError(error: unknown): void {
    const { code, syscall, path } = error as NodeJS.ErrnoException;
    if (syscall === "watch" && path !== undefined && (code === "EACCES" || code === "EPERM")) {
      this.#unwatchable.add(path);
      this.#onUnreadable(path);
    }
    super.handleError(error);
  }

  /** Watches those folders that could not be watched, or whose notifications were lost so that chokidar does not know them. */
  addMissing(folders: readonly string[]): void {
    const watched = this.getWatched();
    const missing = folders.filter((folder) => !(folder in watched) || this.#unwatchable.has(folder));
    this.#unwatchable.clear();
    for (const folder of missing) this.watchAnew(folder);
  }

  /** Watches a folder, and those in it, anew. Takes time with all that are watched. */
  watchAnew(folder: string): void {
    this.closePath(folder, true);
    // Unlike `add`, it makes the folder none that chokidar waits for in its parent once it is gone.
    this.rewatchMissingPath(folder);
  }

  /** Watches all folders anew, as at the start: a system watch stays with the folder that it was set on, not its path. */
  renew(): void {
    this.unwatch(this.#root);
    this.add(this.#root);
  }

  /** How chokidar lists a folder. Where one system watch covers the whole tree, chokidar's own listing stays. */
  override createScanStream(root: string, options: ScanOptions = {}): ReturnType<Scan> {
    if (!this.options.backendCapabilities.perDirectory) return super.createScanStream(root, options);
    if (this.closed) return undefined;
    this.#onListing(root);
    const { directoryFilter } = options;
    const wanted: EntryFilter = typeof directoryFilter === "function" ? directoryFilter : () => true;
    const stream = Readable.from(foldersIn(root, wanted)) as NonNullable<ReturnType<Scan>>;
    this.streams.add(stream);
    stream.once("close", () => this.streams.delete(stream));
    return stream;
  }
}
