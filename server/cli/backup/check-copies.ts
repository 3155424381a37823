/** Checks the copies of databases: their integrity, their version, and the contents that they refer to. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { appMigrations } from "../../app/app-migrations.ts";
import { providerMigrations } from "../../provider/provider-tables.ts";
import {
  checkDatabase,
  DatabaseProblem,
  otherHearth,
  ranMigrations,
  type OtherHearth,
} from "../../store/database-problem.ts";
import { databases } from "./backup-format.ts";
import { Sqlite } from "../../store/native-sqlite.ts";

export const knownMigrations = {
  "hearth.db": Object.keys(appMigrations),
  "provider.db": Object.keys(providerMigrations),
};

/**
 * Checks the copies in a folder. @throws Error for a damaged one
 * @returns the newest migration of each, another Hearth that made one of them, which this one cannot use, and the digests
 * of uploaded contents
 */
export function checkCopies(folder: string) {
  const schemas: Record<string, string> = {};
  let other: OtherHearth | undefined;
  let named = new Set<string>();
  for (const name of databases.filter((one) => existsSync(join(folder, one)))) {
    const sqlite = new Sqlite(join(folder, name), { readOnly: true });
    try {
      checkWhole(sqlite, name);
      const ran = ranMigrations(sqlite);
      schemas[name] = ran.at(-1) ?? "";
      other ??= otherHearth(ran, knownMigrations[name]);
      if (name === "hearth.db") named = digestsIn(sqlite);
    } finally {
      sqlite.close();
    }
  }
  return { schemas, other, named };
}

function digestsIn(sqlite: Sqlite): Set<string> {
  const made = sqlite.prepare("select 1 from sqlite_master where name = 'uploads'").get();
  if (made === undefined) return new Set();
  return new Set(sqlite.prepare("select distinct sha256 from uploads").values<string>());
}

function checkWhole(sqlite: Sqlite, name: string): void {
  try {
    checkDatabase(sqlite, "integrity_check");
  } catch (error) {
    throw error instanceof DatabaseProblem ? new Error(`${name} is damaged`, { cause: error }) : error;
  }
}
