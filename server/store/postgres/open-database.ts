import { randomUUID } from "node:crypto";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Database, Durability, Migrations } from "../database.ts";
import { Connections } from "./connections.ts";
import { createDialect } from "./dialect.ts";
import { createGroupedWrites } from "./grouped-writes.ts";
import { notifyStatement, openInstances } from "./instances.ts";
import { createPreparedReads } from "./prepared-reads.ts";
import { withSchema } from "./schema.ts";

interface Options {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Holds the tables; it is made if needed. */
  readonly schema: string;
  readonly migrations: Migrations;
  readonly durability?: Durability;
}

/**
 * Opens a schema of a PostgreSQL database, and migrates it; of instances that start together, only one migrates.
 * @throws DatabaseProblem when it cannot be used, or holds tables that this version does not know; another error when a
 * migration fails
 */
export async function openDatabase<Tables>({
  url,
  schema,
  migrations,
  durability = "full",
}: Options): Promise<Database<Tables>> {
  const instance = randomUUID();
  const commit = `${notifyStatement({ schema, instance }, "write")}; commit`;
  const connections = new Connections({ url, schema, durability, commit });
  const db = new Kysely<Tables>({ dialect: createDialect(connections) });
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableSchema: schema,
  });
  async function migrate(): Promise<void> {
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw new Error(`a migration failed: ${messageOf(error)}`, { cause: error });
  }
  const opening = withSchema({ url, schema, known: Object.keys(migrations) }, migrate).then(() =>
    openInstances({ url, schema, instance }),
  );
  const instances = await opening.catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  return {
    db,
    reads: createPreparedReads(connections),
    writes: createGroupedWrites(connections),
    instances,
    async close() {
      await db.destroy();
      await instances.close();
    },
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
