import { foreignDeadlineMs } from "../../foreign/foreign-limits.ts";
import type { WatchProcess } from "../../contract/console/data/watch-processes.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { createFileEventStore } from "./file-event-store.ts";
import { fileEventsConsoleRoutes } from "./file-events-console-routes.ts";
import { fileEventsRoutes } from "./file-events-routes.ts";
import type { FileEventsTables } from "./file-events-table.ts";
import type { FolderWatcher } from "./folder-watcher.ts";
import { createWatchedFolders } from "./watched-folders.ts";

interface Ports {
  readonly watcher: FolderWatcher;
  /** The `hearth watch` processes that run with a data directory. */
  readonly processes: (dataDir: string) => WatchProcess[];
  /** Pause before a failed watch is retried. */
  readonly retryAfterMs?: number | undefined;
  /** Base URL of the application server, read whenever a watch starts. */
  readonly appUrl: () => string;
}

/** The receiver of file events, and the folders that Hearth itself watches. */
export const fileEventsFeature: Feature<EventKernel<FileEventsTables>, Ports, undefined> = {
  name: "file-events",
  stateParts: { file_events: { tables: ["file_events"] } },
  tags: { "file-events": "Watchers report file changes here." },
  consoleTags: {
    "file-events": "File changes that watchers have reported.",
    "watched-folders": "Folders that Hearth itself watches. Changes in them become file events.",
  },
  async open({ settings, database, bus, clock: { now }, log, atClose }, ports) {
    const store = createFileEventStore({ database, now });
    const watchedFolders = await createWatchedFolders({
      ...ports,
      db: database.db,
      patternDeadlineMs: foreignDeadlineMs,
      dataDir: settings.data_dir,
      bus,
      log,
      now,
    });
    return {
      routes: fileEventsRoutes(store),
      consoleRoutes: fileEventsConsoleRoutes(store, watchedFolders, () => ports.processes(settings.data_dir)),
      start() {
        atClose(() => watchedFolders.close());
        void watchedFolders.start();
      },
      port: undefined,
    };
  },
};
