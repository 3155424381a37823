import { stat } from "node:fs/promises";
import type { FileEventCounts } from "../../contract/app/file-events.ts";
import type { WatchedFolder, WatchState } from "../../contract/console/data/watched-folders.ts";
import type { FolderWatch, FolderWatcher, FolderWatchOptions } from "./folder-watcher.ts";

/** A folder as a person declared it. */
export interface DeclaredFolder {
  readonly id: number;
  readonly path: string;
  readonly exclude: readonly string[];
  readonly paused: boolean;
  readonly catch_up: boolean;
  /** Unix time in ms. */
  readonly created_at: number;
}

interface Deps {
  readonly watcher: FolderWatcher;
  readonly options: () => Pick<FolderWatchOptions, "to" | "queueFile" | "ownFolder">;
  /** Called when the reason of a failure changes. */
  readonly onFailure: (reason: string) => void;
  /** Called when the run watches, is paused or has failed, and did not before. */
  readonly onSettled: () => void;
  /** Pause before a watch that has failed is tried again. */
  readonly retryAfterMs: number;
}

/**
 * The watch of one declared folder, as long as Hearth runs.
 * `starting` → `watching`, or → `failed` when the folder cannot be watched.
 * `watching` → `failed` when the folder is gone or the watch ends. `failed` → `watching` when a later try succeeds.
 * Any state → `paused`, or → `starting`, as `follow` says. After `end` nothing is tried again.
 */
export class WatchRun {
  readonly #deps: Deps;
  #folder: DeclaredFolder;
  #state: WatchState;
  /** Reasons why it has failed or does not see everything, the latest last. */
  readonly #reasons = new Set<string>();
  #reportedState: WatchState;
  /** The failure that was reported last, unless it is mended. */
  #reportedFailure: string | undefined;
  #watch: FolderWatch | undefined;
  #retry: NodeJS.Timeout | undefined;
  #checking: NodeJS.Timeout | undefined;
  #ended = false;
  /** Changes during a pause are not reported. */
  #wasPaused: boolean;
  readonly #counts: FileEventCounts = { modify: 0, attrib: 0, move: 0, create: 0, delete: 0 };
  /** Steps run one after the other, because a change must not meet a half-started watch. */
  #work = Promise.resolve();

  constructor(folder: DeclaredFolder, deps: Deps) {
    this.#deps = deps;
    this.#folder = folder;
    this.#state = folder.paused ? "paused" : "starting";
    this.#reportedState = folder.paused ? "paused" : "watching";
    this.#wasPaused = folder.paused;
  }

  view(): WatchedFolder {
    const reason = [...this.#reasons].at(-1);
    return {
      id: this.#folder.id,
      path: this.#folder.path,
      exclude: [...this.#folder.exclude],
      catch_up: this.#folder.catch_up,
      state: this.#state,
      ...(reason !== undefined && { reason }),
      counts: { ...this.#counts },
      waiting: this.#watch?.waiting() ?? 0,
      created_at: new Date(this.#folder.created_at).toISOString(),
    };
  }

  declared(): DeclaredFolder {
    return this.#folder;
  }

  /** Applies a changed declaration. Resolves when the watch has started, has failed, or is paused. */
  follow(changed: DeclaredFolder): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#ended) return;
      await this.#stop();
      this.#folder = changed;
      this.#reasons.clear();
      if (!changed.paused) return this.#start();
      this.#settle("paused");
      this.#wasPaused = true;
    });
  }

  end(): Promise<void> {
    this.#ended = true;
    return this.#inTurn(() => this.#stop());
  }

  #inTurn(step: () => Promise<void>) {
    return (this.#work = this.#work.then(step));
  }

  #fail(error: unknown): void {
    const { message } = error as Error;
    this.#reasons.delete(message);
    this.#reasons.add(message);
    if (message !== this.#reportedFailure) this.#deps.onFailure(message);
    this.#reportedFailure = message;
  }

  #settle(next: WatchState): void {
    this.#state = next;
    // A watch that fails is tried again and again.
    if (next !== "failed") this.#reportedFailure = undefined;
    if (next !== this.#reportedState) this.#deps.onSettled();
    this.#reportedState = next;
  }

  async #start(): Promise<void> {
    const { watcher, options, retryAfterMs } = this.#deps;
    this.#state = "starting";
    this.#reasons.clear();
    try {
      const started = await watcher.watch({
        ...options(),
        dir: this.#folder.path,
        exclude: this.#folder.exclude,
        catchUp: !this.#folder.catch_up ? "off" : this.#wasPaused ? "anew" : "on",
        onChanges: (kinds) => {
          for (const kind of kinds) this.#counts[kind]++;
        },
        onError: (error) => this.#fail(error),
        onMended: ({ message }) => {
          this.#reasons.delete(message);
          if (message === this.#reportedFailure) this.#reportedFailure = undefined;
        },
        onEnd: (error) => void this.#inTurn(async () => this.#onWatchEnd(started, error)),
      });
      this.#watch = started;
      this.#settle("watching");
      this.#wasPaused = false;
      this.#checking = setInterval(() => void this.#inTurn(() => this.#checkFolder()), retryAfterMs).unref();
    } catch (error) {
      this.#tryLater(error);
    }
  }

  #onWatchEnd(ended: FolderWatch, error: unknown): void {
    if (this.#watch !== ended) return;
    clearInterval(this.#checking);
    this.#watch = undefined;
    this.#tryLater(error);
  }

  #tryLater(error: unknown): void {
    this.#fail(error);
    this.#settle("failed");
    this.#retry = setTimeout(() => void this.#inTurn(() => this.#tryAgain()), this.#deps.retryAfterMs).unref();
  }

  async #findProblem(): Promise<Error | undefined> {
    try {
      await this.#deps.watcher.ask(this.#folder.path);
    } catch (error) {
      return error as Error;
    }
    const found = await stat(this.#folder.path).catch(() => undefined);
    return found?.isDirectory() ? undefined : new Error(`${this.#folder.path}: no such folder`);
  }

  /** Fails while the folder is deleted. Its watch continues, and reports the content of a folder that is made again. */
  async #checkFolder(): Promise<void> {
    if (this.#watch === undefined) return;
    const problem = await this.#findProblem();
    if (problem && this.#state === "watching") {
      this.#fail(problem);
      this.#settle("failed");
    } else if (!problem && this.#state === "failed") {
      this.#reasons.clear();
      this.#settle("watching");
    }
  }

  /** The declaration may have changed while this step waited. */
  async #tryAgain(): Promise<void> {
    if (this.#state === "failed" && this.#watch === undefined && !this.#ended) await this.#start();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#retry);
    clearInterval(this.#checking);
    const ending = this.#watch;
    this.#watch = undefined;
    await ending?.stop();
  }
}
