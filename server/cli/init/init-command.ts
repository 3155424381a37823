/** `hearth init`: the files with which a project starts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { wayWithin } from "../../file-system/compare-paths.ts";
import { isKnownDirectory, noteDirectory } from "../../process/settings/known-directories.ts";
import { defaultDataDir } from "../../process/settings/read-settings.ts";
import { printLine, printLines } from "../../process/terminal/print-text.ts";
import type { CommandContext } from "../command.ts";
import { hasHearthkit } from "./has-hearthkit.ts";
import type { InitInput } from "./init-input.ts";
import { projectDataDir, projectFiles, type ProjectFile } from "./project-files.ts";
import { shellWord } from "../../contract/shell-words.ts";

/** Whether a link, which a clone may contain, leads out of the folder. */
const leadsOut = (folder: string, file: string) => wayWithin(folder, file) === undefined;

/** Writes a file unless it exists. Returns the result. */
function writeNew(folder: string, { path, text }: ProjectFile): string {
  const file = join(folder, path);
  if (leadsOut(folder, file)) return `skipped ${path}: a link leads out of the folder`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, text, { flag: "wx" });
    return `wrote ${path}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return `kept ${path}`;
  }
}

/**
 * The commands that install the test's packages and run it. Hearth is not published, so its package is this program's
 * folder; the archive of the installed program cannot be read by npm.
 * @param folder of the project
 */
export function nextStep(folder: string, program = fileURLToPath(new URL("..", import.meta.url))): string {
  const command = (...packages: string[]) => `npm install -D ${["vitest", ...packages].join(" ")} && npx vitest run`;
  if (hasHearthkit(folder)) return command();
  if (!program.includes("app.asar")) return command(shellWord(resolve(program), process.platform));
  return `run "npm pack" in a checkout of Hearth, then ${command("PATH/hearthkit-VERSION.tgz")}`;
}

export function initProject({ dir = "." }: InitInput, { cwd }: CommandContext): number {
  const folder = resolve(cwd, dir);
  const [dataDir, usersDir] = [join(folder, projectDataDir), defaultDataDir()];
  mkdirSync(folder, { recursive: true });
  const isOwn = !leadsOut(folder, dataDir);
  if (isOwn) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const file of projectFiles) printLine(writeNew(folder, file));
  // The user may fill it before the first start.
  if (isOwn && isKnownDirectory(dataDir, usersDir)) noteDirectory(dataDir, usersDir);
  printLines(`\nNext: ${nextStep(folder)}\n`);
  return 0;
}
