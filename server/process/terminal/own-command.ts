/** What people type for the commands of this very Hearth. */
import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { OwnCommand } from "../../contract/console/console.ts";
import { defaultDataDir } from "../settings/read-settings.ts";

/** Tells the application server the command's name. */
export const commandVariable = "HEARTH_COMMAND";

/** npm and npx put these on the path of what they run, and nobody else has them there. */
const ofProject = join("node_modules", ".bin");

/**
 * The name of the command whose file is `cli`: `hearth` where an `npm install -g` has put it on the path, else `npx hearth`,
 * for the checkout or the project that has it.
 */
export function commandName(cli: string, { PATH = "" } = process.env, platform = process.platform): string {
  // On Windows the command on the path is a script, beside the folder of the package.
  const installed = platform === "win32" ? join("node_modules", "hearthkit", "dist", "cli.js") : "hearth";
  const leadsHere = (folder: string) => {
    try {
      return realpathSync(join(folder, installed)) === realpathSync(cli);
    } catch {
      return false;
    }
  };
  const isInstalled = PATH.split(delimiter).some((folder) => !folder.endsWith(ofProject) && leadsHere(folder));
  return isInstalled ? "hearth" : "npx hearth";
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
  if (/^[\w./:\\-]+$/.test(path)) return path;
  return process.platform === "win32" ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

/** @param name what is typed for the program */
export const ownCommand = (name: string, dataDir: string): OwnCommand => ({
  name,
  flags: dataDir === defaultDataDir() ? "" : `--data-dir ${quoted(dataDir)}`,
});
