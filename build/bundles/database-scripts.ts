/** Writes what the migrations make of an empty database as one script of SQL, which server/store/sqlite/create-tables.ts runs. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { appMigrations } from "../../server/app/app-migrations.ts";
import { providerMigrations } from "../../server/provider/provider-tables.ts";
import { openDatabase } from "../../server/store/sqlite/open-database.ts";

const databases = { hearth: appMigrations, provider: providerMigrations };

/** @param folder the built files */
export async function writeDatabaseScripts(folder: string): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), "hearth-scripts-"));
  try {
    await mkdir(join(folder, "new-databases"), { recursive: true });
    for (const [name, migrations] of Object.entries(databases)) {
      const file = join(temporary, `${name}.db`);
      await (await openDatabase({ file, migrations })).close();
      await writeFile(join(folder, "new-databases", `${name}.sql`), scriptOf(file));
    }
  } finally {
    await rm(temporary, { recursive: true });
  }
}

function scriptOf(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  const entries = database
    .prepare(
      "select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid",
    )
    .all() as { type: string; name: string; sql: string }[];
  const rows = entries.filter(({ type }) => type === "table").flatMap(({ name }) => insertsOf(database, name));
  database.close();
  return [...entries.map(({ sql }) => sql), ...rows].map((statement) => `${statement};\n`).join("");
}

/** Statements that insert a table's rows. */
function insertsOf(database: DatabaseSync, table: string): string[] {
  const columns = database.prepare(`select * from "${table}"`).columns();
  const values = columns.map(({ name }) => `quote("${name}")`).join(" || ', ' || ");
  const rows = database.prepare(`select ${values} as row from "${table}"`).all() as { row: string }[];
  return rows.map(({ row }) => `insert into "${table}" values (${row})`);
}
