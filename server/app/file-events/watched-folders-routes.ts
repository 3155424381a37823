import {
  createWatchedFolder,
  deleteWatchedFolder,
  getWatchedFolder,
  listWatchedFolders,
  matchExcludePatterns,
  updateWatchedFolder,
} from "../../contract/console/watched-folders.ts";
import { route, type Route } from "../../http/route.ts";
import type { WatchedFolders } from "./watched-folders.ts";

/** Watched folders over the console's API. */
export const watchedFoldersRoutes = (folders: WatchedFolders): Route[] => [
  route(listWatchedFolders, () => ({ data: { folders: folders.list() } })),
  route(createWatchedFolder, async ({ body }) => {
    const data = await folders.add(body);
    return { data, headers: { Location: `/console/api/watched-folders/${String(data.id)}` } };
  }),
  route(matchExcludePatterns, async ({ body }) => ({ data: await folders.match(body) })),
  route(getWatchedFolder, ({ params: { id } }) => ({ data: folders.get(id) })),
  route(updateWatchedFolder, async ({ params: { id }, body }) => ({ data: await folders.change(id, body) })),
  route(deleteWatchedFolder, async ({ params: { id } }) => {
    await folders.remove(id);
    return {};
  }),
];
