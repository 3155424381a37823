/** Writes of items under the rules that keep them consistent: the same for clients and for the console. */
import { refuse } from "../../http/http-error.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { isPrivate, itemIdOf, nobody, type StoredRecord } from "../../store/records/record-tables.ts";
import { referrersOf, refuseBroken, rulesOf, type Definitions } from "./relations.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

type Fields = Readonly<Record<string, unknown>>;

export type ItemWrites = ReturnType<typeof createItemWrites>;

export function createItemWrites(records: RecordStore, definitions: Definitions) {
  return {
    /** @throws HttpError 400 naming the field that breaks a rule */
    insert(definition: ResourceDefinition, ownerId: number, data: Fields): Promise<StoredRecord> {
      requireReader(definition, ownerId, data);
      return refuseBroken(records.insert(definition.name, ownerId, data, rulesOf(definition, definitions)));
    },

    /**
     * Fields that the server writes stay as they are. Undefined when the item has changed since `before`.
     * @throws HttpError 400 naming the field that breaks a rule, 403 for a change that the server's fields rule out
     */
    replace(definition: ResourceDefinition, before: StoredRecord, data: Fields): Promise<StoredRecord | undefined> {
      const kept = Object.fromEntries(definition.serverFields.map((field) => [field, before.data[field]]));
      const fields = { ...data, ...kept };
      requireReader(definition, before.ownerId, fields);
      definition.beforeChange?.(before.data, fields);
      return refuseBroken(
        records.replace(definition.name, before.id, before.version, fields, rulesOf(definition, definitions)),
      );
    },

    /** False when the item has changed since. @throws HttpError 409 naming the item that refers to it */
    delete(definition: ResourceDefinition, record: StoredRecord): Promise<boolean> {
      const { name } = definition;
      const publicId = itemIdOf(definition, record);
      const referrers = referrersOf(definitions, name);
      return refuseBroken(records.delete(name, record.id, record.version, publicId, referrers));
    },

    /** Inserts a deleted item again. Undefined when its id is taken. @throws HttpError 400 */
    restore(definition: ResourceDefinition, deleted: StoredRecord): Promise<StoredRecord | undefined> {
      return refuseBroken(records.restore(definition.name, deleted, rulesOf(definition, definitions)));
    },
  };
}

/** @throws HttpError 400 for an item that nobody could read any more */
function requireReader({ name, privateField, ownerSeesOnly }: ResourceDefinition, ownerId: number, data: Fields): void {
  if (ownerId !== nobody) return;
  if (ownerSeesOnly === true) throw refuse("item.nobodysHidden", { collection: name });
  if (isPrivate(privateField, data)) throw refuse("item.nobodys", undefined, { field: privateField });
}
