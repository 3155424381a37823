import type { Generated } from "kysely";
import type { ItemId, TextIdKind } from "../../contract/app/item-ids.ts";
import type { Migrations } from "../database.ts";

/** A member of a collection. `data` is the owner's input after validation. */
export interface StoredRecord {
  readonly id: number;
  readonly ownerId: number;
  /**
   * Increases with each change, and is never that of an earlier record with the same id, unless all data are replaced.
   */
  readonly version: number;
  /** Unix ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Owner of records that no user created: those from a schema file, and those of collections without a login. */
export const nobody = 0;

/** Whether only its owner may see an item, by the field that its collection has for that. */
export const isPrivate = (privateField: string | undefined, data: StoredRecord["data"]): boolean =>
  privateField !== undefined && data[privateField] === true;

/** Whether a record may have this id. PostgreSQL refuses a statement with a number beyond its integers. */
export const isRecordId = (id: unknown): id is number => Number.isSafeInteger(id);

/** The id that clients see where ids are texts: a record from before has its number. */
export const publicIdOf = ({ id, data }: Pick<StoredRecord, "id" | "data">): ItemId => textIdOf(data) ?? id;

/** The id of an item of a collection, as clients see it. */
export const itemIdOf = ({ idKind }: { readonly idKind?: TextIdKind | undefined }, record: StoredRecord): ItemId =>
  idKind === undefined ? record.id : publicIdOf(record);

/** The id in an item's data. */
export const textIdOf = ({ id }: StoredRecord["data"]): string | undefined => (typeof id === "string" ? id : undefined);

/** A database row. */
export interface RecordsTable {
  collection: string;
  id: number;
  /** The text that `data` has as its id. */
  public_id: string | null;
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
  /** The highest version of deleted records. A restored record gets a higher one. */
  last_version: Generated<number>;
}
export interface RecordTables {
  records: RecordsTable;
  record_sequences: SequencesTable;
}

export const recordMigrations: Migrations = {
  "002_records": {
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
        .addColumn("last_version", "integer", (c) => c.notNull().defaultTo(0))
        .execute();
    },
  },
  "010_public_ids": {
    async up(db) {
      await db.schema.alterTable("records").addColumn("public_id", "text").execute();
      await db.schema
        .createIndex("records_public_id")
        .on("records")
        .columns(["collection", "public_id"])
        .unique()
        .where("public_id", "is not", null)
        .execute();
    },
  },
};

export const toRow = (collection: string, { data, ...record }: StoredRecord): RecordsTable => ({
  collection,
  id: record.id,
  public_id: textIdOf(data) ?? null,
  owner_id: record.ownerId,
  version: record.version,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
  data: JSON.stringify(data),
});

export const toRecord = (row: RecordsTable): StoredRecord => ({
  id: row.id,
  ownerId: row.owner_id,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  data: JSON.parse(row.data) as Record<string, unknown>,
});
