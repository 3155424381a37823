/** What the features rely on of a database, whichever engine stands behind it: to be called by a test file of each. */
import { sql, type Generated, type Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contains } from "../../../server/store/contains.ts";
import { UniqueViolation, type Database, type Migrations } from "../../../server/store/database.ts";
import { parameter, parameterRow } from "../../../server/store/prepared-statement.ts";

interface Tables {
  things: { id: Generated<number>; name: string; price: number | null };
}

const migrations: Migrations = {
  "0001_things": {
    up: (db: Kysely<unknown>) =>
      db.schema
        .createTable("things")
        .addColumn("id", "integer", (c) => c.primaryKey())
        .addColumn("name", "text", (c) => c.notNull().unique())
        .addColumn("price", "integer")
        .execute(),
  },
};

interface Engine {
  /** Opens the same database each time. */
  open<Tables>(migrations: Migrations): Promise<Database<Tables>>;
  /** Called when it is closed for good. */
  dispose(): void;
}

export function itIsADatabase(begin: () => Engine): void {
  let engine: Engine;
  let database: Database<Tables>;
  beforeEach(async () => {
    engine = begin();
    database = await engine.open(migrations);
  });
  afterEach(async () => {
    await database.close();
    engine.dispose();
  });

  const insertWith = ({ db, writes }: Database<Tables>) =>
    writes.prepare(
      db
        .insertInto("things")
        .values(parameterRow(["price", "name", "id"] as const))
        .returning("id"),
    );
  const allOf = ({ db }: Database<Tables>) => db.selectFrom("things").selectAll().orderBy("id");
  const names = async () => (await allOf(database).execute()).map(({ name }) => name);
  /** Lets pass what is already under way, so that a test looks between two of its steps. */
  const pass = () => new Promise((resolve) => setImmediate(resolve));

  describe("a database that is opened again", () => {
    it("has what it had, and runs each migration once, in the order of their names", async () => {
      await database.db.insertInto("things").values({ name: "tea" }).execute();
      await database.close();
      const addAmount = (db: Kysely<unknown>) =>
        db.schema
          .alterTable("things")
          .addColumn("amount", "integer", (c) => c.notNull().defaultTo(3))
          .execute();
      const addTwice = async (db: Kysely<unknown>) =>
        void (await sql`update things set amount = amount * 2`.execute(db));
      const later = { "0003_twice": { up: addTwice }, ...migrations, "0002_amount": { up: addAmount } };
      database = await engine.open(later);
      await database.close();
      database = await engine.open(later);
      expect(await allOf(database).execute()).toEqual([{ id: 1, name: "tea", price: null, amount: 6 }]);
    });

    it("is as it was where a migration fails on its way", async () => {
      await database.close();
      const failing = async (db: Kysely<unknown>) => {
        await db.schema.dropTable("things").execute();
        throw new Error("no more");
      };
      await expect(engine.open({ ...migrations, "0002_failing": { up: failing } })).rejects.toThrow("no more");
      database = await engine.open(migrations);
      expect(await names()).toEqual([]);
    });
  });

  it("finds texts that contain one, whatever characters it has", async () => {
    const found = async (text: string) =>
      (
        await allOf(database)
          .where(contains(sql.ref("name"), text))
          .execute()
      ).map(({ name }) => name);
    for (const name of ["green tea", "100 %", "back\\slash"])
      await database.db.insertInto("things").values({ name }).execute();
    expect([await found("TEA"), await found("%"), await found("\\")]).toEqual([
      ["green tea"],
      ["100 %"],
      ["back\\slash"],
    ]);
    expect([await found("\0"), await found("tea\0"), await found("_")]).toEqual([[], [], []]);
  });

  describe("a statement", () => {
    it("takes each value by its name wherever it stands, and stores what gets no value as null", async () => {
      const { writes, db } = database;
      const insert = insertWith(database);
      expect(await writes.write(() => insert({ id: 1, name: "tea", price: 7 }))).toEqual([{ id: 1 }]);
      expect(await writes.write(() => insert({ name: "'; drop table things", id: 2 }))).toEqual([{ id: 2 }]);
      const raise = writes.prepare(
        db
          .updateTable("things")
          .set({ price: parameter<number>("id") })
          .where("id", "=", parameter<number>("id"))
          .where("name", "!=", "tea")
          .returningAll(),
      );
      expect(await writes.write(() => raise({ id: 1 }))).toEqual([]);
      expect(await writes.write(() => raise({ id: 2 }))).toEqual([{ id: 2, name: "'; drop table things", price: 2 }]);
      expect(await allOf(database).execute()).toMatchObject([{ price: 7 }, { price: 2 }]);
    });
  });

  describe("a write", () => {
    it("is undone as a whole where it throws, and nothing of those that share its commit is", async () => {
      const insert = insertWith(database);
      const outcomes = await Promise.allSettled([
        database.writes.write(() => insert({ id: 1, name: "tea" })),
        database.writes.write(async () => [
          await insert({ id: 2, name: "milk" }),
          await insert({ id: 3, name: "tea" }),
        ]),
        database.writes.write(async () => {
          await insert({ id: 5, name: "bread" });
          throw new Error("changed my mind");
        }),
        database.writes.write(() => insert({ id: 4, name: "cake" })),
      ]);
      expect(outcomes).toMatchObject([
        { status: "fulfilled", value: [{ id: 1 }] },
        { status: "rejected", reason: expect.any(UniqueViolation) as unknown },
        { status: "rejected", reason: { message: "changed my mind" } },
        { status: "fulfilled", value: [{ id: 4 }] },
      ]);
      expect(await names()).toEqual(["tea", "cake"]);
    });

    it("is alone: of many that read a number and write the next one, none is lost", async () => {
      const { db, writes } = database;
      await db.insertInto("things").values({ name: "tea", price: 0 }).execute();
      const setPrice = writes.prepare(db.updateTable("things").set({ price: parameter("price") }));
      const addOne = () =>
        writes.write(async () => {
          const [row] = await writes.run(allOf(database));
          await setPrice({ price: (row?.price ?? 0) + 1 });
        });
      await Promise.all(Array.from({ length: 20 }, addOne));
      expect(await allOf(database).execute()).toMatchObject([{ price: 20 }]);
    });

    it("comes after what was asked of the database before, and before what is asked after", async () => {
      const { db, writes } = database;
      const before = db.transaction().execute(async (trx) => {
        await trx.insertInto("things").values({ id: 1, name: "tea" }).execute();
        await trx.insertInto("things").values({ id: 2, name: "milk" }).execute();
      });
      const rename = db.updateTable("things").set({ name: "old" }).where("id", "=", 1).returning("id");
      const write = writes.write(() => writes.run(rename));
      const after = names();
      expect(await write).toEqual([{ id: 1 }]);
      expect(await after).toEqual(["old", "milk"]);
      await before;
    });

    it("fails, rather than waiting for good, when the database is closed", async () => {
      await database.close();
      await expect(database.writes.write(() => insertWith(database)({ id: 1, name: "tea" }))).rejects.toThrow();
    });
  });

  it("a value that must be unique and is not is a UniqueViolation, whichever way it is written", async () => {
    const { db } = database;
    const insert = (row: { id?: number; name: string }) => db.insertInto("things").values(row).execute();
    await insert({ id: 1, name: "tea" });
    await expect(insert({ name: "tea" })).rejects.toThrow(UniqueViolation);
    await expect(insert({ id: 1, name: "milk" })).rejects.toThrow(UniqueViolation);
    await expect(
      db.transaction().execute((trx) => trx.insertInto("things").values({ name: "tea" }).execute()),
    ).rejects.toThrow(UniqueViolation);
    expect(await names()).toEqual(["tea"]);
  });

  describe("a prepared read", () => {
    it("sees each write that has been answered, whichever way it was written", async () => {
      const { db, reads, writes } = database;
      const all = reads.prepare(db.selectFrom("things").select("name").orderBy("id"));
      expect(await all()).toEqual([]);
      await writes.write(() => insertWith(database)({ id: 1, name: "tea" }));
      expect(await all()).toEqual([{ name: "tea" }]);
      await db.insertInto("things").values({ id: 2, name: "milk" }).execute();
      expect(await all()).toEqual([{ name: "tea" }, { name: "milk" }]);
      await db.transaction().execute((trx) => trx.deleteFrom("things").execute());
      expect(await all()).toEqual([]);
    });

    it("never sees the inside of a transaction", async () => {
      const { db, reads } = database;
      const all = reads.prepare(db.selectFrom("things").select("name"));
      await db.transaction().execute(async (trx) => {
        await trx.insertInto("things").values({ name: "tea" }).execute();
        expect(await all()).toEqual([]);
        await pass();
        expect(await all()).toEqual([]);
      });
      expect(await all()).toEqual([{ name: "tea" }]);
    });

    it("never sees what a write has done so far, nor what is undone of it", async () => {
      const { db, reads, writes } = database;
      const all = reads.prepare(db.selectFrom("things").select("name"));
      const write = writes.write(async () => {
        await insertWith(database)({ id: 1, name: "tea" });
        expect(await all()).toEqual([]);
        throw new Error("changed my mind");
      });
      await expect(write).rejects.toThrow("changed my mind");
      expect(await all()).toEqual([]);
    });

    it("takes its parameters in the order of the query, and no other number of them", async () => {
      const { db, reads } = database;
      const query = db.selectFrom("things").select("id").where("name", "=", "").where("price", ">", 0);
      const found = reads.prepare(query);
      await db
        .insertInto("things")
        .values([
          { name: "tea", price: 5 },
          { name: "5", price: 1 },
        ])
        .execute();
      expect(await found("tea", 4)).toEqual([{ id: 1 }]);
      expect(await found("tea", 5)).toEqual([]);
      expect(await found("5", 0)).toEqual([{ id: 2 }]);
      await expect((async () => found("tea"))()).rejects.toThrow("2 parameters");
    });
  });
}
