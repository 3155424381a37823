import { existsSync } from "node:fs";
import { basename, join, sep } from "node:path";

/**
 * Path of the starter model: beside this module in a checkout, in `starter/` beside the bundle. Native code must be
 * able to open it, so a packaged program keeps it outside the archive.
 */
export function starterFile(moduleDir = import.meta.dirname): string {
  const folder = basename(moduleDir) === "starter" ? moduleDir : join(moduleDir, "starter");
  const file = join(folder, "hearth-starter.gguf");
  const unpacked = file.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  return existsSync(unpacked) ? unpacked : file;
}
