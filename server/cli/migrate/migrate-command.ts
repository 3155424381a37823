/** `hearth migrate`: moves the data of the files of SQLite to PostgreSQL. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { appSchema } from "../../app/check-database.ts";
import { appMigrations } from "../../app/app-migrations.ts";
import type { AppTables } from "../../app/features.ts";
import { backupsFolder, migrationCopies } from "../../contract/process/backup-names.ts";
import { withoutPassword } from "../../contract/process/database-url.ts";
import { databaseUrl } from "../../contract/process/setting-values.ts";
import { resolveSettings, SettingsError } from "../../process/settings/read-settings.ts";
import { printLine } from "../../process/terminal/print-text.ts";
import { providerMigrations, type ProviderTables } from "../../provider/provider-tables.ts";
import { endPlacing, isPlacing } from "../../store/backup/restored-data.ts";
import { otherProblem } from "../../store/database-problem.ts";
import { copyTables } from "../../store/copy-tables.ts";
import type { Database } from "../../store/database.ts";
import { openDatabase as openSchema } from "../../store/postgres/open-database.ts";
import { enterSchema } from "../../store/postgres/schema.ts";
import { openDatabase as openFile } from "../../store/sqlite/open-database.ts";
import { noteDatabase } from "../../supervisor/data-directory/database-note.ts";
import { describeHolder, takeInstanceLock } from "../../supervisor/data-directory/instance-lock.ts";
import { RunError } from "../../supervisor/run-error.ts";
import { checkCopies } from "../backup/check-copies.ts";
import { copyDatabases } from "../backup/copy-databases.ts";
import { makePartFolder } from "../backup/part-folder.ts";
import type { CommandContext } from "../command.ts";
import type { MigrateInput } from "./migrate-input.ts";

/** @throws SettingsError for an invalid address, without quoting it */
function readUrl(given: string | undefined): string {
  const { data } = databaseUrl.safeParse(given);
  if (data === undefined)
    throw new SettingsError("hearth migrate needs --to postgres://user:password@host/database, or HEARTH_DATABASE_URL");
  return data;
}

/** Copies the files, and reads and migrates the copies instead of them. @throws Error for unreadable files */
async function copyFiles(dataDir: string) {
  const backups = join(dataDir, backupsFolder);
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const folder = await makePartFolder(join(backups, migrationCopies));
  try {
    await copyDatabases(dataDir, folder.path, () => undefined);
    const { other } = checkCopies(folder.path);
    if (other) throw otherProblem(`the data in ${dataDir}`, other, "choose another folder with --data-dir");
    return folder;
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

const simulators = "hearth_provider";

const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Moves both databases in one commit. Returns the number of rows of each. */
async function moveAll(dataDir: string, url: string): Promise<{ app: number; provider: number }> {
  const open = async <Tables>(opening: Promise<Database<Tables>>) => {
    const database = await opening;
    return { ...database, [Symbol.asyncDispose]: () => database.close() };
  };
  // This comes first: without PostgreSQL, nothing needs to be copied.
  await using app = await open<AppTables>(openSchema({ url, schema: appSchema, migrations: appMigrations }));
  await using provider = await open<ProviderTables>(
    openSchema({ url, schema: simulators, migrations: providerMigrations }),
  );
  await using files = await copyFiles(dataDir);
  const file = (name: string) => join(files.path, name);
  await using ofApp = await open<AppTables>(openFile({ file: file("hearth.db"), migrations: appMigrations }));
  await using ofProvider = await open<ProviderTables>(
    openFile({ file: file("provider.db"), migrations: providerMigrations }),
  );
  return await app.db.transaction().execute(async (trx) => {
    const rows = sumOf(await copyTables(ofApp.db, trx));
    const simulated = sumOf(await copyTables(ofProvider.db, await enterSchema<ProviderTables>(trx, simulators)));
    await provider.instances?.notify("write", trx);
    return { app: rows, provider: simulated };
  });
}

/** @throws RunError while a Hearth uses the data directory, or if the data cannot be copied */
export async function migrateData(
  { to, data_dir: given }: MigrateInput,
  { env, cwd }: Pick<CommandContext, "env" | "cwd">,
): Promise<number> {
  const url = readUrl(to ?? env["HEARTH_DATABASE_URL"]);
  const dataDir = given === undefined ? resolveSettings({}, env, cwd).data_dir : resolve(cwd, given);
  if (!isPlacing(dataDir) && !existsSync(join(dataDir, "hearth.db")))
    throw new RunError(`${dataDir} contains no Hearth data; name the data directory with --data-dir`);
  const taken = await takeInstanceLock(dataDir, () => ({ pid: process.pid, window: false }));
  if (!("lock" in taken)) throw new RunError(describeHolder(dataDir, taken.holder));
  const place = withoutPassword(url);
  try {
    const moving = endPlacing(dataDir).then(() => moveAll(dataDir, url));
    const { app, provider } = await moving.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RunError(`the data cannot be copied to ${place}: ${reason}`);
    });
    noteDatabase(dataDir, url);
    printLine(
      `copied ${String(app)} rows of the application server and ${String(provider)} of the simulator to ${place}`,
    );
    printLine(`start Hearth with HEARTH_DATABASE_URL from now on; the files in ${dataDir} are unchanged`);
    return 0;
  } finally {
    await taken.lock.release();
  }
}
