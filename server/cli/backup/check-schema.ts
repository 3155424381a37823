/**
 * Refuses databases that contain more than the migrations made: triggers and views would act when Hearth reads or
 * writes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { appMigrations } from "../../app/app-migrations.ts";
import { providerMigrations } from "../../provider/provider-tables.ts";
import type { Migrations } from "../../store/database.ts";
import { otherHearth, ranMigrations } from "../../store/database-problem.ts";
import { entriesAfter, schemaEntries } from "../../store/sqlite/schema-entries.ts";
import { Sqlite } from "../../store/native-sqlite.ts";

const migrationsOf: Readonly<Record<string, Migrations>> = {
  "hearth.db": appMigrations,
  "provider.db": providerMigrations,
};

const noted = "table kysely_migration";

/** Compares the databases in a folder, before anything else reads them. @throws Error that names what is not Hearth's */
export async function checkSchemas(folder: string): Promise<void> {
  for (const [name, migrations] of Object.entries(migrationsOf)) {
    if (!existsSync(join(folder, name))) continue;
    const sqlite = new Sqlite(join(folder, name), { readOnly: true });
    try {
      await checkSchema(sqlite, name, migrations);
    } finally {
      sqlite.close();
    }
  }
}

async function checkSchema(sqlite: Sqlite, name: string, migrations: Migrations): Promise<void> {
  const found = entriesIn(sqlite, name);
  if (found.size === 0) return;
  // The table of executed migrations is compared first.
  if (found.get(noted) !== (await entriesAfter({})).get(noted)) throw notMade(name, noted);
  const ran = ranMigrations(sqlite);
  const other = otherHearth(ran, Object.keys(migrations));
  if (other)
    throw new Error(
      other.isNewer
        ? `a newer Hearth created it (unknown migration ${other.migration}): restore it with that version`
        : `a trial version before Hearth 0.1.0 created it (migration ${other.migration}), and later versions cannot restore it`,
    );
  const of = Object.fromEntries(Object.entries(migrations).filter(([one]) => ran.includes(one)));
  const expected = await entriesAfter(of).catch((error: unknown) => {
    throw new Error(`Hearth did not create its database ${name}: the migrations are out of order`, { cause: error });
  });
  for (const entry of new Set([...found.keys(), ...expected.keys()]))
    if (found.get(entry) !== expected.get(entry)) throw notMade(name, entry);
}

function entriesIn(sqlite: Sqlite, name: string): Map<string, string> {
  try {
    return schemaEntries(sqlite);
  } catch (error) {
    throw new Error(`${name} is damaged (${(error as Error).message})`, { cause: error });
  }
}

const notMade = (name: string, entry: string) =>
  new Error(`its database ${name} has an unexpected ${entry}: the file was changed and may be harmful`);
