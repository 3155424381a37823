/** The items of collections for the project's own code: those of all owners, under the same rules as for clients. */
import { withId, type ItemId } from "../../contract/app/item-ids.ts";
import { pageQuery } from "../../contract/app/resources.ts";
import { refuse } from "../../http/http-error.ts";
import { validate } from "../../http/messages/validate.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { nobody, type StoredRecord } from "../../store/records/record-tables.ts";
import { createItemWrites } from "./item-writes.ts";
import { listQuery } from "./list-query.ts";
import { mergePatch } from "./merge-patch.ts";
import {
  answerSchema,
  findRecord,
  itemView,
  withIdOf,
  type ItemView,
  type ResourceDefinition,
} from "./resource-definition.ts";

type Fields = Readonly<Record<string, unknown>>;

export type ItemAccess = ReturnType<typeof createItemAccess>;

export function createItemAccess(records: RecordStore, definitions: () => readonly ResourceDefinition[]) {
  const writes = createItemWrites(records, definitions);

  /** @throws HttpError 404 */
  function definitionOf(name: string): ResourceDefinition {
    const definition = definitions().find((one) => one.name === name);
    if (!definition) throw refuse("collection.none", { name });
    return definition;
  }

  /** An item without its secrets. */
  const view = (definition: ResourceDefinition, record: StoredRecord) =>
    answerSchema(definition).parse(itemView(definition, record)) as ItemView;

  async function newForm({ input, beforeStore }: ResourceDefinition, data: unknown): Promise<Fields> {
    const fields = validate(input, data, "body") as Fields;
    return (await beforeStore?.(fields)) ?? fields;
  }

  /** A secret that the patch does not name stays in its stored form. */
  async function patchedForm(definition: ResourceDefinition, record: StoredRecord, patch: Fields): Promise<Fields> {
    const { serverFields, secretFields, stored } = definition;
    const named = Object.entries(withIdOf(definition, record, patch)).filter(
      ([field]) => !serverFields.includes(field),
    );
    const patched = mergePatch(structuredClone(record.data), Object.fromEntries(named));
    const isStored = !named.some(([field]) => secretFields.includes(field));
    return stored && isStored ? (validate(stored, patched, "body") as Fields) : newForm(definition, patched);
  }

  /** Repeats a change with the current item when another request has changed it meanwhile. */
  async function retry<Done>(
    definition: ResourceDefinition,
    id: ItemId,
    change: (record: StoredRecord) => Promise<Done | undefined | false>,
  ): Promise<Done | undefined> {
    for (;;) {
      const record = await findRecord(records, definition, id);
      if (!record) return undefined;
      const done = await change(record);
      if (done) return done;
    }
  }

  return {
    /** A page of the items. @throws HttpError 400 for a sort field or filter that the collection does not have */
    async list(name: string, query: Fields): Promise<ItemView[]> {
      const definition = definitionOf(name);
      const { page, page_size, q = "", sort = "", ...filters } = query;
      const paging = validate(pageQuery(definition.pageLimit), { page, page_size }, "query");
      const texts = Object.fromEntries(Object.entries(filters).map(([field, value]) => [field, String(value)]));
      const chosen = listQuery(definition, { ...paging, q: String(q), sort: String(sort) }, nobody, texts);
      const { visibleTo: _someone, ownerId: _owner, ...all } = chosen;
      return (await records.list(definition.name, all)).records.map((record) => view(definition, record));
    },

    async get(name: string, id: ItemId): Promise<ItemView | undefined> {
      const definition = definitionOf(name);
      const record = await findRecord(records, definition, id);
      return record && view(definition, record);
    },

    /** @param ownerId of the user to whom it belongs @throws HttpError 400 naming the field that breaks a rule */
    async create(name: string, data: Fields, ownerId = nobody): Promise<ItemView> {
      const definition = definitionOf(name);
      const whole = definition.idKind === undefined ? data : withId(definition.idKind, data);
      return view(definition, await writes.insert(definition, ownerId, await newForm(definition, whole)));
    },

    /** Changes some members; null removes one. Undefined when there is no such item. */
    async update(name: string, id: ItemId, patch: Fields): Promise<ItemView | undefined> {
      const definition = definitionOf(name);
      const changed = await retry(definition, id, async (record) =>
        writes.replace(definition, record, await patchedForm(definition, record, patch)),
      );
      return changed && view(definition, changed);
    },

    /** False when there is no such item. @throws HttpError 409 naming the item that refers to it */
    async remove(name: string, id: ItemId): Promise<boolean> {
      const definition = definitionOf(name);
      return (await retry(definition, id, (record) => writes.delete(definition, record))) ?? false;
    },
  };
}
