import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Generated, Kysely } from "kysely";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface Tables {
  things: { id: Generated<number>; name: string };
}

const migrations = {
  "0001_things": {
    async up(made: Kysely<unknown>) {
      const things = made.schema.createTable("things").addColumn("id", "integer", (c) => c.primaryKey());
      await things.addColumn("name", "text", (c) => c.notNull()).execute();
    },
  },
};

/** What brings a file to the disk; each time waits until the test lets it go. */
async function watchDisk(folder: string) {
  const handle = await open(folder, "r");
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const waiting: { letGo: () => void; fail: (error: Error) => void }[] = [];
  vi.spyOn(prototype, "datasync").mockImplementation(
    () => new Promise<void>((letGo, fail) => void waiting.push({ letGo, fail })),
  );
  return waiting;
}

const turns = async () => {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};

async function scene(durability?: "full" | "normal") {
  const folder = temporaryFolder();
  const file = join(folder.path, "a.db");
  await (await openDatabase<Tables>({ file, migrations, durability: "normal" })).close();
  const { db, writes, close } = await openDatabase<Tables>({ file, migrations, ...(durability && { durability }) });
  const disk = await watchDisk(folder.path);
  const answered: string[] = [];
  const insert = (name: string) => db.insertInto("things").values({ name });
  return {
    disk,
    answered,
    plain: (name: string) =>
      insert(name)
        .execute()
        .then(() => answered.push(name)),
    transaction: (name: string) =>
      db
        .transaction()
        .execute(async (trx) => {
          await trx.insertInto("things").values({ name }).execute();
          await trx.insertInto("things").values({ name }).execute();
        })
        .then(() => answered.push(name)),
    grouped: (name: string) => writes.write(() => writes.run(insert(name))).then(() => answered.push(name)),
    read: () => db.selectFrom("things").selectAll().execute(),
    async [Symbol.asyncDispose]() {
      vi.restoreAllMocks();
      for (const one of disk) one.letGo();
      await close();
      folder[Symbol.dispose]();
    },
  };
}

afterEach(() => vi.restoreAllMocks());

describe("a write", () => {
  it.each([
    ["plain", undefined],
    ["transaction", "full"],
    ["grouped", "full"],
  ] as const)("is answered once the disk has it: %s, durability %s", async (kind, durability) => {
    await using made = await scene(durability);
    const written = made[kind]("one");
    await expect.poll(() => made.disk.length).toBe(1);
    await turns();
    expect(made.answered).toEqual([]);
    made.disk[0]?.letGo();
    await written;
    expect(made.disk).toHaveLength(1);
  });

  it.each(["plain", "transaction", "grouped"] as const)(
    "returns before the disk has synced with durability normal: %s",
    async (kind) => {
      await using made = await scene("normal");
      await made[kind]("one");
      expect(made.disk).toHaveLength(0);
    },
  );

  it("shares one sync with all commits since the last one, and delays no read", async () => {
    await using made = await scene("full");
    const first = made.grouped("one");
    await expect.poll(() => made.disk.length).toBe(1);
    const later = [made.grouped("two"), turns().then(() => made.grouped("three"))];
    await turns();
    expect(await made.read()).toHaveLength(3);
    made.disk[0]?.letGo();
    await first;
    await expect.poll(() => made.disk.length).toBe(2);
    await turns();
    expect(made.answered).toEqual(["one"]);
    made.disk[1]?.letGo();
    await Promise.all(later);
    expect([made.answered, made.disk.length]).toEqual([["one", "two", "three"], 2]);
  });

  it("is refused when the sync fails, and the next one syncs again", async () => {
    await using made = await scene("full");
    const refused = expect(made.grouped("one")).rejects.toThrow("disk failure");
    await expect.poll(() => made.disk.length).toBe(1);
    made.disk[0]?.fail(new Error("disk failure"));
    await refused;
    const written = made.grouped("two");
    await expect.poll(() => made.disk.length).toBe(2);
    made.disk[1]?.letGo();
    await written;
    expect(made.answered).toEqual(["two"]);
  });
});
