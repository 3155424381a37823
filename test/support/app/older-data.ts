/** A data directory as a Hearth has left it that lacks the newest migration of this one. */
import { join } from "node:path";
import { appMigrations } from "../../../server/app/app-migrations.ts";
import { providerMigrations } from "../../../server/provider/provider-tables.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { noteVersion } from "../../../server/supervisor/data-directory/data-version.ts";
import { addUpload } from "./backup-scene.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

export const olderVersion = "0.0.9";
export const newestMigration = Object.keys(appMigrations).sort().at(-1) ?? "";

/** @param dataDir an empty folder */
export async function writeOlderData(dataDir: string): Promise<void> {
  const known = Object.fromEntries(Object.entries(appMigrations).filter(([name]) => name !== newestMigration));
  await (await openDatabase({ file: join(dataDir, "hearth.db"), migrations: known })).close();
  await (await openDatabase({ file: join(dataDir, "provider.db"), migrations: providerMigrations })).close();
  addUpload(dataDir, Buffer.from("a file of before"));
  noteVersion(dataDir, olderVersion);
}

export function migrationsOf(dataDir: string): unknown[] {
  const sqlite = new Sqlite(join(dataDir, "hearth.db"), { readOnly: true });
  try {
    return sqlite.prepare("select name from kysely_migration order by name").values();
  } finally {
    sqlite.close();
  }
}
