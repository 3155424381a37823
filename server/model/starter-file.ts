import { existsSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * Path of the starter model: in `starter/` beside this module, in a checkout as in the bundle. Native code must be able to
 * open it, so inside a packaged program it lies in the part that is not packed.
 */
export function starterFile(moduleDir = import.meta.dirname): string {
  const file = join(moduleDir, "starter", "hearth-starter.gguf");
  const unpacked = file.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  return existsSync(unpacked) ? unpacked : file;
}
