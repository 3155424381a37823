/** Copies of the databases of a data directory, all of one moment, while a Hearth may be writing them. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { copyDatabase } from "../../store/backup/copy-database.ts";
import { databases } from "./backup-format.ts";

const busyMs = 10_000;

/**
 * Copies them into a folder, in the place of copies made before. The application server's is taken first: whatever it knows of
 * the provider, such as an order, the provider's has, too.
 * @param onProgress gets the database and the share of it that is done, from 0 to 1
 */
export async function copyDatabases(
  dataDir: string,
  folder: string,
  onProgress: (name: string, share: number) => void,
): Promise<void> {
  const opened: Sqlite.Database[] = [];
  try {
    const names = databases.filter((name) => existsSync(join(dataDir, name)));
    for (const name of names) {
      const sqlite = new Sqlite(join(dataDir, name), { readonly: true, timeout: busyMs });
      opened.push(sqlite);
      sqlite.exec("begin");
      sqlite.prepare("select 1 from sqlite_master").get(); // only now the moment is chosen
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
