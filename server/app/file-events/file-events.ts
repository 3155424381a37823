import type { Kysely } from "kysely";
import type { EventBus } from "../../events/event-bus.ts";
import type { Route } from "../../http/route.ts";
import { createFileEventStore } from "./file-event-store.ts";
import { fileEventsRoutes, storedFileEventsRoutes } from "./file-events-routes.ts";
import type { FileEventsTables } from "./file-events-table.ts";
import type { WatchedFolders } from "./watched-folders.ts";
import { watchedFoldersRoutes } from "./watched-folders-routes.ts";

interface Deps {
  readonly db: Kysely<FileEventsTables>;
  readonly bus: EventBus;
  readonly watchedFolders: WatchedFolders;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** The receiver of file events, and what the console shows and drives of them. */
export function createFileEvents({ db, bus, watchedFolders, now }: Deps): { routes: Route[]; controlRoutes: Route[] } {
  const store = createFileEventStore(db, now);
  return {
    routes: fileEventsRoutes({ store, bus }),
    controlRoutes: [...storedFileEventsRoutes(store), ...watchedFoldersRoutes(watchedFolders)],
  };
}
