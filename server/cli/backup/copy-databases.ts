/** Copies the databases of a data directory, all as of one moment, while a Hearth may be writing. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { copyDatabase } from "../../store/backup/copy-database.ts";
import { databases } from "./backup-format.ts";
import { Sqlite } from "../../store/native-sqlite.ts";

const busyMs = 10_000;

/**
 * Copies them into a folder and replaces earlier copies. The application server's moment is fixed first, so that
 * everything it knows from the provider, such as an order, is also in the provider's copy.
 * @param onProgress called with the database and its finished share, from 0 to 1
 */
export async function copyDatabases(
  dataDir: string,
  folder: string,
  onProgress: (name: string, share: number) => void,
): Promise<void> {
  const opened: Sqlite[] = [];
  try {
    const names = databases.filter((name) => existsSync(join(dataDir, name)));
    for (const name of names) {
      const sqlite = new Sqlite(join(dataDir, name), { readOnly: true, busyMs });
      opened.push(sqlite);
      sqlite.exec("begin");
      sqlite.prepare("select 1 from sqlite_master").get(); // only this statement fixes the moment
    }
    for (const [index, name] of names.entries()) {
      const sqlite = opened[index];
      const to = join(folder, name);
      await rm(to, { force: true });
      if (sqlite) await copyDatabase(sqlite, to, { onProgress: (share) => onProgress(name, share) });
    }
  } finally {
    for (const sqlite of opened) sqlite.close();
  }
}
