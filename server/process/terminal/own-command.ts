/** The command line with which a user calls the commands of this Hearth. */
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { OwnCommand } from "../../contract/console/console.ts";
import { defaultDataDir } from "../settings/read-settings.ts";
import { shellWord } from "../../contract/shell-words.ts";

/** Passes the command's name to the application server. */
export const commandVariable = "HEARTH_COMMAND";

/** npm and npx add this folder to the path of their programs; it is on no other path. */
const ofProject = join("node_modules", ".bin");

/** The working directory, or the root if it was deleted. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return "/";
  }
}

/** The folder and all above it, the nearest first. */
const foldersFrom = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))];

/** The places where npx searches: the folder's package, then the nearest project with the command. */
function commandsOfNpx(folder: string, command: string): string[] {
  const folders = foldersFrom(folder);
  const own = folders.find((one) => ["package.json", "node_modules"].some((name) => existsSync(join(one, name))));
  const ofProject = folders.map((one) => join(one, command)).find((path) => existsSync(path));
  return [...(own === undefined ? [] : [join(own, "dist", "cli.js")]), ...(ofProject === undefined ? [] : [ofProject])];
}

/**
 * The name of the command whose file is `cli`: `hearth` if `npm install -g` has put it on the path, `npx hearth` in the
 * checkout or project that contains it, otherwise Node and the file: npm's package `hearth` is somebody else's.
 */
export function commandName(
  cli: string,
  { PATH = "" } = process.env,
  platform = process.platform,
  folder = currentFolder(),
): string {
  // On Windows the command is a script beside the package's folder.
  const ofPackage = join("node_modules", "hearthkit", "dist", "cli.js");
  const [installed, inProject] = platform === "win32" ? [ofPackage, ofPackage] : ["hearth", join(ofProject, "hearth")];
  const leadsHere = (path: string) => {
    try {
      return realpathSync(path) === realpathSync(cli);
    } catch {
      return false;
    }
  };
  const onPath = PATH.split(delimiter).filter((one) => !one.endsWith(ofProject));
  if (onPath.some((one) => leadsHere(join(one, installed)))) return "hearth";
  return commandsOfNpx(folder, inProject).some(leadsHere) ? "npx hearth" : `node ${shellWord(cli, platform)}`;
}

/** @param name the command that starts the program */
export const ownCommand = (name: string, dataDir: string): OwnCommand => ({
  name,
  flags: dataDir === defaultDataDir() ? "" : `--data-dir ${shellWord(dataDir, process.platform)}`,
});
