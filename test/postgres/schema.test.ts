/** Whose tables a schema holds, and what happens where instances start together. */
import { randomUUID } from "node:crypto";
import { sql, type Kysely } from "kysely";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { appMigrations } from "../../server/app/app-migrations.ts";
import type { Migrations } from "../../server/store/database.ts";
import { openDatabase } from "../../server/store/postgres/open-database.ts";
import { providerMigrations } from "../../server/provider/provider-tables.ts";
import { connectTo } from "../support/store/postgres-server.ts";
import { testDatabaseUrl } from "../support/store/test-database.ts";

let name: string;
let url: string;
beforeEach(async () => {
  name = `schema-${randomUUID()}`;
  url = (await testDatabaseUrl(name)) ?? "";
});
const query = async (text: string) => {
  await using client = await connectTo(inject("postgres") ?? "", name);
  return (await client.query(text)).rows as Record<string, unknown>[];
};
const open = (migrations: Migrations, at = url) => openDatabase({ url: at, schema: "hearth", migrations });

describe("a schema", () => {
  it("gets each migration once, of application server and simulator, where ten instances of them start together", async () => {
    const instances = Array.from({ length: 10 }, async (_, index) => {
      const isApp = index % 2 === 0;
      const schema = isApp ? "hearth" : "hearth_provider";
      return openDatabase({ url, schema, migrations: isApp ? appMigrations : providerMigrations });
    });
    for (const opened of await Promise.all(instances)) await opened.close();
    for (const [schema, migrations] of Object.entries({ hearth: appMigrations, hearth_provider: providerMigrations })) {
      const ran = await query(`select name from ${schema}.kysely_migration order by name`);
      expect(ran.map((row) => row["name"])).toEqual(Object.keys(migrations).sort());
    }
  });

  it("that holds somebody else's tables is refused by their names, and nothing is changed in it", async () => {
    await query(
      "create schema hearth; create table hearth.invoices (id int); create table hearth.kysely_migration (name text)",
    );
    await expect(open(appMigrations)).rejects.toMatchObject({
      code: "database_foreign",
      message: expect.stringContaining("invoices, kysely_migration") as unknown,
    });
    const tables = await query("select tablename from pg_tables where schemaname = 'hearth' order by 1");
    expect(tables.map((row) => row["tablename"])).toEqual(["invoices", "kysely_migration"]);
  });

  it("of the user's own stays as it is: tables outside of Hearth's schema are neither seen nor touched", async () => {
    await query("create table public.articles (id int); create table public.events (id int)");
    await (await open(appMigrations)).close();
    expect(await query("select * from public.events")).toEqual([]);
    const columns = await query("select count(*) as n from information_schema.columns where table_schema = 'public'");
    expect(columns).toEqual([{ n: "2" }]);
  });

  it("that was made empty for Hearth is taken, without the right to make one", async () => {
    await query("create schema hearth");
    await (await open(appMigrations)).close();
    await (await open(appMigrations)).close();
  });

  it("of a newer Hearth is refused, and says so", async () => {
    await (await open({ ...appMigrations, "9999_later": { up: async () => undefined } })).close();
    await expect(open(appMigrations)).rejects.toMatchObject({
      code: "database_newer",
      message: expect.stringContaining("9999_later") as unknown,
    });
  });

  it("of a trial version from before 0.1.0 is refused, with the way out", async () => {
    await (await open({ "0001_sessions": { up: async () => undefined } })).close();
    await expect(open(appMigrations)).rejects.toMatchObject({
      code: "database_too_old",
      message: expect.stringMatching(/before Hearth 0\.1\.0 .*0001_sessions.*: name another database/) as unknown,
    });
  });

  it("is reported without the password where the database cannot be reached", async () => {
    const error = await open(appMigrations, "postgres://ada:never-to-be-shown@127.0.0.1:1/db?password=hidden").catch(
      (reason: unknown) => reason as Error,
    );
    expect(error).toMatchObject({ code: "database_unusable" });
    expect(String((error as Error).message)).toContain("postgres://ada@127.0.0.1:1/db");
    expect(String((error as Error).message)).not.toMatch(/never-to-be-shown|hidden/);
  });
});

describe("a connection", () => {
  it("that the server ends is replaced, and what was committed is there", async () => {
    interface Tables {
      notes: { id: number; text: string };
    }
    const make = (db: Kysely<unknown>) =>
      db.schema
        .createTable("notes")
        .addColumn("id", "integer", (c) => c.primaryKey())
        .addColumn("text", "text")
        .execute();
    const { db, writes, reads, close } = await openDatabase<Tables>({
      url,
      schema: "hearth",
      migrations: { "0001_notes": { up: make } },
    });
    const add = (id: number) =>
      writes.write(() => writes.run(db.insertInto("notes").values({ id, text: "kept" }).returning("id")));
    const all = reads.prepare(db.selectFrom("notes").select("id").orderBy("id"));
    await add(1);
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    );
    await expect.poll(async () => add(2).catch(() => undefined)).toEqual([{ id: 2 }]);
    await expect.poll(async () => Promise.resolve(all()).catch(() => undefined)).toEqual([{ id: 1 }, { id: 2 }]);
    const failing = db.selectFrom("notes").select(sql`no_such_column`.as("x"));
    await expect(writes.write(() => writes.run(failing))).rejects.toThrow("no_such_column");
    expect(await add(3)).toEqual([{ id: 3 }]);
    await close();
  });
});
