/** The folder that packages are written into. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wayWithin } from "../../server/file-system/compare-paths.ts";

export const defaultOutput = (root: string): string => join(root, "release");

/** Says that what the folder holds was written here. */
const marker = ".hearth-packages";

/**
 * Makes the folder, or removes former packages from it. Any other folder that holds something is refused.
 * @param output an absolute path
 * @throws Error
 */
export function emptyOutput(output: string, root: string): void {
  if (output !== defaultOutput(root) && existsSync(output)) {
    if (wayWithin(output, root) !== undefined) throw new Error(`${output} contains the sources`);
    const names = readdirSync(output);
    if (names.length > 0 && !names.includes(marker))
      throw new Error(`${output} holds files that npm run package has not written; name an empty or a new folder`);
  }
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, marker), "");
}
