import type { Kysely } from "kysely";
import type { Route } from "../../http/route.ts";
import type { EventWrites } from "../../store/event-writes.ts";
import { createFileEventStore } from "./file-event-store.ts";
import { fileEventsRoutes } from "./file-events-routes.ts";
import type { FileEventsTables } from "./file-events-table.ts";
import type { WatchedFolders } from "./watched-folders.ts";
import { fileEventsConsoleRoutes } from "./file-events-console-routes.ts";

interface Deps {
  readonly db: Kysely<FileEventsTables>;
  readonly writes: EventWrites;
  readonly watchedFolders: WatchedFolders;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** The receiver of file events, with the console's operations. */
export function createFileEvents({ watchedFolders, ...deps }: Deps): { routes: Route[]; consoleRoutes: Route[] } {
  const store = createFileEventStore(deps);
  return {
    routes: fileEventsRoutes(store),
    consoleRoutes: fileEventsConsoleRoutes(store, watchedFolders),
  };
}
