import { createRequire } from "node:module";
import { join } from "node:path";

/** Whether programs in the folder find the package hearthkit. */
export function hasHearthkit(folder: string): boolean {
  try {
    createRequire(join(folder, "package.json")).resolve("hearthkit/package.json");
    return true;
  } catch {
    return false;
  }
}
