/**
 * Keeps one system watch on every folder of a tree and forwards its notifications. On macOS and Windows one watch covers
 * the whole tree. A watch stays with the folder that it was set on: it follows a rename, and it does not see another
 * folder that takes the path.
 */
import { watch, type FSWatcher } from "node:fs";
import { basename, join } from "node:path";
import { plainFs } from "../../file-system/plain-fs.ts";
import { unlessBelowFile } from "../../file-system/is-missing.ts";

interface Deps {
  readonly root: string;
  /** Called for each notification. */
  readonly onChange: (path: string, kind: "rename" | "change") => void;
  /** Called when the system has dropped notifications. */
  readonly onOverflow: () => void;
  /** Called when another folder is at the path of a watched one, or when `root` is gone. */
  readonly onDisplaced: (folder: string) => void;
  /** Called when a watch cannot be set, other than because the folder is gone or cannot be read. */
  readonly onRefused: (error: NodeJS.ErrnoException) => void;
}

interface FolderWatch {
  /** The path of the folder now. */
  path: string;
  /** The name of the folder when the watch was set: the system names the folder itself by it. */
  readonly name: string;
  readonly watcher: FSWatcher;
  /** Undefined if it is uncertain: another folder may have taken the path while the watch was set. */
  readonly identity: string | undefined;
}

const isPerFolder = process.platform !== "darwin" && process.platform !== "win32";

/** Missing folders, and folders that cannot be read: the scan that sets a watch reports those. */
const unwatchable = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM"]);

/** Identifies the folder at a path; undefined if there is none, or it cannot be read. */
function folderAt(path: string): string | undefined {
  try {
    const stats = unlessBelowFile(() => plainFs.lstatSync(path, { bigint: true, throwIfNoEntry: false }));
    return stats?.isDirectory() === true ? [stats.dev, stats.ino, stats.birthtimeNs].join(":") : undefined;
  } catch {
    return undefined;
  }
}

/** Without a time of birth, a new folder may have the identity of a deleted one. */
const isCertain = (identity: string) => !identity.endsWith(":0");

export class FolderWatches {
  readonly #deps: Deps;
  readonly #watches = new Map<string, FolderWatch>();
  /** Folders without a watch because the system refused one. */
  readonly #refused = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** How many folders are not watched because the system refuses more watches. */
  get refused(): number {
    return this.#refused.size;
  }

  /**
   * Watches the folder that is at a path now. The caller must read the folder afterwards: no notification tells of earlier
   * changes.
   */
  set(path: string): void {
    if (!isPerFolder && path !== this.#deps.root) return;
    const identity = folderAt(path);
    const known = this.#watches.get(path);
    if (known && identity !== undefined && known.identity === identity) return;
    this.drop(path);
    if (identity === undefined) return;
    try {
      const watcher = watch(path, { recursive: !isPerFolder });
      const isSame = isCertain(identity) && folderAt(path) === identity;
      const one = { path, name: basename(path), watcher, identity: isSame ? identity : undefined };
      this.#watches.set(path, one);
      watcher.on("change", (kind, name) => this.#notify(one, kind as "rename" | "change", name as string | null));
      watcher.on("error", () => this.#fail(one));
    } catch (error) {
      this.#refuse(path, error as NodeJS.ErrnoException);
    }
  }

  /** Ends the watch of a folder. */
  drop(path: string): void {
    this.#watches.get(path)?.watcher.close();
    this.#watches.delete(path);
    this.#refused.delete(path);
  }

  /** Follows a renamed folder. */
  move(from: string, to: string): void {
    const one = this.#watches.get(from);
    this.#watches.delete(from);
    this.drop(to);
    if (this.#refused.delete(from)) this.#refused.add(to);
    if (!one) return;
    one.path = to;
    this.#watches.set(to, one);
  }

  /** Tries the refused folders again. Returns those that are watched now. */
  retry(): string[] {
    const watched: string[] = [];
    for (const path of this.#refused) {
      this.set(path);
      if (this.#refused.has(path)) break;
      watched.push(path);
    }
    return watched;
  }

  close(): void {
    for (const path of [...this.#watches.keys()]) this.drop(path);
  }

  #refuse(path: string, error: NodeJS.ErrnoException): void {
    if (unwatchable.has(error.code ?? "")) return;
    this.#refused.add(path);
    this.#deps.onRefused(error);
  }

  #notify(one: FolderWatch, kind: "rename" | "change", name: string | null): void {
    const { root, onChange, onOverflow, onDisplaced } = this.#deps;
    if (name === null) return onOverflow();
    onChange(join(one.path, name), kind);
    // Its attributes changed, it was moved or deleted, or its file system was unmounted.
    if (kind !== "rename" || name !== one.name) return;
    const identity = folderAt(one.path);
    if (identity !== one.identity && (identity !== undefined || one.path === root)) onDisplaced(one.path);
  }

  /** Windows fails the watch of a deleted folder. */
  #fail(one: FolderWatch): void {
    if (this.#watches.get(one.path) !== one) return;
    this.drop(one.path);
    this.#deps.onDisplaced(one.path);
  }
}
