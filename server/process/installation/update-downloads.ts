import { join } from "node:path";
import type { PathCommandSystem } from "./path-command.ts";

/** `updaterCacheDirName` of the package's app-update.yml. */
const folderName = "hearth-updater";

/** The folder in which electron-updater keeps downloaded versions. */
export function updateDownloads({ platform, home, env }: Omit<PathCommandSystem, "userPath">): string {
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), folderName);
  if (platform === "darwin") return join(home, "Library", "Caches", folderName);
  return join(env["XDG_CACHE_HOME"] || join(home, ".cache"), folderName);
}
