/** The command line with which a user calls the commands of this Hearth, from any folder. */
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { OwnCommand } from "../../contract/console/console.ts";
import { defaultDataDir } from "../settings/read-settings.ts";
import { shellWord } from "../../contract/shell-words.ts";

/** Passes the command's name to the application server. */
export const commandVariable = "HEARTH_COMMAND";

/** npm and npx add this folder to the path of their programs; it is on no other path. */
const ofProject = join("node_modules", ".bin");

function isSameFile(path: string, other: string): boolean {
  try {
    return realpathSync(path) === realpathSync(other);
  } catch {
    return false;
  }
}

/**
 * The name of the command whose file is `cli`: `hearth` if the path leads to it, otherwise Node and the file. It is never
 * `npx hearth`: outside of the checkout, npx would fetch somebody else's package.
 */
export function commandName(cli: string, { PATH = "" } = process.env, platform = process.platform): string {
  // On Windows the command is a script beside the package's folder.
  const installed = platform === "win32" ? join("node_modules", "hearthkit", "dist", "cli.js") : "hearth";
  const onPath = PATH.split(delimiter).filter((one) => !one.endsWith(ofProject));
  return onPath.some((one) => isSameFile(join(one, installed), cli)) ? "hearth" : `node ${shellWord(cli, platform)}`;
}

/** The folder in which `npm link` makes the program `cli` the command `hearth`; undefined outside of a checkout. */
export function checkoutOf(cli: string): string | undefined {
  const folder = dirname(dirname(cli));
  return existsSync(join(folder, "package-lock.json")) ? folder : undefined;
}

/** @param name the command that starts the program */
export const ownCommand = (name: string, dataDir: string): OwnCommand => ({
  name,
  flags: dataDir === defaultDataDir() ? "" : `--data-dir ${shellWord(dataDir, process.platform)}`,
});
