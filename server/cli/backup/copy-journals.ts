/** Copies the watcher's journals of a data directory, while a Hearth may be writing. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { journalPattern } from "../../contract/process/backup-names.ts";
import { ifMissing } from "../../file-system/is-missing.ts";

/**
 * Copies them into a folder and replaces earlier copies. Call it before the databases are copied: an event that is
 * delivered moves from its journal to the database, so it may be in both copies, but is stored once by its id.
 * @returns their paths below the folder
 */
export async function copyJournals(dataDir: string, folder: string): Promise<string[]> {
  const [from, to] = [join(dataDir, "watch"), join(folder, "watch")];
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { mode: 0o700 });
  const copied: string[] = [];
  for (const name of await readdir(from).catch(ifMissing([]))) {
    if (!journalPattern.test(name)) continue;
    // Read at once, because a journal may be emptied at any moment.
    const journal = await readFile(join(from, name)).catch(ifMissing(undefined));
    if (!journal) continue;
    await writeFile(join(to, name), journal, { mode: 0o600 });
    copied.push(`watch/${name}`);
  }
  return copied;
}
