import { join } from "node:path";
import type { Settings } from "../../contract/process/settings.ts";
import { boundsOf, type SettingOrigins } from "../../process/settings/read-settings.ts";

/** Where a user's files are, and what they must not leave. */
export function placesOf({ collections_dir, routes_file, data_dir }: Settings, origins: SettingOrigins) {
  const folder = collections_dir ?? join(data_dir, "collections");
  return {
    places: { folder, file: routes_file ?? join(data_dir, "routes.json") },
    bounds: {
      folder: boundsOf(collections_dir === undefined ? "data_dir" : "collections_dir", origins, folder),
      file: boundsOf(routes_file === undefined ? "data_dir" : "routes_file", origins),
    },
  };
}
