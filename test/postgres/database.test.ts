/** The database that a team may have. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, inject, it } from "vitest";
import { openDatabase } from "../../server/store/postgres/open-database.ts";
import { connectTo } from "../support/store/postgres-server.ts";
import { testDatabaseUrl } from "../support/store/test-database.ts";
import { itIsADatabase } from "../unit/store/database-contract.ts";

itIsADatabase(() => {
  const name = `things-${randomUUID()}`;
  return {
    open: async (migrations) =>
      openDatabase({ url: (await testDatabaseUrl(name)) ?? "", schema: "things", migrations }),
    dispose: () => undefined,
  };
});

it("goes on after a transaction that could not begin in the time that the server gives it", async () => {
  const name = `things-${randomUUID()}`;
  const url = `${(await testDatabaseUrl(name)) ?? ""}&options=${encodeURIComponent("-c lock_timeout=20")}`;
  const { db, close } = await openDatabase({ url, schema: "things", migrations: {} });
  const one = () => db.transaction().execute(async (trx) => (await sql`select 1 as one`.execute(trx)).rows);
  {
    await using other = await connectTo(inject("postgres") ?? "", name);
    await other.query("begin; select pg_advisory_xact_lock(hashtext('things'))");
    await expect(one()).rejects.toMatchObject({ name: "StoreProblem", code: "database_unreachable" });
  }
  await expect.poll(one).toEqual([{ one: 1 }]); // the other's lock ends a moment after its connection
  await close();
});

it("has the server keep no statement for each of ever other reads", async () => {
  const url = (await testDatabaseUrl(`things-${randomUUID()}`)) ?? "";
  const { db, reads, close } = await openDatabase({ url, schema: "things", migrations: {} });
  const read = (text: string) =>
    reads.prepare<{ n: number }>({ compile: () => sql<{ n: number }>`${sql.raw(text)}`.compile(db) })();
  for (let n = 0; n < 600; n++) expect(await read(`select ${String(n)} as n`)).toEqual([{ n }]);
  const [kept] = await read("select count(*) as n from pg_prepared_statements");
  expect(kept?.n).toBeLessThan(400);
  await close();
});
