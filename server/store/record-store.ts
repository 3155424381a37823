import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from "kysely";
import type { Migrations } from "./database.ts";
import { contains, likePattern } from "./contains.ts";
import type { PreparedRead, PreparedReads } from "./prepared-reads.ts";

/** A member of a collection. `data` is what its owner sent, as its schema let it through. */
export interface StoredRecord {
  readonly id: number;
  readonly ownerId: number;
  /** Grows by one at each change. */
  readonly version: number;
  /** Unix ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Scalar = string | number | boolean;

/** A field of `data`, or one of the record's own. */
export type SortField = { readonly field: string; readonly descending: boolean };

export interface RecordQuery {
  /** Leaves out records whose `data[privateField]` is true, unless they are this owner's. */
  readonly visibleTo?: { readonly ownerId: number; readonly privateField: string };
  /** Only this owner's. */
  readonly ownerId?: number;
  readonly equals?: readonly (readonly [field: string, value: Scalar])[];
  /** Case-insensitive substring in any of the fields. */
  readonly search?: { readonly text: string; readonly fields: readonly string[] };
  readonly sort: readonly SortField[];
  readonly limit: number;
  readonly offset: number;
}

/** Another record of the collection has the same value in a field whose values are unique. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
  readonly field: string;
  constructor(field: string) {
    super(`another record has this ${field}`);
    this.field = field;
  }
}

/** Documents by collection and id. Ids start at 1 in each collection and are never given out twice. */
export interface RecordStore {
  /** @throws DuplicateError when another record has the same value in one of `unique` */
  insert(
    collection: string,
    ownerId: number,
    data: Readonly<Record<string, unknown>>,
    unique?: readonly string[],
  ): Promise<StoredRecord>;
  get(collection: string, id: number): Promise<StoredRecord | undefined>;
  list(collection: string, query: RecordQuery): Promise<{ records: StoredRecord[]; total: number }>;
  /**
   * Undefined when there is no such record, or its version is not `version`.
   * @throws DuplicateError when another record has the same value in one of `unique`
   */
  replace(
    collection: string,
    id: number,
    version: number,
    data: Readonly<Record<string, unknown>>,
    unique?: readonly string[],
  ): Promise<StoredRecord | undefined>;
  /** False when there is no such record, or its version is not `version`. */
  delete(collection: string, id: number, version: number): Promise<boolean>;
}

interface RecordsTable {
  collection: string;
  id: number;
  owner_id: number;
  version: number;
  created_at: number;
  updated_at: number;
  /** JSON. */
  data: string;
}
interface SequencesTable {
  collection: string;
  last_id: number;
}
export interface RecordTables {
  records: RecordsTable;
  record_sequences: SequencesTable;
}

export const recordMigrations: Migrations = {
  "0002_records": {
    async up(db) {
      await db.schema
        .createTable("records")
        .addColumn("collection", "text", (c) => c.notNull())
        .addColumn("id", "integer", (c) => c.notNull())
        .addColumn("owner_id", "integer", (c) => c.notNull())
        .addColumn("version", "integer", (c) => c.notNull())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .addColumn("updated_at", "integer", (c) => c.notNull())
        .addColumn("data", "text", (c) => c.notNull())
        .addPrimaryKeyConstraint("records_key", ["collection", "id"])
        .execute();
      await db.schema
        .createTable("record_sequences")
        .addColumn("collection", "text", (c) => c.primaryKey())
        .addColumn("last_id", "integer", (c) => c.notNull())
        .execute();
    },
  },
};

const ownFields: Readonly<Record<string, "id" | "owner_id" | "created_at" | "updated_at">> = {
  id: "id",
  created_at: "created_at",
  updated_at: "updated_at",
};

/** A field's value in the database: a column, or a member of the document. */
export const valueOf = (field: string): RawBuilder<unknown> => {
  const column = ownFields[field];
  return column ? sql.ref(column) : sql`json_extract(data, ${sql.lit(`$.${JSON.stringify(field)}`)})`;
};

/** Lists differ in what they filter and sort by; this many kinds keep their compiled queries. */
const maxListShapes = 200;

export function createRecordStore(db: Kysely<RecordTables>, reads: PreparedReads, now: () => number): RecordStore {
  const getOne = reads.prepare(db.selectFrom("records").selectAll().where("collection", "=", "").where("id", "=", 0));
  const lists = new Map<string, { page: PreparedRead<RecordsTable>; total: PreparedRead<{ total: number }> }>();

  /** Prepared reads give the same row again until the next write, so its document need not be parsed again either. */
  const parsed = new WeakMap<RecordsTable, StoredRecord>();
  const remembered = (row: RecordsTable): StoredRecord => {
    const record = parsed.get(row) ?? toRecord(row);
    parsed.set(row, record);
    return record;
  };

  /** The compiled queries for lists of this shape: the same filters, search and sort fields, whatever their values. */
  function listQueries(collection: string, query: RecordQuery) {
    const { visibleTo, ownerId, equals = [], search, sort } = query;
    const shape = JSON.stringify([
      visibleTo?.privateField,
      ownerId !== undefined,
      equals.map(([field]) => field),
      search?.fields,
      sort,
    ]);
    const known = lists.get(shape);
    if (known) return known;
    const chosen = matching(db, collection, query);
    let page = chosen.selectAll("records");
    for (const { field, descending } of sort) page = page.orderBy(valueOf(field), descending ? "desc" : "asc");
    const prepared = {
      page: reads.prepare(page.limit(0).offset(0)),
      total: reads.prepare(chosen.select((e) => e.fn.countAll<number>().as("total"))),
    };
    if (lists.size >= maxListShapes) lists.delete(lists.keys().next().value ?? "");
    lists.set(shape, prepared);
    return prepared;
  }

  async function requireUnique(
    trx: Kysely<RecordTables>,
    collection: string,
    id: number,
    data: Readonly<Record<string, unknown>>,
    unique: readonly string[],
  ) {
    for (const field of unique.filter((one) => data[one] !== undefined && data[one] !== null)) {
      const taken = await trx
        .selectFrom("records")
        .select("id")
        .where("collection", "=", collection)
        .where("id", "!=", id)
        .where(sql<boolean>`${valueOf(field)} = ${data[field]}`)
        .executeTakeFirst();
      if (taken) throw new DuplicateError(field);
    }
  }

  return {
    async insert(collection, ownerId, data, unique = []) {
      return db.transaction().execute(async (trx) => {
        await requireUnique(trx, collection, 0, data, unique);
        const { last_id: id } = await trx
          .insertInto("record_sequences")
          .values({ collection, last_id: 1 })
          .onConflict((conflict) => conflict.column("collection").doUpdateSet({ last_id: sql`last_id + 1` }))
          .returning("last_id")
          .executeTakeFirstOrThrow();
        const time = now();
        const row = {
          collection,
          id,
          owner_id: ownerId,
          version: 1,
          created_at: time,
          updated_at: time,
          data: JSON.stringify(data),
        };
        await trx.insertInto("records").values(row).execute();
        return toRecord(row);
      });
    },

    async get(collection, id) {
      const [row] = getOne(collection, id);
      return row && remembered(row);
    },

    async list(collection, query) {
      const { page, total } = listQueries(collection, query);
      const filters = filterParameters(collection, query);
      const rows = page(...filters, query.limit, query.offset);
      // The first page tells the total by itself where it is not full.
      const complete = query.offset === 0 && rows.length < query.limit;
      return { records: rows.map(remembered), total: complete ? rows.length : (total(...filters)[0]?.total ?? 0) };
    },

    async replace(collection, id, version, data, unique = []) {
      return db.transaction().execute(async (trx) => {
        await requireUnique(trx, collection, id, data, unique);
        const row = await trx
          .updateTable("records")
          .set({ data: JSON.stringify(data), version: version + 1, updated_at: now() })
          .where("collection", "=", collection)
          .where("id", "=", id)
          .where("version", "=", version)
          .returningAll()
          .executeTakeFirst();
        return row && toRecord(row);
      });
    },

    async delete(collection, id, version) {
      const { numDeletedRows } = await db
        .deleteFrom("records")
        .where("collection", "=", collection)
        .where("id", "=", id)
        .where("version", "=", version)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** The records that a query chooses. Its parameters come in the order of filterParameters. */
function matching(
  db: Kysely<RecordTables>,
  collection: string,
  { visibleTo, ownerId, equals = [], search }: RecordQuery,
) {
  let query: SelectQueryBuilder<RecordTables, "records", object> = db
    .selectFrom("records")
    .where("collection", "=", collection);
  if (visibleTo)
    query = query.where(
      sql<boolean>`(owner_id = ${visibleTo.ownerId} or not coalesce(${valueOf(visibleTo.privateField)}, 0))`,
    );
  if (ownerId !== undefined) query = query.where("owner_id", "=", ownerId);
  for (const [field, value] of equals) query = query.where(sql<boolean>`${valueOf(field)} = ${comparable(value)}`);
  if (search) {
    const hits = search.fields.map((field) => contains(valueOf(field), search.text));
    query = query.where(sql<boolean>`(${sql.join(hits, sql` or `)})`);
  }
  return query;
}

function filterParameters(
  collection: string,
  { visibleTo, ownerId, equals = [], search }: RecordQuery,
): (string | number)[] {
  return [
    collection,
    ...(visibleTo ? [visibleTo.ownerId] : []),
    ...(ownerId === undefined ? [] : [ownerId]),
    ...equals.map(([, value]) => comparable(value)),
    ...(search ? search.fields.map(() => likePattern(search.text)) : []),
  ];
}

/** JSON's true and false are 1 and 0 in the database. */
const comparable = (value: Scalar) => (typeof value === "boolean" ? Number(value) : value);

export const toRecord = (row: RecordsTable): StoredRecord => ({
  id: row.id,
  ownerId: row.owner_id,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  data: JSON.parse(row.data) as Record<string, unknown>,
});
