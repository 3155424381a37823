import type { z } from "zod";
import { canonicalId, withId, type ItemId } from "../../contract/app/item-ids.ts";
import { operationParts, type ResourceShape } from "../../contract/app/resources.ts";
import { refuse } from "../../http/http-error.ts";
import type { Secrets } from "../../json-schema/schema-secrets.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { itemIdOf, nobody, publicIdOf, type StoredRecord } from "../../store/records/record-tables.ts";

/** A collection: its schema and its access rules. */
export interface ResourceDefinition extends ResourceShape {
  /** A boolean field that hides an item from everybody but its owner. */
  readonly privateField?: string;
  /** Only the owner may change or delete an item. */
  readonly ownerOnly: boolean;
  /** Fields that `q` searches. */
  readonly searchFields: readonly string[];
  /** Fields that the server writes. Clients cannot change them. */
  readonly serverFields: readonly string[];
  /** Fields whose value no two items may share. */
  readonly uniqueFields: readonly string[];
  /** Turns a client's input into the stored form, for example a password into its hash. */
  readonly beforeStore?: (data: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;
  /** Refuses a change that the item's server-written fields rule out. @throws HttpError */
  readonly beforeChange?: (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) => void;
  /** Whether its items are answered at all; true unless given. */
  readonly isReadable?: boolean;
  /** Only the owner may see an item at all. */
  readonly ownerSeesOnly?: boolean;
  /** Fields that are stored but never sent (spec: Generic REST conventions 2). */
  readonly secretFields: readonly string[];
  /** All secrets of an item, those inside of its fields, too. */
  readonly secrets?: Secrets | undefined;
  /** The stored form, where it differs from that of `input`. Imported records must match it. */
  readonly stored?: z.ZodType;
}

/** The owner as clients see it; empty where there is none. */
export const ownerUid = (ownerId: number) => (ownerId === nobody ? "" : `u${String(ownerId)}`);

const answerSchemas = new WeakMap<ResourceDefinition, z.ZodType>();
/** The schema of an item in an answer, which drops what is secret. */
export function answerSchema(definition: ResourceDefinition): z.ZodType {
  const made = answerSchemas.get(definition) ?? operationParts(definition).data;
  answerSchemas.set(definition, made);
  return made;
}

/** The item that an id names. One that was stored before the ids were texts is named by its number. */
export async function findRecord(
  records: Pick<RecordStore, "get">,
  { name, idKind }: Pick<ResourceShape, "name" | "idKind">,
  id: ItemId,
): Promise<StoredRecord | undefined> {
  if (idKind === undefined) return records.get(name, Number(id));
  const text = String(id);
  for (const one of new Set([text, canonicalId(idKind, text)])) {
    const found = await records.get(name, one);
    if (found) return found;
  }
  const numbered = wholeId.test(text) ? await records.get(name, Number(text)) : undefined;
  return numbered && publicIdOf(numbered) === numbered.id ? numbered : undefined;
}
const wholeId = /^[1-9]\d*$/;

/** The fields of an item with its id, which no client can change. @throws HttpError 400 for another one */
export function withIdOf({ idKind }: ResourceDefinition, record: StoredRecord, fields: Fields): Fields {
  if (idKind === undefined) return fields;
  const id = publicIdOf(record);
  const whole = withId(idKind, fields, () => String(id));
  if (typeof id === "string" && whole["id"] !== canonicalId(idKind, id))
    throw refuse("item.otherId", { field: "id", id }, { field: "id" });
  return whole;
}
type Fields = Readonly<Record<string, unknown>>;

export type ItemView = Readonly<Record<string, unknown>>;

/** The item in the contract's form; the schema drops the secret fields. */
export function itemView(definition: ResourceDefinition, record: StoredRecord): ItemView {
  const created = new Date(record.createdAt).toISOString();
  return {
    ...(definition.secrets?.hide(record.data) ?? record.data),
    id: itemIdOf(definition, record),
    owner_uid: ownerUid(record.ownerId),
    created_at: created,
    // Most items are never changed, and the text of a time is slow to make.
    updated_at: record.updatedAt === record.createdAt ? created : new Date(record.updatedAt).toISOString(),
  };
}
