/** A table's columns, defined once: a migration creates them, and they give the type of a row and its checks. */
import type { ColumnDefinitionBuilder, CreateTableBuilder, Generated, Kysely } from "kysely";
import { z } from "zod";

type Rules = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

/** @typeParam Type of the value in Kysely's row */
interface DefinedColumn<Type> {
  readonly kind: "text" | "integer" | "real";
  readonly schema: z.ZodType;
  readonly rules: Rules;
  /** Never set: it carries the type. */
  readonly type?: Type;
}

type Columns = Readonly<Record<string, DefinedColumn<unknown>>>;

/** The table with these columns, for Kysely. */
export type TableOf<Own extends Columns> = {
  [Name in keyof Own]: Own[Name] extends DefinedColumn<infer Type> ? Type : never;
};

const noRules: Rules = (one) => one;

/**
 * Kinds of columns. A schema gives the type of the values, and checks the rows of a loaded state. `rules` add that a
 * column is unique, has a default, or refers to another table.
 */
export const column = {
  /** A number that the database gives. */
  id: {
    kind: "integer",
    schema: z.int().positive(),
    rules: (one) => one.primaryKey().autoIncrement(),
  } as DefinedColumn<Generated<number>>,

  /** A text that identifies the row. */
  key: (schema: z.ZodType<string> = z.string()): DefinedColumn<string> => ({
    kind: "text",
    schema,
    rules: (one) => one.primaryKey(),
  }),

  text: <Type extends string = string>(
    schema: z.ZodType<Type> = z.string() as never,
    rules = noRules,
  ): DefinedColumn<Type> => ({ kind: "text", schema, rules: (one) => rules(one.notNull()) }),

  integer: <Type extends number = number>(
    schema: z.ZodType<Type> = z.int() as never,
    rules = noRules,
  ): DefinedColumn<Type> => ({ kind: "integer", schema, rules: (one) => rules(one.notNull()) }),

  real: (schema: z.ZodType<number> = z.number(), rules = noRules): DefinedColumn<number> => ({
    kind: "real",
    schema,
    rules: (one) => rules(one.notNull()),
  }),

  /** The same column with null for a missing value. */
  optional: <Type>({ kind, schema }: DefinedColumn<Type>): DefinedColumn<Type | null> => ({
    kind,
    schema: schema.nullable(),
    rules: noRules,
  }),
};

/** Begins to create a table; constraints may follow. */
export const createTable = <Own extends Columns>(db: Kysely<unknown>, name: string, columns: Own) =>
  Object.entries(columns).reduce<CreateTableBuilder<string, keyof Own & string>>(
    (table, [own, { kind, rules }]) => table.addColumn(own, kind, rules),
    db.schema.createTable(name),
  );

/** Adds columns to a table. */
export async function addColumns(db: Kysely<unknown>, name: string, columns: Columns): Promise<void> {
  for (const [own, { kind, rules }] of Object.entries(columns))
    await db.schema.alterTable(name).addColumn(own, kind, rules).execute();
}

/** The schema of a row of a saved state. */
export const rowSchema = (columns: Columns): z.ZodType<Readonly<Record<string, unknown>>> =>
  z.strictObject(Object.fromEntries(Object.entries(columns).map(([name, { schema }]) => [name, schema])));

/** The names of columns except some, in their order. */
export const columnNames = <Own extends Columns, Left extends keyof Own = never>(columns: Own, left: Left[] = []) =>
  Object.keys(columns).filter((name) => !(left as string[]).includes(name)) as Exclude<keyof Own & string, Left>[];
