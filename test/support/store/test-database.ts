/** The database of a test's application server and simulator: files, or PostgreSQL in tests that run on it. */
import { basename } from "node:path";
import { inject } from "vitest";
import { connectTo, databaseUrl } from "./postgres-server.ts";

/** The name of a data directory's database. */
export const databaseName = (folder: string): string => basename(folder);

/**
 * @param folder the data directory, which has one database for all runs
 * @returns its setting `database_url`; undefined for files
 */
export async function testDatabaseUrl(folder: string): Promise<string | undefined> {
  const socket = inject("postgres");
  if (socket === undefined) return undefined;
  const name = databaseName(folder);
  await using client = await connectTo(socket);
  const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
  if (rowCount === 0) await client.query(`create database "${name}"`);
  return databaseUrl(socket, name);
}

/** Takes the room of a database that no run needs any more. */
export async function dropTestDatabase(folder: string): Promise<void> {
  const socket = inject("postgres");
  if (socket === undefined) return;
  await using client = await connectTo(socket);
  await client.query(`drop database if exists "${databaseName(folder)}" with (force)`);
}

/**
 * Cuts connections to one test's database, as an outage does: other tests' databases are on the same server.
 * @param applications their application names, as a pattern of `like`
 */
export async function cutConnections(database: string, applications: string): Promise<void> {
  await using client = await connectTo(inject("postgres") ?? "");
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like $2",
    [database, applications],
  );
}

/** Runs `work` while applications reach one test's database no more: `applications` as for `cutConnections`. */
export async function whileUnreachable(
  database: string,
  applications: string,
  work: () => Promise<void>,
): Promise<void> {
  await using client = await connectTo(inject("postgres") ?? "");
  const allow = (are: boolean) => client.query(`alter database "${database}" with allow_connections ${String(are)}`);
  await allow(false);
  try {
    await cutConnections(database, applications);
    await work();
  } finally {
    await allow(true);
  }
}
