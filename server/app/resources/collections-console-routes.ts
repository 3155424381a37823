/** The console's operations on collections: the items of all owners, and changes on behalf of any user. */
import type { EventBus } from "../../events/event-bus.ts";
import {
  createItem,
  deleteItem,
  getItem,
  listCollections,
  listItems,
  replaceItem,
  undoItemChange,
  type CollectionItem,
  type CollectionView,
} from "../../contract/console/data/collection-endpoints.ts";
import { withId } from "../../contract/app/item-ids.ts";
import { idParams, operationParts, ownSortFields } from "../../contract/app/resources.ts";
import { jsonSchemaOf } from "../../http/formats/coerce-text.ts";
import { refuse } from "../../http/http-error.ts";
import { route, type Route } from "../../http/route.ts";
import { validate } from "../../http/messages/validate.ts";
import type { Instances } from "../../store/database.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { itemIdOf, nobody, type StoredRecord } from "../../store/records/record-tables.ts";
import { createItemJournal } from "./item-journal.ts";
import { createItemWrites } from "./item-writes.ts";
import { listQuery } from "./list-query.ts";
import { findRecord, ownerUid, withIdOf, type ResourceDefinition } from "./resource-definition.ts";

interface Deps {
  /** All collections in service. */
  readonly definitions: () => readonly ResourceDefinition[];
  readonly isBuiltIn: (name: string) => boolean;
  readonly records: RecordStore;
  readonly bus: Pick<EventBus, "subscribe">;
  readonly instances: Pick<Instances, "subscribe"> | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

export function collectionsConsoleRoutes({ definitions, isBuiltIn, records, bus, instances }: Deps): Route[] {
  const writes = createItemWrites(records, definitions);
  const journal = createItemJournal(writes, definitions);
  bus.subscribe(({ type, data }) => {
    const isReplaced = type === "data.imported" && "mode" in data && data.mode === "replace";
    if (type === "state.reset" || type === "fixture.loaded" || isReplaced) journal.clear();
  });
  // Another instance does not report the mode of an import, so one that only adds items also clears the journal here.
  for (const type of ["state.reset", "fixture.loaded", "data.imported"])
    instances?.subscribe(type, () => journal.clear());
  function definitionOf(name: string): ResourceDefinition {
    const definition = definitions().find((one) => one.name === name);
    if (!definition) throw refuse("collection.none", { name });
    return definition;
  }
  async function recordOf(definition: ResourceDefinition, id: string): Promise<StoredRecord> {
    const isCounted = definition.idKind === undefined;
    const record = await findRecord(records, definition, isCounted ? validate(idParams, { id }, "path").id : id);
    if (!record) throw refuse("item.none", { id, collection: definition.name });
    return record;
  }
  const items = async (definition: ResourceDefinition) =>
    (await records.list(definition.name, { sort: [], limit: 1, offset: 0 })).total;

  return [
    route(listCollections, async () => {
      const view = definitions().map(async (definition): Promise<CollectionView> => {
        const fields = Object.keys(definition.output.shape);
        return {
          name: definition.name,
          ...(definition.about !== undefined && { about: definition.about }),
          path: `/api/${definition.name}`,
          items: await items(definition),
          fields,
          sort_fields: [...ownSortFields, ...definition.filterFields],
          searchable: definition.searchFields.length > 0,
          schema: jsonSchemaOf(definition.idKind ? operationParts(definition).body : definition.input),
          relations: [...(definition.relations ?? [])],
          built_in: isBuiltIn(definition.name),
        };
      });
      return { data: { collections: await Promise.all(view) } };
    }),

    route(listItems, async ({ params, query }) => {
      const definition = definitionOf(params.name);
      const { search, sort, limit, offset } = listQuery(definition, query, nobody);
      const chosen = { ...(search && { search }), sort, limit, offset };
      const { records: found, total } = await records.list(definition.name, chosen);
      return { data: { items: found.map((record) => itemView(definition, record)), total } };
    }),

    route(getItem, async ({ params: { name, id } }) => {
      const definition = definitionOf(name);
      return { data: itemView(definition, await recordOf(definition, id)) };
    }),

    route(createItem, async ({ params: { name }, body: { data } }) => {
      const definition = definitionOf(name);
      const { idKind } = definition;
      const whole = idKind === undefined ? data : withId(idKind, data);
      const record = await writes.insert(definition, nobody, await storedNew(definition, whole));
      journal.add({ collection: name, id: itemIdOf(definition, record), after: record });
      return { data: itemView(definition, record) };
    }),

    route(replaceItem, async ({ params: { name, id }, body: { version, updated_at, data } }) => {
      const definition = definitionOf(name);
      const record = await recordOf(definition, id);
      const isOtherTime = updated_at !== undefined && updated_at !== itemView(definition, record).updated_at;
      if (record.version !== version || isOtherTime) throw changedMeanwhile(name, id);
      const whole = withIdOf(definition, record, data);
      const changed = await writes.replace(definition, record, await storedAgain(definition, record.data, whole));
      if (!changed) throw changedMeanwhile(name, id);
      journal.add({ collection: name, id: itemIdOf(definition, changed), before: record, after: changed });
      return { data: itemView(definition, changed) };
    }),

    route(deleteItem, async ({ params: { name, id } }) => {
      const definition = definitionOf(name);
      const record = await recordOf(definition, id);
      if (!(await writes.delete(definition, record))) throw changedMeanwhile(name, id);
      journal.add({ collection: name, id: itemIdOf(definition, record), before: record });
    }),

    route(undoItemChange, async ({ body: { item } }) => ({ data: await journal.undo(item) })),
  ];
}

const changedMeanwhile = (name: string, id: string) => refuse("item.raced", { collection: name, id });

function itemView(definition: ResourceDefinition, record: StoredRecord): CollectionItem {
  return {
    id: itemIdOf(definition, record),
    owner_uid: ownerUid(record.ownerId),
    version: record.version,
    created_at: new Date(record.createdAt).toISOString(),
    updated_at: new Date(record.updatedAt).toISOString(),
    data: definition.secrets?.hide(record.data) ?? record.data,
  };
}

async function storedNew(definition: ResourceDefinition, data: Fields): Promise<Fields> {
  const fields = validate(definition.input, data, "body") as Fields;
  return (await definition.beforeStore?.(fields)) ?? fields;
}

/** The stored form of an edited item. Secrets that were not sent stay unchanged. */
async function storedAgain(definition: ResourceDefinition, before: Fields, data: Fields): Promise<Fields> {
  const sent = definition.secrets?.putBack(before, data) ?? data;
  // A kept secret is in stored form already; a new one is in the clients' form.
  const newSecret = definition.secretFields.some((name) => name in data);
  if (definition.stored && !newSecret) return validate(definition.stored, sent, "body") as Fields;
  return storedNew(definition, sent);
}
