/** Exports, imports and clears the state of the whole simulator, combined from the parts of its features. */
import type { ProviderState } from "../../contract/provider/provider-state.ts";
import { HttpError } from "../../http/http-error.ts";
import { TableMismatch, type TableContent, type TableState } from "../../store/table-state.ts";
import type { StatePart, StateRow } from "../../store/state-part.ts";

interface Deps {
  readonly tables: TableState;
  /** Ordered so that each part refers only to earlier ones. */
  readonly parts: readonly StatePart[];
  /** Unix time in ms. */
  readonly now: () => number;
}

/** How imported rows are changed. */
interface Change {
  readonly ageMs: number;
  readonly from: string | undefined;
}

type Counts = Readonly<Record<string, number>>;

function refusal(field: string, problem: string, cause?: unknown): HttpError {
  return new HttpError(400, "invalid_state", `${field}: ${problem}. Nothing was changed.`, {
    details: [{ field, problem }],
    cause,
  });
}

const tablesOf = ({ tables, shortLived = [] }: StatePart) => [...Object.keys(tables), ...shortLived];

export type ProviderStates = ReturnType<typeof createProviderStates>;

export function createProviderStates({ tables, parts, now }: Deps) {
  const countsOf = (count: (table: string) => number): Counts =>
    Object.fromEntries(parts.map(({ name, tables: own }) => [name, count(Object.keys(own)[0] ?? "")]));

  const settle = async () => {
    for (const part of parts) await part.settle?.();
  };
  const reload = async () => {
    for (const part of parts) await part.reload?.();
  };

  /** @throws HttpError 400 */
  function rowsOf(part: StatePart, table: string, rows: readonly StateRow[], change: Change): StateRow[] {
    return rows.map((row, index) => {
      const parsed = part.tables[table]?.safeParse(row);
      if (!parsed) throw refusal(`${part.name}.${table}`, `${part.name} has no such table`);
      if (parsed.success) {
        const { ageMs, from } = change;
        const aged = part.aged?.(table, parsed.data, ageMs) ?? parsed.data;
        return from === undefined ? aged : (part.askedFrom?.(aged, from) ?? aged);
      }
      const [issue] = parsed.error.issues;
      const key = issue?.code === "unrecognized_keys" ? issue.keys : issue?.path;
      const field = [part.name, table, index, ...(key ?? [])].join(".");
      throw refusal(field, issue?.message ?? "is not valid");
    });
  }

  function contentsOf(document: ProviderState, from: string | undefined): TableContent[] {
    const strange = Object.keys(document.parts).find((name) => !parts.some((part) => part.name === name));
    if (strange !== undefined) throw refusal(strange, "the simulator has no such part");
    const ageMs = document.saved_at === undefined ? 0 : now() - Date.parse(document.saved_at);
    return parts.flatMap((part) => {
      const saved = document.parts[part.name] ?? {};
      const unknown = Object.keys(saved).find((table) => !Object.hasOwn(part.tables, table));
      if (unknown !== undefined) throw refusal(`${part.name}.${unknown}`, "the table does not exist");
      return tablesOf(part).map((table) => {
        const { rows = [], last_id: lastId } = saved[table] ?? {};
        return { table, rows: rowsOf(part, table, rows, { ageMs, from }), lastId };
      });
    });
  }

  return {
    async export(): Promise<ProviderState> {
      const contents = await tables.read(parts.flatMap((part) => Object.keys(part.tables)));
      const byTable = new Map(contents.map(({ table, rows, lastId }) => [table, { rows: [...rows], last_id: lastId }]));
      const tableEntries = (part: StatePart) =>
        Object.keys(part.tables).map((table) => [table, byTable.get(table)] as const);
      return {
        format: "hearth-provider/1",
        saved_at: new Date(now()).toISOString(),
        parts: Object.fromEntries(parts.map((part) => [part.name, Object.fromEntries(tableEntries(part))])),
      } as ProviderState;
    },

    /**
     * Replaces the state by the document's, and returns the number of imported rows per part. `from`: the sender's
     * address if it is another machine, empty if unknown.
     * @throws HttpError 400 naming the problem; nothing is changed then
     */
    async import(document: ProviderState, from?: string): Promise<Counts> {
      const contents = contentsOf(document, from);
      await settle();
      try {
        await tables.write(contents, { idsGoOn: [] });
      } catch (error) {
        throw error instanceof TableMismatch ? refusal("parts", error.message, error) : error;
      }
      await reload();
      return countsOf((name) => contents.find(({ table }) => table === name)?.rows.length ?? 0);
    },

    /** Resets everything to the first start, and returns the number of removed rows per part. */
    async clear(): Promise<Counts> {
      // Ids are not reused: an id that memory still holds must not match a new row.
      const all = parts.flatMap(tablesOf);
      await settle();
      const removed = await tables.clear(all, { idsGoOn: all });
      await reload();
      return countsOf((table) => removed.get(table) ?? 0);
    },
  };
}
