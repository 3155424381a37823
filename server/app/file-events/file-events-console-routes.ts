import { listFileEvents } from "../../contract/app/file-events.ts";
import {
  createWatchedFolder,
  deleteWatchedFolder,
  getWatchedFolder,
  listWatchedFolders,
  matchExcludePatterns,
  updateWatchedFolder,
} from "../../contract/console/data/watched-folders.ts";
import { listWatchProcesses, type WatchProcess } from "../../contract/console/data/watch-processes.ts";
import { route, type Route } from "../../http/route.ts";
import type { FileEventStore } from "./file-event-store.ts";
import type { WatchedFolders } from "./watched-folders.ts";

/** The console's operations on file events and watched folders. */
export const fileEventsConsoleRoutes = (
  events: FileEventStore,
  folders: WatchedFolders,
  processes: () => WatchProcess[],
): Route[] => [
  route(listFileEvents, async ({ query }) => ({ data: await events.page(query) })),
  route(listWatchProcesses, () => ({ data: { processes: processes() } })),
  route(listWatchedFolders, () => ({ data: { folders: folders.list() } })),
  route(createWatchedFolder, async ({ body }) => {
    const data = await folders.add(body);
    return { data, headers: { Location: `/console/api/watched-folders/${String(data.id)}` } };
  }),
  route(matchExcludePatterns, async ({ body }) => ({ data: await folders.match(body) })),
  route(getWatchedFolder, ({ params: { id } }) => ({ data: folders.get(id) })),
  route(updateWatchedFolder, async ({ params: { id }, body }) => ({ data: await folders.change(id, body) })),
  route(deleteWatchedFolder, async ({ params: { id } }) => folders.remove(id)),
];
