/** Before the tables of an older Hearth are changed, its database is copied; without the copy nothing is changed. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Generated, Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database, Migrations } from "../../../server/store/database.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

interface Tables {
  things: { id: Generated<number>; name: string };
}

const tableNamed = (name: string) => ({
  up: (db: Kysely<unknown>) =>
    db.schema
      .createTable(name)
      .addColumn("id", "integer", (c) => c.primaryKey())
      .addColumn("name", "text")
      .execute(),
});
const old: Migrations = { "0001_things": tableNamed("things") };
const newer: Migrations = { ...old, "0002_more": tableNamed("more") };

let folder: ReturnType<typeof temporaryFolder>;
let copied: string[];
const file = () => join(folder.path, "hearth.db");
const backups = () => join(folder.path, "backups");

async function open(migrations: Migrations): Promise<Database<Tables>> {
  const onCopied = (copy: string) => void copied.push(copy);
  return openDatabase<Tables>({ file: file(), migrations, durability: "normal", onCopied });
}

function tablesOf(path: string): unknown[] {
  const sqlite = new Sqlite(path, { readOnly: true });
  try {
    return sqlite.prepare("select name from sqlite_master where type = 'table' and name not like 'kysely%'").values();
  } finally {
    sqlite.close();
  }
}

beforeEach(async () => {
  folder = temporaryFolder();
  copied = [];
  const { db, close } = await open(old);
  await db.insertInto("things").values({ name: "kept" }).execute();
  // As a killed process leaves it: the row is in the journal alone.
  for (const end of ["", "-wal"]) copyFileSync(`${file()}${end}`, `${file()}${end}.left`);
  await close();
  for (const end of ["", "-wal"]) copyFileSync(`${file()}${end}.left`, `${file()}${end}`);
});
afterEach(() => folder[Symbol.dispose]());

describe("a database that is migrated", () => {
  it("is unchanged when a migration fails halfway, and is migrated once that is mended", async () => {
    const failing = async (db: Kysely<unknown>) => {
      await tableNamed("half").up(db);
      throw new Error("no more");
    };
    await expect(open({ ...newer, "0003_half": { up: failing } })).rejects.toThrow("a migration failed: no more");
    expect(tablesOf(file())).toEqual(["things"]);
    await (await open({ ...newer, "0003_half": tableNamed("half") })).close();
    expect(tablesOf(file())).toEqual(["things", "more", "half"]);
  });

  it("is copied before with its journal, for its owner only", async () => {
    await (await open(newer)).close();
    expect(tablesOf(file())).toEqual(["things", "more"]);
    const [copy = ""] = copied;
    expect(copy).toMatch(/backups\/hearth-at-0001_things-\d{8}T\d{6}Z\.db$/);
    expect(readdirSync(backups())).toEqual([copy.slice(backups().length + 1)]);
    expect(tablesOf(copy)).toEqual(["things"]);
    if (process.platform !== "win32") expect(statSync(copy).mode & 0o777).toBe(0o600);
    rmSync(file());
    for (const end of ["-wal", "-shm"]) rmSync(`${file()}${end}`, { force: true });
    copyFileSync(copy, file());
    const { db, close } = await open(old);
    expect(await db.selectFrom("things").select("name").execute()).toEqual([{ name: "kept" }]);
    await close();
  });

  it("is not copied when it is new, or up to date", async () => {
    await (await open(newer)).close();
    await (await open(newer)).close();
    expect(copied).toHaveLength(1);
  });

  it("is left as it was when the copy cannot be written", async () => {
    writeFileSync(backups(), "no folder");
    await expect(open(newer)).rejects.toMatchObject({
      code: "database_not_copied",
      message: expect.stringMatching(/make room there and start again; the database was not changed$/) as string,
    });
    expect(tablesOf(file())).toEqual(["things"]);
    rmSync(backups());
    await (await open(newer)).close();
    expect(copied).toHaveLength(1);
  });

  it("names the copy when a migration fails", async () => {
    const failing = { up: () => Promise.reject(new Error("no such column")) };
    await expect(open({ ...old, "0002_failing": failing })).rejects.toThrow(
      /no such column; the database as it was before is kept as .*hearth-at-0001_things/,
    );
    expect(existsSync(copied[0] ?? "")).toBe(true);
  });

  it("keeps the newest five copies of each database, and nothing that a crash has left of one", async () => {
    mkdirSync(backups());
    const put = (name: string) => writeFileSync(join(backups(), name), "");
    const times = [1, 2, 3, 4, 5, 6].map((day) => `2020010${String(day)}T000000Z`);
    for (const time of times) put(`hearth-at-0000_first-${time}.db`);
    put("hearth-at-0000_first-20200109T000000Z.db.part");
    put("provider-at-0000_first-20200101T000000Z.db");
    put("mine.db");
    await (await open(newer)).close();
    expect(readdirSync(backups()).sort()).toEqual(
      [
        ...times.slice(2).map((time) => `hearth-at-0000_first-${time}.db`),
        copied[0]?.slice(backups().length + 1),
        "mine.db",
        "provider-at-0000_first-20200101T000000Z.db",
      ].sort(),
    );
  });
});
