/** Translates queries for records to SQL. */
import { expressionBuilder, sql, type Expression, type Kysely, type SelectQueryBuilder, type SqlBool } from "kysely";
import { contains, likePattern } from "../contains.ts";
import type { RecordTables } from "./record-tables.ts";

export type Scalar = string | number | boolean;

/** A field of `data`, or one of the record itself. */
export type SortField = { readonly field: string; readonly descending: boolean };

/** A condition on a field. */
export interface RecordFilter {
  /** A dot leads into an object. */
  readonly field: string;
  /** `is` one of the values, or `ne` none of them; `null` or missing, or `given`. */
  readonly comparison: "is" | "ne" | "gt" | "gte" | "lt" | "lte" | "null" | "given";
  readonly values: readonly Scalar[];
  /** Whether the field may be a list, which has a value when one of its items is the value. */
  readonly isList?: boolean;
}

export interface RecordQuery {
  /** Excludes records whose `data[privateField]` is true, except this owner's. */
  readonly visibleTo?: { readonly ownerId: number; readonly privateField: string };
  /** Only this owner's records. */
  readonly ownerId?: number;
  readonly filters?: readonly RecordFilter[];
  /** Case-insensitive substring in any of the fields; without a field nothing matches. */
  readonly search?: { readonly text: string; readonly fields: readonly string[] };
  readonly sort: readonly SortField[];
  readonly limit: number;
  readonly offset: number;
}

const { fn } = expressionBuilder<RecordTables, "records">();

/** Ids that are texts. No member of a document has this name. */
export const publicIdField = "$id";

/** The columns of the members that the server adds to a document. */
const ownColumns: ReadonlyMap<string, string> = new Map([
  ["id", "id"],
  [publicIdField, "public_id"],
  ["owner_uid", "owner_id"],
  ["created_at", "created_at"],
  ["updated_at", "updated_at"],
]);

/** A field's value in the database: a column, or a member of the document. */
export function fieldValue(field: string): Expression<unknown> {
  const column = ownColumns.get(field);
  return column === undefined ? fn("json_extract", [sql.ref("data"), sql.lit(pathOf(field))]) : sql.ref(column);
}

const pathOf = (field: string) =>
  `$.${field
    .split(".")
    .map((step) => JSON.stringify(step))
    .join(".")}`;

/** The condition that a field has this value. */
export const hasValue = (field: string, value: unknown): Expression<SqlBool> =>
  expressionBuilder<RecordTables, "records">()(fieldValue(field), "=", value);

/** The records that match a query. Its parameters are in the order of filterParameters. */
export function matchingRecords(
  db: Kysely<RecordTables>,
  collection: string,
  { visibleTo, ownerId, filters = [], search }: RecordQuery,
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
  for (const filter of filters) query = query.where(conditionOf(filter));
  if (search) {
    const hits = search.fields.map((field) => contains(fieldValue(field), search.text));
    query = query.where(hits.length === 0 ? sql.lit(false) : sql<boolean>`(${sql.join(hits, sql` or `)})`);
  }
  return query;
}

const operators = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
/** Numbers and texts are in no order with each other. */
const lowest = (value: string | number) => (typeof value === "number" ? -Number.MAX_VALUE : "");

function conditionOf({ field, comparison, values, isList = false }: RecordFilter): Expression<SqlBool> {
  const e = expressionBuilder<RecordTables, "records">();
  const member = fieldValue(field);
  if (comparison === "null") return e(member, "is", null);
  if (comparison === "given") return e(member, "is not", null);
  const isOwn = ownColumns.has(field);
  const isOne = e.or(
    values.flatMap((value) => [
      hasValue(field, comparable(value)),
      ...(!isList
        ? []
        : [fn<SqlBool>("json_has", [sql.ref("data"), sql.lit(pathOf(field)), sql.val(JSON.stringify(value))])]),
    ]),
  );
  if (comparison === "is") return isOne;
  if (comparison === "ne") return e.not(sql<SqlBool>`coalesce(${isOne}, ${sql.lit(false)})`);
  return e.and(
    values
      .map(comparable)
      .flatMap((value) => [
        e(member, operators[comparison], value),
        ...(isOwn
          ? []
          : [
              e(member, ">=", lowest(value)),
              ...(typeof value === "number" ? [e(member, "<=", Number.MAX_VALUE)] : []),
            ]),
      ]),
  );
}

export function filterParameters(
  collection: string,
  { visibleTo, ownerId, filters = [], search }: RecordQuery,
): (string | number)[] {
  return [
    collection,
    ...(visibleTo ? [visibleTo.ownerId] : []),
    ...(ownerId === undefined ? [] : [ownerId]),
    ...filters.flatMap(parametersOf),
    ...(search ? search.fields.map(() => likePattern(search.text)) : []),
  ];
}

/** The database has 1 and 0 for JSON's true and false. */
const comparable = (value: Scalar) => (typeof value === "boolean" ? Number(value) : value);

/** In the order of `conditionOf`. */
function parametersOf({ field, comparison, values, isList = false }: RecordFilter): (string | number)[] {
  const isOwn = ownColumns.has(field);
  if (comparison === "is" || comparison === "ne")
    return values.flatMap((value) => [comparable(value), ...(isList ? [JSON.stringify(value)] : [])]);
  return values
    .map(comparable)
    .flatMap((value) => [
      value,
      ...(isOwn ? [] : [lowest(value), ...(typeof value === "number" ? [Number.MAX_VALUE] : [])]),
    ]);
}
