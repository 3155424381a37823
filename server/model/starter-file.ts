import { existsSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * Path of the starter model: in `starter/` beside this module, in a checkout and in the bundle. Native code must be
 * able to open it, so a packaged program keeps it outside the archive.
 */
export function starterFile(moduleDir = import.meta.dirname): string {
  const file = join(moduleDir, "starter", "hearth-starter.gguf");
  const unpacked = file.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  return existsSync(unpacked) ? unpacked : file;
}
