import { join } from "node:path";
import type { Kysely, Selectable } from "kysely";
import type { Logger } from "pino";
import type {
  FolderChange,
  NewFolder,
  MatchRequest,
  WatchedFolder,
} from "../../contract/console/data/watched-folders.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { wayWithin } from "../../file-system/compare-paths.ts";
import { refuse } from "../../http/http-error.ts";
import { requireUsablePatterns } from "./exclude-patterns.ts";
import type { FileEventsTables, WatchedFoldersTable } from "./file-events-table.ts";
import { requireFolder } from "./folder-path.ts";
import type { FolderWatcher } from "./folder-watcher.ts";
import { matchSample } from "./match-sample.ts";
import { WatchRun, type DeclaredFolder } from "./watch-run.ts";

export type WatchedFolders = Awaited<ReturnType<typeof createWatchedFolders>>;

interface WatchedFoldersDeps {
  readonly db: Kysely<FileEventsTables>;
  readonly watcher: FolderWatcher;
  /** Hearth's data directory. It holds the queues, and changes in it are never reported. */
  readonly dataDir: string;
  /** Base URL of the application server, read whenever a watch starts. */
  readonly appUrl: () => string;
  readonly bus: EventBus;
  readonly log: Logger;
  /** Time limit of a pattern on its test paths. */
  readonly patternDeadlineMs: number;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Pause before a failed watch is retried. */
  readonly retryAfterMs?: number | undefined;
}

const toDeclared = (row: Selectable<WatchedFoldersTable>): DeclaredFolder => ({
  ...row,
  exclude: JSON.parse(row.exclude) as string[],
  paused: row.paused === 1,
  catch_up: row.catch_up === 1,
});

function report(bus: EventBus, { id, path, reason }: WatchedFolder, state: WatchedFolder["state"] | "ended"): void {
  const data = { id, path, state, ...(state === "failed" && { reason }) };
  bus.publish({ type: "watch.changed", source: "/app/file-events", subject: path, data });
}

/** The declared folders, kept over restarts. Each is watched while Hearth runs. */
export async function createWatchedFolders(deps: WatchedFoldersDeps) {
  const { db, watcher, dataDir, appUrl, patternDeadlineMs, bus, log, now, retryAfterMs = 5_000 } = deps;
  const runs = new Map<number, WatchRun>();
  const queueFile = (id: number) => join(dataDir, "watch", `folder-${String(id)}.jsonl`);

  function runOf(folder: DeclaredFolder): WatchRun {
    const run = new WatchRun(folder, {
      watcher,
      options: () => ({ to: `${appUrl()}/api/inotify/`, queueFile: queueFile(folder.id), ownFolder: dataDir }),
      onFailure: (reason) => log.warn({ folder: folder.path, reason }, "a folder cannot be watched completely"),
      onSettled: () => report(bus, run.view(), run.view().state),
      retryAfterMs,
    });
    runs.set(folder.id, run);
    return run;
  }
  for (const row of await db.selectFrom("watched_folders").selectAll().orderBy("id").execute()) runOf(toDeclared(row));

  /** @throws HttpError 404 */
  function find(id: number): WatchRun {
    const run = runs.get(id);
    if (!run) throw refuse("folder.unknown", { id });
    return run;
  }

  async function usablePath(path: string): Promise<string> {
    const folder = await requireFolder(path, watcher.ask);
    if (wayWithin(dataDir, folder) !== undefined) throw refuse("folder.own", { path }, { field: "path" });
    return folder;
  }

  return {
    list: () => [...runs.values()].map((run) => run.view()),
    /** @throws HttpError 404 */
    get: (id: number) => find(id).view(),

    /** Declares a folder and watches it. @throws HttpError 400 naming the field, 409 when it is already declared */
    async add({ path, exclude, catch_up }: NewFolder): Promise<WatchedFolder> {
      const folder = await usablePath(path);
      requireUsablePatterns(exclude, folder, patternDeadlineMs);
      const columns = { path: folder, exclude: JSON.stringify(exclude), catch_up: catch_up ? 1 : 0 } as const;
      const row = await db
        .insertInto("watched_folders")
        .values({ ...columns, paused: 0, created_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!row) throw refuse("folder.twice", { folder });
      const run = runOf(toDeclared(row));
      await run.follow(toDeclared(row));
      if (run.view().state === "watching") report(bus, run.view(), "watching");
      return run.view();
    },

    /** @throws HttpError 400 naming the field, 404 */
    async change(id: number, { paused, exclude, catch_up }: FolderChange): Promise<WatchedFolder> {
      const run = find(id);
      if (paused === undefined && !exclude && catch_up === undefined) return run.view();
      if (exclude) requireUsablePatterns(exclude, run.declared().path, patternDeadlineMs);
      const row = await db
        .updateTable("watched_folders")
        .set({
          ...(paused !== undefined && { paused: paused ? 1 : 0 }),
          ...(exclude && { exclude: JSON.stringify(exclude) }),
          ...(catch_up !== undefined && { catch_up: catch_up ? 1 : 0 }),
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      if (!row) throw refuse("folder.unknown", { id });
      await run.follow(toDeclared(row));
      return run.view();
    },

    /** The paths that patterns would exclude. @throws HttpError 400 naming the field */
    match: (request: MatchRequest) => matchSample(request, patternDeadlineMs, watcher.ask),

    /** @throws HttpError 404 */
    async remove(id: number): Promise<void> {
      const run = find(id);
      await db.deleteFrom("watched_folders").where("id", "=", id).execute();
      runs.delete(id);
      await run.end();
      await watcher.forget(queueFile(id));
      report(bus, run.view(), "ended");
    },

    /** Starts the watches of all declared folders, once the receiver listens. Resolves when each has started or failed. */
    async start(): Promise<void> {
      await Promise.all([...runs.values()].map((run) => run.follow(run.declared())));
    },

    /** Ends all watches. The next run delivers their undelivered events. */
    async close(): Promise<void> {
      await Promise.all([...runs.values()].map((run) => run.end()));
    },
  };
}
