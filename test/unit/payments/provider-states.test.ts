import { join } from "node:path";
import type { Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createProviderStates } from "../../../server/provider/state/provider-state.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import type { StatePart } from "../../../server/store/state-part.ts";
import { createTableState } from "../../../server/store/table-state.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

interface Tables {
  people: { id: number; name: string; until: number };
  codes: { code: string; person_id: number };
  orders: { no: string; person_id: number };
}

const reloaded: string[] = [];
const people: StatePart = {
  name: "people",
  tables: { people: z.strictObject({ id: z.number(), name: z.string(), until: z.number() }) },
  shortLived: ["codes"],
  aged: (_table, row, ms) => ({ ...row, until: Number(row["until"]) + ms }),
  reload: async () => reloaded.push("people"),
};
/** A part of another feature, whose rows refer to the first one's. */
const orders: StatePart = {
  name: "orders",
  tables: { orders: z.strictObject({ no: z.string(), person_id: z.number() }) },
  reload: async () => reloaded.push("orders"),
};

let folder: ReturnType<typeof temporaryFolder>;
let close: () => Promise<void>;
let db: Kysely<Tables>;
let now = 0;
beforeEach(async () => {
  now = 1_000_000;
  reloaded.length = 0;
  folder = temporaryFolder();
  const up = async (made: Kysely<unknown>) => {
    await made.schema
      .createTable("people")
      .addColumn("id", "integer", (c) => c.primaryKey().autoIncrement())
      .addColumn("name", "text", (c) => c.notNull().unique())
      .addColumn("until", "integer", (c) => c.notNull())
      .execute();
    for (const [table, key] of [
      ["codes", "code"],
      ["orders", "no"],
    ] as const)
      await made.schema
        .createTable(table)
        .addColumn(key, "text", (c) => c.primaryKey())
        .addColumn("person_id", "integer", (c) => c.notNull().references("people.id"))
        .execute();
  };
  ({ db, close } = await openDatabase<Tables>({ file: join(folder.path, "a.db"), migrations: { "0001": { up } } }));
  await db.insertInto("people").values({ id: 3, name: "a", until: 5 }).execute();
  await db.insertInto("codes").values({ code: "c", person_id: 3 }).execute();
  await db.insertInto("orders").values({ no: "o", person_id: 3 }).execute();
});
afterEach(async () => {
  await close();
  folder[Symbol.dispose]();
});

const open = () => createProviderStates({ tables: createTableState(db), parts: [people, orders], now: () => now });

describe("the states of several features", () => {
  it("are saved and brought back together, ids, what refers to them and the highest id included", async () => {
    const states = open();
    const saved = await states.export();
    expect(saved.parts).toEqual({
      people: { people: { rows: [{ id: 3, name: "a", until: 5 }], last_id: 3 } },
      orders: { orders: { rows: [{ no: "o", person_id: 3 }], last_id: undefined } },
    });
    expect(await states.clear()).toEqual({ people: 1, orders: 1 });
    expect(await db.selectFrom("codes").selectAll().execute()).toEqual([]);
    now += 10;
    expect(await states.import(saved)).toEqual({ people: 1, orders: 1 });
    expect(await db.selectFrom("people").selectAll().execute()).toEqual([{ id: 3, name: "a", until: 15 }]);
    expect(await db.selectFrom("orders").selectAll().execute()).toEqual([{ no: "o", person_id: 3 }]);
    expect(reloaded).toEqual(["people", "orders", "people", "orders"]);
  });

  it("change nothing when a part of them is broken, and are read anew by nobody then", async () => {
    const states = open();
    const saved = await states.export();
    saved.parts["people"] = { people: { rows: [{ id: 4, name: "b", until: 1 }] } };
    await expect(states.import(saved)).rejects.toMatchObject({ status: 400, code: "invalid_state" });
    expect(await db.selectFrom("people").select("name").execute()).toEqual([{ name: "a" }]);
    expect(await db.selectFrom("codes").select("code").execute()).toEqual([{ code: "c" }]);
    expect(reloaded).toEqual([]);
  });
});
