/** Translates queries for records to SQL. */
import { expressionBuilder, sql, type Expression, type Kysely, type SelectQueryBuilder, type SqlBool } from "kysely";
import { contains, likePattern } from "../contains.ts";
import type { RecordTables } from "./record-tables.ts";

export type Scalar = string | number | boolean;

/** A field of `data`, or one of the record itself. */
export type SortField = { readonly field: string; readonly descending: boolean };

export interface RecordQuery {
  /** Excludes records whose `data[privateField]` is true, except this owner's. */
  readonly visibleTo?: { readonly ownerId: number; readonly privateField: string };
  /** Only this owner's records. */
  readonly ownerId?: number;
  /** Each field has one of its values. */
  readonly equals?: readonly (readonly [field: string, ...values: Scalar[]])[];
  /** Case-insensitive substring in any of the fields; without a field nothing matches. */
  readonly search?: { readonly text: string; readonly fields: readonly string[] };
  readonly sort: readonly SortField[];
  readonly limit: number;
  readonly offset: number;
}

const { fn } = expressionBuilder<RecordTables, "records">();

/** The columns of the members that the server adds to a document. */
const ownColumns: ReadonlyMap<string, string> = new Map([
  ["id", "id"],
  ["owner_uid", "owner_id"],
  ["created_at", "created_at"],
  ["updated_at", "updated_at"],
]);

/** A field's value in the database: a column, or a member of the document. */
export function fieldValue(field: string): Expression<unknown> {
  const column = ownColumns.get(field);
  return column === undefined
    ? fn("json_extract", [sql.ref("data"), sql.lit(`$.${JSON.stringify(field)}`)])
    : sql.ref(column);
}

/** The condition that a field has this value. */
export const hasValue = (field: string, value: unknown): Expression<SqlBool> =>
  expressionBuilder<RecordTables, "records">()(fieldValue(field), "=", value);

/** The records that match a query. Its parameters are in the order of filterParameters. */
export function matchingRecords(
  db: Kysely<RecordTables>,
  collection: string,
  { visibleTo, ownerId, equals = [], search }: RecordQuery,
) {
  let query: SelectQueryBuilder<RecordTables, "records", object> = db
    .selectFrom("records")
    .where("collection", "=", collection);
  if (visibleTo)
    query = query.where((e) =>
      e.or([
        e("owner_id", "=", visibleTo.ownerId),
        e(fieldValue(visibleTo.privateField), "is distinct from", e.lit(1)),
      ]),
    );
  if (ownerId !== undefined) query = query.where("owner_id", "=", ownerId);
  for (const [field, ...values] of equals)
    query = query.where((e) => e.or(values.map((value) => hasValue(field, comparable(value)))));
  if (search) {
    const hits = search.fields.map((field) => contains(fieldValue(field), search.text));
    query = query.where(hits.length === 0 ? sql.lit(false) : sql<boolean>`(${sql.join(hits, sql` or `)})`);
  }
  return query;
}

export function filterParameters(
  collection: string,
  { visibleTo, ownerId, equals = [], search }: RecordQuery,
): (string | number)[] {
  return [
    collection,
    ...(visibleTo ? [visibleTo.ownerId] : []),
    ...(ownerId === undefined ? [] : [ownerId]),
    ...equals.flatMap(([, ...values]) => values.map(comparable)),
    ...(search ? search.fields.map(() => likePattern(search.text)) : []),
  ];
}

/** The database has 1 and 0 for JSON's true and false. */
const comparable = (value: Scalar) => (typeof value === "boolean" ? Number(value) : value);
