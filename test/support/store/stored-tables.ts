/** The tables of a service as another program sees them, in the engine on which the test runs. */
import { join } from "node:path";
import { inject } from "vitest";
import pg from "pg";
import { databaseUrl } from "./postgres-server.ts";
import { databaseName } from "./test-database.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

const stores = {
  app: { file: "hearth.db", schema: "hearth" },
  provider: { file: "provider.db", schema: "hearth_provider" },
} as const;

export interface StoredTables extends AsyncDisposable {
  /** A question mark stands for a value. */
  all<Row = Record<string, unknown>>(query: string, ...values: readonly unknown[]): Promise<Row[]>;
  /** Statements without values. */
  run(statements: string): Promise<void>;
  /** The names of all tables, sorted. */
  names(): Promise<string[]>;
}

/** Whether application servers and simulators of this test have their data in PostgreSQL. */
export const onPostgres = (): boolean => inject("postgres") !== undefined;

/** The member of a column with JSON, as SQL; it is a number. */
export const jsonNumber = (column: string, member: string): string =>
  onPostgres() ? `(${column}::json ->> '${member}')::bigint` : `json_extract(${column}, '$.${member}')`;

/** @param folder the data directory */
export async function openTables(folder: string, service: keyof typeof stores): Promise<StoredTables> {
  const { file, schema } = stores[service];
  const socket = inject("postgres");
  return socket === undefined ? openFile(join(folder, file)) : openSchema(socket, databaseName(folder), schema);
}

function openFile(file: string): StoredTables {
  const sqlite = new Sqlite(file);
  return {
    all: async <Row>(query: string, ...values: readonly unknown[]) => sqlite.prepare(query).all(values) as Row[],
    run: async (statements) => void sqlite.exec(statements),
    names: async () =>
      sqlite.prepare("select name from sqlite_schema where type = 'table' order by name").values<string>(),
    [Symbol.asyncDispose]: async () => void sqlite.close(),
  };
}

async function openSchema(socket: string, database: string, schema: string): Promise<StoredTables> {
  const numeric = new Set<number>([pg.types.builtins.INT8]);
  const getTypeParser = ((oid: number) =>
    numeric.has(oid) ? Number : pg.types.getTypeParser(oid)) as unknown as pg.CustomTypesConfig["getTypeParser"];
  const client = new pg.Client({ connectionString: databaseUrl(socket, database), types: { getTypeParser } });
  await client.connect();
  await client.query(`set search_path = ${schema}`);
  const all = async <Row>(query: string, ...values: readonly unknown[]) => {
    let count = 0;
    return (
      await client.query(
        query.replaceAll("?", () => `$${String(++count)}`),
        [...values],
      )
    ).rows as Row[];
  };
  return {
    all,
    run: async (statements) => void (await client.query(statements)),
    names: async () =>
      (
        await all<{ name: string }>(
          "select tablename as name from pg_tables where schemaname = ? order by name",
          schema,
        )
      ).map(({ name }) => name),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
