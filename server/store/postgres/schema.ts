/** Creates and checks the schema that holds Hearth's tables. */
import { sql, type QueryExecutorProvider, type Transaction } from "kysely";
import pg from "pg";
import { withoutPassword } from "../../contract/process/database-url.ts";
import { DatabaseProblem, otherHearth, otherProblem } from "../database-problem.ts";
import { connectMs } from "./connections.ts";

/** The schema's comment, by which Hearth recognizes its own. */
const mark = "Made and kept by Hearth.";

/** PostgreSQL's JSON has neither NUL nor half a surrogate pair. */
const documentAsJson = `case when position('\\u' in document) = 0 then document
      else regexp_replace(document, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g') end::jsonb`;

/**
 * Functions that SQLite has built in: a member of a JSON document, with 1 and 0 for true and false and null for a
 * missing one, its type, the order of members, by kind and then by value, and items of a list.
 */
const functions = `
create or replace function json_member(document text, path text) returns jsonb
language sql immutable strict parallel safe as $$
  select case found when 'null' then null when 'true' then '1'::jsonb when 'false' then '0'::jsonb else found end
  from jsonb_path_query_first(${documentAsJson}, path::jsonpath) as found
$$;
create or replace function json_type(document text, path text) returns text
language sql immutable strict parallel safe as $$
  select jsonb_typeof(jsonb_path_query_first(${documentAsJson}, path::jsonpath))
$$;
create or replace function json_has(document text, path text, item text) returns boolean
language sql immutable strict parallel safe as $$
  select coalesce(jsonb_typeof(list) = 'array' and list @> jsonb_build_array(item::jsonb), false)
  from json_member(document, path) as list
$$;
do $$ begin
  if to_regtype('json_rank') is null then
    create type json_rank as (kind int, number numeric, string text collate "C");
  end if;
end $$;
create or replace function json_order(document text, path text) returns json_rank
language plpgsql immutable strict parallel safe as $$
declare member jsonb := json_member(document, path);
begin
  if member is null then return null; end if;
  if jsonb_typeof(member) = 'number' then return row(0, member::numeric, null)::json_rank; end if;
  return row(1, null, member #>> '{}')::json_rank;
end $$;`;

interface Options {
  readonly url: string;
  readonly schema: string;
  /** The names of all migrations of this version. */
  readonly known: readonly string[];
}

/**
 * Creates the schema if needed, and runs `migrate` while no other instance does.
 * @throws DatabaseProblem when the database cannot be used, or the schema holds somebody else's tables or those of
 * another Hearth
 */
export function withSchema({ url, schema, known }: Options, migrate: () => Promise<void>): Promise<void> {
  return withClient(url, { application_name: schema }, async (client, unusable) => {
    await client.query("select pg_advisory_lock(hashtext('migrate'), hashtext($1))", [schema]).catch(unusable);
    await requireOwn(client, schema, known).catch(unusable);
    await migrate();
  });
}

/** Checks that `withSchema` can begin, without changes or long waits. @throws DatabaseProblem as `withSchema` */
export function checkPostgresSchema({ url, schema, known }: Options): Promise<void> {
  const limits = { connectionTimeoutMillis: connectMs, query_timeout: connectMs };
  return withClient(url, limits, async (client, unusable) => {
    await readSchema(client, schema, known).catch(unusable);
  });
}

/** @param use gets a function that throws a DatabaseProblem for any error */
async function withClient(
  url: string,
  options: pg.ClientConfig,
  use: (client: pg.Client, unusable: (error: unknown) => never) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, ...options });
  client.on("error", () => undefined); // the next statement reports it
  const unusable = (error: unknown): never => {
    if (error instanceof DatabaseProblem) throw error;
    throw new DatabaseProblem(
      "database_unusable",
      `PostgreSQL cannot be used at ${withoutPassword(url)} (${reasonOf(error)}): check the database, or correct database_url`,
      { cause: error },
    );
  };
  await client.connect().catch(unusable);
  try {
    await use(client, unusable);
  } finally {
    await client.end();
  }
}

/** Makes the rest of a transaction write to another schema of the database. Returns it with that schema's tables. */
export async function enterSchema<Tables>(trx: QueryExecutorProvider, schema: string): Promise<Transaction<Tables>> {
  await sql`set local search_path = ${sql.id(schema)}`.execute(trx);
  await sql`select pg_advisory_xact_lock(hashtext(${schema}))`.execute(trx);
  return trx as Transaction<Tables>;
}

/** Node reports a host with several addresses by an error without a message of its own. */
function reasonOf(error: unknown): string {
  const { message, errors = [] } = error as { message?: string; errors?: readonly Error[] };
  return message === undefined || message === "" ? errors.map((one) => one.message).join(", ") : message;
}

/** Returns whether the schema exists, and is Hearth's. */
async function readSchema(client: pg.Client, schema: string, known: readonly string[]) {
  const { rows } = await client.query<{ comment: string | null; held: string[] | null }>(
    `select obj_description(oid, 'pg_namespace') as comment,
       (select array_agg(relname::text order by relname) from pg_class where relnamespace = pg_namespace.oid) as held
     from pg_namespace where nspname = $1`,
    [schema],
  );
  const [found] = rows;
  if (found?.held && found.comment !== mark)
    throw new DatabaseProblem(
      "database_foreign",
      `the schema ${schema} of the database contains objects of others (${found.held.slice(0, 3).join(", ")}): rename that schema, or name another database with database_url`,
    );
  if (found?.held?.includes("kysely_migration") === true) {
    const { rows: ran } = await client.query<{ name: string }>(
      `select name from ${pg.escapeIdentifier(schema)}.kysely_migration order by name`,
    );
    const other = otherHearth(
      ran.map((one) => one.name),
      known,
    );
    if (other)
      throw otherProblem(`the schema ${schema} of the database`, other, "name another database with database_url");
  }
  return { isThere: found !== undefined, isMarked: found?.comment === mark };
}

/** Creates the schema and its functions as this version needs them. */
async function requireOwn(client: pg.Client, schema: string, known: readonly string[]): Promise<void> {
  const name = pg.escapeIdentifier(schema);
  const { isThere, isMarked } = await readSchema(client, schema, known);
  if (!isThere) await client.query(`create schema ${name}`);
  if (!isMarked) await client.query(`comment on schema ${name} is ${pg.escapeLiteral(mark)}`);
  await client.query(`set search_path = ${name}`);
  await client.query(functions);
}
