import type { Database, Durability, Migrations } from "./database.ts";
import { openDatabase as openFile } from "./sqlite/open-database.ts";

interface Options {
  /** The address of a PostgreSQL database; undefined for a file of SQLite. */
  readonly url: string | undefined;
  /** The name of the schema in PostgreSQL. */
  readonly schema: string;
  readonly file: string;
  readonly migrations: Migrations;
  readonly durability: Durability;
  /** Called with the path of the copy that was made before the tables of an older Hearth were changed. */
  readonly onCopied: (copy: string) => void;
}

/** Opens a service's database with the chosen engine, and migrates it. @throws DatabaseProblem */
export async function openDatabase<Tables>({ url, schema, ...options }: Options): Promise<Database<Tables>> {
  if (url === undefined) return openFile(options);
  const { openDatabase: openSchema } = await import("./postgres/open-database.ts");
  const { migrations, durability } = options;
  return openSchema({ url, schema, migrations, durability });
}
