/** The setting database_url over the console's API: a database that the next start would refuse is not written. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { authorized } from "../support/app/user-files.ts";
import { connectTo, databaseUrl } from "../support/store/postgres-server.ts";
import { testDatabaseUrl } from "../support/store/test-database.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

let name: string;
let url: string;
beforeEach(async () => {
  name = `setting-${randomUUID()}`;
  url = (await testDatabaseUrl(name)) ?? "";
});
const query = async (text: string) => {
  await using client = await connectTo(inject("postgres") ?? "", name);
  return (await client.query(text)).rows as unknown[];
};
async function change(database_url: string) {
  const reply = await fetch(`${app.url}/console/api/settings`, {
    method: "PATCH",
    headers: { ...authorized, "content-type": "application/json" },
    body: JSON.stringify({ values: { database_url } }),
  });
  const text = await reply.text();
  expect(text).not.toContain("never-to-be-shown");
  return [reply.status, text] as const;
}
const schemas = "select 1 from pg_namespace where nspname like 'hearth%'";

describe("a changed database_url", () => {
  it("may be that of an empty database, in which nothing is made yet, and of one of Hearth's own", async () => {
    expect((await change(url))[0]).toBe(200);
    expect(await query(schemas)).toEqual([]);
    expect((await change(app.settings.database_url ?? ""))[0]).toBe(200);
  });

  it.each([
    ["that is not there", async () => databaseUrl(inject("postgres") ?? "", "not-there"), "not-there"],
    [
      "with somebody else's tables in Hearth's schema",
      async () => {
        await query("create schema hearth; create table hearth.invoices (id int)");
        return url;
      },
      "invoices",
    ],
    [
      "of a newer Hearth",
      async () => {
        await query(
          "create schema hearth; comment on schema hearth is 'Made and kept by Hearth.'; create table hearth.kysely_migration (name text); insert into hearth.kysely_migration values ('9999_later')",
        );
        return url;
      },
      "9999_later",
    ],
  ])("is refused where it names a database %s", async (_, make, named) => {
    const [status, text] = await change(await make());
    expect([status, text]).toEqual([400, expect.stringContaining("database_url: ")]);
    expect(text).toContain(named);
  });
});
