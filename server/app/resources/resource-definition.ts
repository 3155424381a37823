import type { z } from "zod";
import { operationParts, type ResourceShape } from "../../contract/app/resources.ts";
import type { Secrets } from "../../json-schema/schema-secrets.ts";
import { nobody, type StoredRecord } from "../../store/records/record-tables.ts";

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

export type ItemView = Readonly<Record<string, unknown>>;

/** The item in the contract's form; the schema drops the secret fields. */
export function itemView(definition: ResourceDefinition, record: StoredRecord): ItemView {
  const created = new Date(record.createdAt).toISOString();
  return {
    ...(definition.secrets?.hide(record.data) ?? record.data),
    id: record.id,
    owner_uid: ownerUid(record.ownerId),
    created_at: created,
    // Most items are never changed, and the text of a time is slow to make.
    updated_at: record.updatedAt === record.createdAt ? created : new Date(record.updatedAt).toISOString(),
  };
}
