/** Handles NUL characters, which SQLite's texts may contain, but not PostgreSQL's. */
import {
  ColumnNode,
  type ColumnUpdateNode,
  type CompiledQuery,
  type InsertQueryNode,
  type PrimitiveValueListNode,
  type RootOperationNode,
  type ValueListNode,
} from "kysely";
import { UnstorableText } from "../../contract/process/store-problem.ts";
import { findable, PostgresQueryCompiler } from "./query-compiler.ts";

const isUnstorable = (value: unknown): value is string => typeof value === "string" && value.includes("\0");

/**
 * The values of a statement. Texts with NUL that are only compared become texts that match nothing.
 * @throws UnstorableText for a text with NUL that would be stored
 */
export function storable({ query }: CompiledQuery, values: readonly unknown[]): readonly unknown[] {
  if (!values.some(isUnstorable)) return values;
  const columns = new ColumnFinder().columnsOf(query);
  return values.map((value, at) => {
    if (!isUnstorable(value)) return value;
    const column = columns[at];
    if (column !== undefined) throw new UnstorableText(column);
    return findable(value);
  });
}

/** Compiles a query for the names of the columns into which its parameters are stored. */
class ColumnFinder extends PostgresQueryCompiler {
  /** The column of each parameter; undefined for one that is not stored. */
  readonly #found: (string | undefined)[] = [];
  #inserted: readonly ColumnNode[] = [];
  /** The columns of the values that come next. */
  #next: (string | undefined)[] = [];

  columnsOf(query: RootOperationNode): readonly (string | undefined)[] {
    this.compileQuery(query, { queryId: "" });
    return this.#found;
  }

  protected override appendValue(parameter: unknown): void {
    this.#found.push(this.#next.shift());
    super.appendValue(parameter);
  }

  protected override visitInsertQuery(node: InsertQueryNode): void {
    this.#inserted = node.columns ?? [];
    super.visitInsertQuery(node);
  }

  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    this.#storing(this.#insertedNames(), () => super.visitPrimitiveValueList(node));
  }

  protected override visitValueList(node: ValueListNode): void {
    this.#storing(this.#insertedNames(), () => super.visitValueList(node));
  }

  protected override visitColumnUpdate(node: ColumnUpdateNode): void {
    const { column } = node;
    this.#storing(ColumnNode.is(column) ? [nameOf(column)] : [], () => super.visitColumnUpdate(node));
  }

  #insertedNames(): string[] {
    return this.#inserted.map(nameOf);
  }

  #storing(columns: (string | undefined)[], visit: () => void): void {
    this.#next = columns;
    visit();
    this.#next = [];
  }
}

const nameOf = ({ column }: ColumnNode): string => column.name;
