/** Copies the watcher's journals of a data directory, while a Hearth may be writing. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { journalPattern } from "../../contract/process/backup-names.ts";
import { ifMissing } from "../../file-system/is-missing.ts";

/**
 * Copies them into a folder and replaces earlier copies. An event that is delivered leaves its journal for the database:
 * copied before that, it is at worst in both, and stored once, because it keeps its id.
 * @returns their paths below the folder
 */
export async function copyJournals(dataDir: string, folder: string): Promise<string[]> {
  const [from, to] = [join(dataDir, "watch"), join(folder, "watch")];
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { mode: 0o700 });
  const copied: string[] = [];
  for (const name of await readdir(from).catch(ifMissing([]))) {
    if (!journalPattern.test(name)) continue;
    // At once: a journal may be emptied at any moment.
    const journal = await readFile(join(from, name)).catch(ifMissing(undefined));
    if (!journal) continue;
    await writeFile(join(to, name), journal, { mode: 0o600 });
    copied.push(`watch/${name}`);
  }
  return copied;
}
