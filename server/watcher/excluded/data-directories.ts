import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { versionNote } from "../../contract/process/backup-names.ts";
import { prefixBelow } from "../../file-system/compare-paths.ts";

/** The files that every data directory of Hearth has. */
const marks: readonly string[] = [versionNote, "lock.db"];

/**
 * Recognizes the data directories of other Hearths among the paths of events. One of them may be the receiver, whose
 * database changes with each event that it stores. `onFound` is called once with each.
 */
export function createDataDirectories(onFound: (folder: string) => void) {
  const found = new Set<string>();
  function look(path: string): void {
    if (!marks.includes(basename(path))) return;
    const folder = dirname(path);
    const isOne = marks.every((mark) => existsSync(join(folder, mark)));
    if (isOne && !found.has(folder)) onFound(folder);
    if (isOne) found.add(folder);
    else found.delete(folder);
  }
  const has = (path: string): boolean => {
    look(path);
    return [...found].some((folder) => path.startsWith(prefixBelow(folder)));
  };
  return {
    /** Whether the path lies in one of them. */
    has,
    /** The same of entries of one folder. */
    hasEach(paths: readonly string[]): boolean[] {
      paths.forEach(look);
      return paths.map(has);
    },
  };
}
