/** Rules for records, checked inside of the write. */
import type { Kysely } from "kysely";
import type { GroupedWrites } from "../database.ts";
import { ownMember } from "../../json-schema/own-member.ts";
import { hasValue } from "./record-query.ts";
import { isRecordId, type RecordTables } from "./record-tables.ts";

export interface RecordRules {
  /** Fields whose value no other record of the collection may have. */
  readonly unique?: readonly string[];
  /** Fields that hold the id of a record of the collection `to`. */
  readonly relations?: readonly { readonly field: string; readonly to: string }[];
  /** Whether a collection is served. Records of other collections are kept, but cannot be referred to. */
  readonly isServed?: (collection: string) => boolean;
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
export const referencesOf = (data: Data, { relations = [], isServed = () => true }: RecordRules) =>
  relations
    .map(({ field, to }) => ({ field, to, value: ownMember(data, field) }))
    .filter(({ value }) => isGiven(value))
    .map(({ field, to, value }) => ({
      field,
      to,
      target: `${to}/${String(value)}`,
      id: isRecordId(value) && isServed(to) ? value : undefined,
    }));

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
      for (const { field, to, target, id: referred } of referencesOf(data, rules))
        if (referred === undefined || (await writes.run(of(to).where("id", "=", referred))).length === 0)
          throw new DanglingError(field, target);
    },

    /** @throws ReferredError when another record refers to this one */
    async requireUnreferred(collection: string, id: number, referrers: readonly Referrer[]) {
      for (const { collection: by, field } of referrers) {
        let found = of(by).where(hasValue(field, id));
        if (by === collection) found = found.where("id", "!=", id);
        const [one] = await writes.run(found.limit(1));
        if (one) throw new ReferredError(`${by}/${String(one.id)}`, field);
      }
    },
  };
}
