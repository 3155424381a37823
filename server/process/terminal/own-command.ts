/** The command line with which a user calls the commands of this Hearth. */
import { realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { OwnCommand } from "../../contract/console/console.ts";
import { defaultDataDir } from "../settings/read-settings.ts";
import { shellWord } from "../../contract/shell-words.ts";

/** Passes the command's name to the application server. */
export const commandVariable = "HEARTH_COMMAND";

/** npm and npx add this folder to the path of the programs that they run; it is on no other path. */
const ofProject = join("node_modules", ".bin");

/**
 * The name of the command whose file is `cli`: `hearth` if `npm install -g` has put it on the path, otherwise `npx
 * hearth`, for the checkout or project that contains it.
 */
export function commandName(cli: string, { PATH = "" } = process.env, platform = process.platform): string {
  // On Windows the command on the path is a script beside the package's folder.
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

/** @param name the command that starts the program */
export const ownCommand = (name: string, dataDir: string): OwnCommand => ({
  name,
  flags: dataDir === defaultDataDir() ? "" : `--data-dir ${shellWord(dataDir, process.platform)}`,
});
