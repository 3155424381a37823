/** The files with routes, and changes of all files that the code consists of. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { signatureOf } from "../../file-system/file-signature.ts";
import type { LoadedFiles } from "./child-messages.ts";

/** Modules and folders that only look like routes must not run. */
const importsKit = /["']hearthkit\/routes["']/;
const longestFile = 1024 * 1024;
const mostFiles = 100;
const lookEveryMs = 500;

function isRouteFile(file: string): boolean {
  try {
    return statSync(file).size <= longestFile && importsKit.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}

/** The files of the folder `routes` beside the main file, by name. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[^.].*(?<!\.d)\.ts$/.test(name));
  } catch {
    return [];
  }
}

const folderBeside = (main: string) => join(dirname(main), "routes");

/** The main file, if it exists, and those in `routes` beside it that import `hearthkit/routes`. */
export function findCodeFiles(main: string): string[] {
  const folder = folderBeside(main);
  const others = namesIn(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => file !== main && isRouteFile(file));
  return [
    ...(statSync(main, { throwIfNoEntry: false })?.isFile() === true ? [main] : []),
    ...others.slice(0, mostFiles),
  ];
}

/**
 * Looks twice a second whether a file has changed. These are few, in any folder, and editors replace rather than write them.
 * @param loadedFiles the files of the code as they were loaded
 * @returns a function that ends it
 */
export function watchCode(main: string, loadedFiles: () => LoadedFiles, onChange: () => void): () => void {
  const folder = folderBeside(main);
  /** The main file and the folder's, whose coming and going counts, too. */
  const own = () =>
    [main, ...namesIn(folder).map((name) => join(folder, name))].map((file) => file + signatureOf(file));
  let knownOwn = own();
  /** Changes that were told, until the code is loaded again. */
  const told = new Map<string, string>();
  const timer = setInterval(() => {
    const nowOwn = own();
    const changed = Object.entries(loadedFiles()).filter(([file, loaded]) => {
      const now = signatureOf(file);
      if (now === loaded || now === told.get(file)) return false;
      told.set(file, now);
      return true;
    });
    const isSame = isDeepStrictEqual(nowOwn, knownOwn) && changed.length === 0;
    knownOwn = nowOwn;
    if (!isSame) onChange();
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}
