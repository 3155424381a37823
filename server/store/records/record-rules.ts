/** Rules for records, checked inside of the write. */
import type { Kysely } from "kysely";
import type { ItemId } from "../../contract/app/item-ids.ts";
import type { GroupedWrites } from "../database.ts";
import { ownMember } from "../../json-schema/own-member.ts";
import { hasValue } from "./record-query.ts";
import { isRecordId, textIdOf, type RecordTables } from "./record-tables.ts";

export interface RecordRules {
  /** Fields whose value no other record of the collection may have. */
  readonly unique?: readonly string[];
  /** Fields that hold the id of a record of the collection `to`. */
  readonly relations?: readonly { readonly field: string; readonly to: string }[];
  /**
   * The type of a collection's ids; undefined for one that is not served. Records of such collections are kept, but
   * cannot be referred to.
   */
  readonly idTypeOf?: (collection: string) => "number" | "string" | undefined;
}

/** A field in which records of a collection refer to another one. */
export interface Referrer {
  readonly collection: string;
  readonly field: string;
}

/** Another record of the collection has the same value in a unique field. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
  readonly field: string;
  constructor(field: string) {
    super(`another record has this ${field}`);
    this.field = field;
  }
}

/** A field refers to a record that does not exist. */
export class DanglingError extends Error {
  override readonly name = "DanglingError";
  readonly field: string;
  readonly target: string;
  constructor(field: string, target: string) {
    super(`${field} refers to ${target}, which does not exist`);
    this.field = field;
    this.target = target;
  }
}

/** A record cannot be deleted, because another one refers to it. */
export class ReferredError extends Error {
  override readonly name = "ReferredError";
  readonly by: string;
  readonly field: string;
  constructor(by: string, field: string) {
    super(`${by} refers to it by ${field}`);
    this.by = by;
    this.field = field;
  }
}

type Data = Readonly<Record<string, unknown>>;
const isGiven = (value: unknown) => value !== undefined && value !== null;

/** The references of a record; `id` is undefined for a value that cannot refer to a record. */
export const referencesOf = (data: Data, { relations = [], idTypeOf = () => "number" }: RecordRules) =>
  relations
    .map(({ field, to }) => ({ field, to, value: ownMember(data, field) }))
    .filter(({ value }) => isGiven(value))
    .map(({ field, to, value }) => ({
      field,
      to,
      target: `${to}/${String(value)}`,
      id: isItemId(value) && typeof value === idTypeOf(to) ? value : undefined,
    }));

const isItemId = (value: unknown): value is ItemId => typeof value === "string" || isRecordId(value);

/** The column that has an id as clients see it. */
export const idColumn = (id: ItemId) => (typeof id === "string" ? "public_id" : "id");

/** Each check must be called inside of a write. */
export function createRecordRules(db: Kysely<RecordTables>, writes: Pick<GroupedWrites, "run">) {
  const of = (collection: string) => db.selectFrom("records").select("id").where("collection", "=", collection);

  return {
    /** @throws DuplicateError, DanglingError */
    async require(collection: string, id: number, data: Data, rules: RecordRules) {
      const { unique = [] } = rules;
      for (const field of unique.filter((one) => isGiven(ownMember(data, one)))) {
        const same = of(collection).where("id", "!=", id).where(hasValue(field, data[field]));
        if ((await writes.run(same.limit(1))).length > 0) throw new DuplicateError(field);
      }
      const own = textIdOf(data);
      if (own !== undefined) {
        const same = of(collection).where("id", "!=", id).where("public_id", "=", own);
        if ((await writes.run(same)).length > 0) throw new DuplicateError("id");
      }
      for (const { field, to, target, id: referred } of referencesOf(data, rules))
        if (referred === undefined || (await writes.run(of(to).where(idColumn(referred), "=", referred))).length === 0)
          throw new DanglingError(field, target);
    },

    /** @throws ReferredError when another record refers to this one */
    async requireUnreferred(collection: string, id: number, publicId: ItemId, referrers: readonly Referrer[]) {
      for (const { collection: by, field } of referrers) {
        let found = of(by).select("public_id").where(hasValue(field, publicId));
        if (by === collection) found = found.where("id", "!=", id);
        const [one] = await writes.run(found.limit(1));
        if (one) throw new ReferredError(`${by}/${one.public_id ?? String(one.id)}`, field);
      }
    },
  };
}
