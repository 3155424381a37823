/** The columns of a table, defined once: a migration creates them, and they are the type of its rows. */
import type { ColumnDefinitionBuilder, CreateTableBuilder, Generated, Kysely } from "kysely";

type Rules = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** @typeParam Type of the value in Kysely's row */
interface DefinedColumn<Type> {
  readonly kind: "text" | "integer" | "real";
  readonly rules: Rules;
  /** Never set: it carries the type. */
  readonly type?: Type;
}

type Columns = Readonly<Record<string, DefinedColumn<unknown>>>;

/** The table with these columns, for Kysely. */
export type TableOf<Own extends Columns> = {
  [Name in keyof Own]: Own[Name] extends DefinedColumn<infer Type> ? Type : never;
};

const noRules: Rules = (column) => column;
const required = <Type>(kind: DefinedColumn<Type>["kind"], rules: Rules): DefinedColumn<Type> => ({
  kind,
  rules: (column) => rules(column.notNull()),
});

/** Kinds of columns. `rules` add to a column that it is unique, has a default, or refers to another table. */
export const column = {
  /** A number that the database gives. */
  id: { kind: "integer", rules: (one) => one.primaryKey().autoIncrement() } as DefinedColumn<Generated<number>>,
  /** A text that identifies the row. */
  key: { kind: "text", rules: (one) => one.primaryKey() } as DefinedColumn<string>,
  text: <Type = string>(rules: Rules = noRules) => required<Type>("text", rules),
  integer: <Type = number>(rules: Rules = noRules) => required<Type>("integer", rules),
  real: <Type = number>(rules: Rules = noRules) => required<Type>("real", rules),
  optionalText: <Type = string>(): DefinedColumn<Type | null> => ({ kind: "text", rules: noRules }),
  optionalInteger: (): DefinedColumn<number | null> => ({ kind: "integer", rules: noRules }),
};

/** Begins to create a table; constraints may follow. */
export const createTable = <Own extends Columns>(db: Kysely<unknown>, name: string, columns: Own) =>
  Object.entries(columns).reduce<CreateTableBuilder<string, keyof Own & string>>(
    (table, [own, { kind, rules }]) => table.addColumn(own, kind, rules),
    db.schema.createTable(name),
  );

/** The names of columns except some, in their order. */
export const columnNames = <Own extends Columns, Left extends keyof Own = never>(columns: Own, left: Left[] = []) =>
  Object.keys(columns).filter((name) => !(left as string[]).includes(name)) as Exclude<keyof Own & string, Left>[];
