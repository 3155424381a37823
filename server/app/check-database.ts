import { message } from "../contract/messages/message.ts";
import type { Settings } from "../contract/process/settings.ts";
import { SettingsError } from "../process/settings/read-settings.ts";
import { DatabaseProblem } from "../store/database-problem.ts";

/** The name of the application server's database in PostgreSQL. */
export const appSchema = "hearth";

/**
 * Checks that a start can use the database that the settings name, if they do.
 * @param known names of the migrations
 * @throws SettingsError
 */
export async function checkDatabaseSetting(
  { database_url: url }: Pick<Settings, "database_url">,
  known: readonly string[],
): Promise<void> {
  if (url === undefined) return;
  const { checkPostgresSchema } = await import("../store/postgres/schema.ts");
  try {
    await checkPostgresSchema({ url, schema: appSchema, known });
  } catch (error) {
    if (!(error instanceof DatabaseProblem)) throw error;
    throw new SettingsError(message("start.database", { problem: error.message }), { cause: error });
  }
}
