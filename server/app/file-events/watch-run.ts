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
  readonly onFailure: (reason: string) => void;
  /** It watches, is paused or has failed, and did not before. */
  readonly onSettled: () => void;
  /** Pause before a watch that has failed is tried again. */
  readonly retryAfterMs: number;
}

/** The watch of one declared folder, as long as Hearth runs. */
export function createWatchRun(
  declared: DeclaredFolder,
  { watcher, options, onFailure, onSettled, retryAfterMs }: Deps,
) {
  let folder = declared;
  let state: WatchState = declared.paused ? "paused" : "starting";
  /** Why it has failed or does not see everything, the latest last. */
  const reasons = new Set<string>();
  let reported: WatchState = declared.paused ? "paused" : "watching";
  /** The failure that was told last, unless it is mended. */
  let told: string | undefined;
  let watch: FolderWatch | undefined;
  let retry: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;
  let ended = false;
  /** Changes during a pause are not reported. */
  let wasPaused = declared.paused;
  const counts: FileEventCounts = { modify: 0, attrib: 0, move: 0, create: 0, delete: 0 };
  // Steps run one after the other, because a change must not meet a half-started watch.
  let work = Promise.resolve();
  const inTurn = (step: () => Promise<void>) => (work = work.then(step));

  function fail(error: unknown): void {
    const { message } = error as Error;
    reasons.delete(message);
    reasons.add(message);
    if (message !== told) onFailure(message);
    told = message;
  }

  function settle(next: WatchState): void {
    state = next;
    // A watch that fails is tried again and again.
    if (next !== "failed") told = undefined;
    if (next !== reported) onSettled();
    reported = next;
  }

  async function start(): Promise<void> {
    state = "starting";
    reasons.clear();
    try {
      const started = await watcher.watch({
        ...options(),
        dir: folder.path,
        exclude: folder.exclude,
        catchUp: !folder.catch_up ? "off" : wasPaused ? "anew" : "on",
        onChanges: (kinds) => {
          for (const kind of kinds) counts[kind]++;
        },
        onError: fail,
        onMended({ message }) {
          reasons.delete(message);
          if (message === told) told = undefined;
        },
        onEnd: (error) =>
          void inTurn(async () => {
            if (watch !== started) return;
            clearInterval(looking);
            watch = undefined;
            tryLater(error);
          }),
      });
      watch = started;
      settle("watching");
      wasPaused = false;
      looking = setInterval(() => void inTurn(lookForFolder), retryAfterMs).unref();
    } catch (error) {
      tryLater(error);
    }
  }

  function tryLater(error: unknown): void {
    fail(error);
    settle("failed");
    retry = setTimeout(() => void inTurn(tryAgain), retryAfterMs).unref();
  }

  async function findProblem(): Promise<Error | undefined> {
    try {
      await watcher.ask(folder.path);
    } catch (error) {
      return error as Error;
    }
    const found = await stat(folder.path).catch(() => undefined);
    return found?.isDirectory() ? undefined : new Error(`${folder.path}: no such folder`);
  }

  /** The watch goes on where its folder is deleted, and reports what is in one that is made again. */
  async function lookForFolder(): Promise<void> {
    if (watch === undefined) return;
    const problem = await findProblem();
    if (problem && state === "watching") {
      fail(problem);
      settle("failed");
    } else if (!problem && state === "failed") {
      reasons.clear();
      settle("watching");
    }
  }

  /** The declaration may have changed while this step waited. */
  async function tryAgain(): Promise<void> {
    if (state === "failed" && watch === undefined && !ended) await start();
  }

  async function stop(): Promise<void> {
    clearTimeout(retry);
    clearInterval(looking);
    const ending = watch;
    watch = undefined;
    await ending?.stop();
  }

  return {
    shown(): WatchedFolder {
      const reason = [...reasons].at(-1);
      return {
        id: folder.id,
        path: folder.path,
        exclude: [...folder.exclude],
        catch_up: folder.catch_up,
        state,
        ...(reason !== undefined && { reason }),
        counts: { ...counts },
        waiting: watch?.waiting() ?? 0,
        created_at: new Date(folder.created_at).toISOString(),
      };
    },
    declared: () => folder,
    /** Applies a changed declaration. Resolves when the watch has started, has failed, or is paused. */
    follow: (changed: DeclaredFolder): Promise<void> =>
      inTurn(async () => {
        if (ended) return;
        await stop();
        folder = changed;
        reasons.clear();
        if (!changed.paused) return start();
        settle("paused");
        wasPaused = true;
      }),
    end: (): Promise<void> => {
      ended = true;
      return inTurn(stop);
    },
  };
}
export type WatchRun = ReturnType<typeof createWatchRun>;
