/** Reads and replaces whole tables, for fixtures and resets. */
import type { Kysely, Transaction } from "kysely";
import type { BusMessage } from "../contract/console/traffic/events.ts";
import { ConstraintViolation } from "./database.ts";
import type { Transact } from "./event-writes.ts";
import { tableColumns, lastIdOf, setLastId } from "./table-ids.ts";

type Row = Readonly<Record<string, unknown>>;
type AnyTables = Record<string, Record<string, unknown>>;

export interface TableContent {
  readonly table: string;
  readonly rows: readonly Row[];
  /** The highest id ever used; absent if the database does not count ids. */
  readonly lastId?: number | undefined;
}

/** The rows do not fit the table, because another version wrote them. */
export class TableMismatch extends Error {
  override readonly name = "TableMismatch";
}

interface Options {
  readonly idsGoOn: readonly string[];
}

/** The database allows 32,766 values in a statement. */
const valuesPerStatement = 30_000;

/** @param transact stores the events; without it there are none */
export function createTableState<Tables>(
  database: Kysely<Tables>,
  transact: Transact<Tables> = (work) => database.transaction().execute(work),
) {
  const db = database as unknown as Kysely<AnyTables>;
  const within = transact as unknown as Transact<AnyTables>;

  async function insert(trx: Transaction<AnyTables>, { table, rows }: TableContent): Promise<void> {
    const known = await tableColumns(trx, table);
    if (known.size === 0) throw new TableMismatch(`there is no table ${table}`);
    const names = Object.keys(rows[0] ?? {});
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined) throw new TableMismatch(`${table} has no column ${unknown}`);
    const step = Math.max(1, Math.floor(valuesPerStatement / Math.max(1, names.length)));
    for (let from = 0; from < rows.length; from += step)
      await trx
        .insertInto(table)
        .values(rows.slice(from, from + step))
        .execute();
  }

  const emptyTable = async (trx: Transaction<AnyTables>, table: string): Promise<number> =>
    Number((await trx.deleteFrom(table).executeTakeFirst()).numDeletedRows);

  return {
    /** All at one moment. */
    read: (tables: readonly string[]): Promise<TableContent[]> =>
      db.transaction().execute(async (trx) => {
        const contents: TableContent[] = [];
        for (const table of tables)
          contents.push({
            table,
            rows: await trx.selectFrom(table).selectAll().execute(),
            lastId: await lastIdOf(trx, table),
          });
        return contents;
      }),

    /**
     * Replaces the contents of the tables in this order, so referenced tables must come first. One transaction, with the
     * event. `idsGoOn`: tables whose next id is higher than any before, too.
     * @throws TableMismatch
     */
    async write(contents: readonly TableContent[], { idsGoOn }: Options, event?: BusMessage): Promise<void> {
      const replace = async (trx: Transaction<AnyTables>) => {
        const lastIds = new Map<string, number>();
        for (const table of idsGoOn) lastIds.set(table, (await lastIdOf(trx, table)) ?? 0);
        for (const { table } of contents.toReversed()) await emptyTable(trx, table);
        for (const content of contents) {
          const { table, lastId } = content;
          const before = lastIds.get(table);
          await insert(trx, content);
          await setLastId(trx, table, before === undefined ? lastId : Math.max(before, lastId ?? 0));
        }
      };
      try {
        await within(replace, event);
      } catch (error) {
        throw error instanceof ConstraintViolation ? new TableMismatch(error.message, { cause: error }) : error;
      }
    },

    /**
     * Empties tables in reverse order and returns the number of rows of each. One transaction, with the event. `idsGoOn`:
     * tables whose ids do not restart at 1.
     */
    clear(tables: readonly string[], { idsGoOn }: Options, event?: BusMessage): Promise<ReadonlyMap<string, number>> {
      const empty = async (trx: Transaction<AnyTables>) => {
        const counts = new Map<string, number>();
        for (const table of tables.toReversed()) {
          counts.set(table, await emptyTable(trx, table));
          if (!idsGoOn.includes(table)) await setLastId(trx, table, undefined);
        }
        return counts;
      };
      return within(empty, event);
    },
  };
}
export type TableState = ReturnType<typeof createTableState>;
