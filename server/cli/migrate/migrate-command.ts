/** `hearth migrate`: moves the data of the files of SQLite to PostgreSQL. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Kysely } from "kysely";
import { appMigrations, type AppTables } from "../../app/app-tables.ts";
import { withoutPassword } from "../../contract/process/database-url.ts";
import { databaseUrl } from "../../contract/process/setting-values.ts";
import { parseFlags, resolveSettings, SettingsError } from "../../process/settings/read-settings.ts";
import { printLine } from "../../process/terminal/print-text.ts";
import { providerMigrations, type ProviderTables } from "../../provider/provider-tables.ts";
import { endPlacing, isPlacing } from "../../store/backup/restored-data.ts";
import { copyTables } from "../../store/copy-tables.ts";
import type { Database, Migrations } from "../../store/database.ts";
import { openDatabase as openSchema } from "../../store/postgres/open-database.ts";
import { enterSchema } from "../../store/postgres/schema.ts";
import { openDatabase as openFile } from "../../store/sqlite/open-database.ts";
import { describeHolder, takeInstanceLock } from "../../supervisor/data-directory/instance-lock.ts";
import { RunError } from "../../supervisor/run-error.ts";

export const migrateHelp = `Usage: hearth migrate [--to URL] [--data-dir DIR]

Copies what the application server and the provider simulator have in the data directory into a PostgreSQL database, while no
Hearth runs on it: users, sessions, collections, orders, events, chats, the provider's state and keys, all or nothing. The
database must not have data of Hearth yet. What was copied is counted; the files stay as they are. Uploads, models and recorded
requests stay in the data directory.
  --to URL        postgres://user:password@host/database; else that of HEARTH_DATABASE_URL, which other users of the machine
                  cannot read
  --data-dir DIR  as for hearth serve

Exit code: 0 done, 1 could not be done, 2 bad usage.
`;

/** @throws SettingsError for what is no such address; the message does not have it */
function readUrl(given: string | undefined): string {
  const { data } = databaseUrl.safeParse(given);
  if (data === undefined)
    throw new SettingsError("hearth migrate needs --to postgres://user:password@host/database, or HEARTH_DATABASE_URL");
  return data;
}

/** A file and the schema that takes its data. */
interface Move<Tables> extends AsyncDisposable {
  readonly from: Kysely<Tables>;
  readonly to: Database<Tables>;
}

async function openMove<Tables>(
  file: string,
  url: string,
  schema: string,
  migrations: Migrations,
): Promise<Move<Tables>> {
  const from: Database<Tables> = await openFile({ file, migrations });
  try {
    const to: Database<Tables> = await openSchema({ url, schema, migrations });
    return {
      from: from.db,
      to,
      async [Symbol.asyncDispose]() {
        await to.close();
        await from.close();
      },
    };
  } catch (error) {
    await from.close();
    throw error;
  }
}

const simulators = "hearth_provider";

const sumOf = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** @returns the number of rows of application server and simulator: one commit brings both */
async function moveAll(dataDir: string, url: string): Promise<{ app: number; provider: number }> {
  const file = (name: string) => join(dataDir, name);
  await using app = await openMove<AppTables>(file("hearth.db"), url, "hearth", appMigrations);
  await using provider = await openMove<ProviderTables>(file("provider.db"), url, simulators, providerMigrations);
  return await app.to.db.transaction().execute(async (trx) => {
    const ofApp = sumOf(await copyTables(app.from, trx));
    const ofProvider = sumOf(await copyTables(provider.from, await enterSchema<ProviderTables>(trx, simulators)));
    await provider.to.instances?.tell("write", trx);
    return { app: ofApp, provider: ofProvider };
  });
}

/**
 * @param argv what follows `migrate` on the command line
 * @returns the exit code
 * @throws RunError while a Hearth uses the data directory, or where the data cannot be copied
 */
export async function migrateCommand(argv: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<number> {
  const { own } = parseFlags(argv, {
    own: { to: { type: "string" }, "data-dir": { type: "string" } },
    settings: [],
    most: 0,
  });
  const url = readUrl(own.to ?? env["HEARTH_DATABASE_URL"]);
  const given = own["data-dir"];
  const dataDir = given === undefined ? resolveSettings({}, env, cwd).data_dir : resolve(cwd, given);
  if (!isPlacing(dataDir) && !existsSync(join(dataDir, "hearth.db")))
    throw new RunError(`there is no data of Hearth in ${dataDir}; name its folder with --data-dir`);
  const taken = await takeInstanceLock(dataDir, () => ({ pid: process.pid, window: false }));
  if (!("lock" in taken)) throw new RunError(describeHolder(dataDir, taken.holder));
  const shown = withoutPassword(url);
  try {
    const moving = endPlacing(dataDir).then(() => moveAll(dataDir, url));
    const { app, provider } = await moving.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RunError(`the data cannot be copied to ${shown}: ${reason}`);
    });
    printLine(
      `copied ${String(app)} rows of the application server and ${String(provider)} of the simulator to ${shown}`,
    );
    printLine(`start Hearth with HEARTH_DATABASE_URL from now on; the files stay as they are in ${dataDir}`);
    return 0;
  } finally {
    await taken.lock.release();
  }
}
