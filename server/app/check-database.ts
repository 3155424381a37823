import type { Settings } from "../contract/process/settings.ts";
import { SettingsError } from "../process/settings/read-settings.ts";
import { DatabaseProblem } from "../store/database-problem.ts";
import { appMigrations, appSchema } from "./app-tables.ts";

/** Checks that a start can use the database that the settings name, if they do. @throws SettingsError */
export async function checkDatabaseSetting({ database_url: url }: Settings): Promise<void> {
  if (url === undefined) return;
  const { checkPostgresSchema } = await import("../store/postgres/schema.ts");
  try {
    await checkPostgresSchema({ url, schema: appSchema, known: Object.keys(appMigrations) });
  } catch (error) {
    if (!(error instanceof DatabaseProblem)) throw error;
    throw new SettingsError(`database_url: ${error.message}`, { cause: error });
  }
}
