/** Makes the operations of a collection from its definition. */
import {
  etagOf,
  etagOfList,
  isUnchanged,
  tagInFormat,
  requireMatch,
  wantsMinimal,
} from "../../http/conventions/conditional.ts";
import { withId, type ItemId } from "../../contract/app/item-ids.ts";
import { nestedEndpoints } from "../../contract/app/nested-resources.ts";
import { resourceEndpoints, type Relation } from "../../contract/app/resources.ts";
import { isObject } from "../../contract/is-object.ts";
import { refuse } from "../../http/http-error.ts";
import { validate } from "../../http/messages/validate.ts";
import { pageHeaders } from "../../http/conventions/paging.ts";
import { route, sessionOf, type CallContext, type Reply, type Route } from "../../http/route.ts";
import type { RecordFilter } from "../../store/records/record-query.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { isPrivate, itemIdOf, nobody, type StoredRecord } from "../../store/records/record-tables.ts";
import { listQuery, type ListQuery } from "./list-query.ts";
import { mergePatch } from "./merge-patch.ts";
import { createItemWrites } from "./item-writes.ts";
import { createExpand, type Definitions } from "./relations.ts";
import { findRecord, itemView, withIdOf, type ItemView, type ResourceDefinition } from "./resource-definition.ts";

interface Deps {
  readonly records: RecordStore;
  /** All collections in service. */
  readonly definitions: Definitions;
}

type Fields = Readonly<Record<string, unknown>>;

export function resourceRoutes(definition: ResourceDefinition, deps: Deps): Route[] {
  const { relations = [] } = definition;
  const endpoints = resourceEndpoints(definition);
  const items = new ItemOperations(definition, deps);
  // Where several fields refer to the same collection, the nested routes are those of the first field.
  const parents = relations.filter(({ to }, index) => relations.findIndex((one) => one.to === to) === index);
  return [
    ...parents.flatMap((relation) => nestedRoutes(definition, relation, items)),
    route(endpoints.list, ({ query }, context) => items.list(query as ListQuery, context)),
    route(endpoints.create, ({ body }, context) =>
      items.create(definition.idKind === undefined ? body : newInput(definition, body), context),
    ),
    route(endpoints.get, ({ params: { id }, query }, context) =>
      items.get(id, context, (query as { expand?: string } | undefined)?.expand),
    ),
    route(endpoints.replace, ({ params: { id }, body }, context) => items.replace(id, context, body)),
    route(endpoints.update, ({ params: { id }, body }, context) => items.update(id, context, body)),
    route(endpoints.remove, ({ params: { id } }, context) => items.remove(id, context)),
  ];
}

/** The routes below the items of another collection. */
function nestedRoutes(definition: ResourceDefinition, relation: Relation, items: ItemOperations): Route[] {
  const below = nestedEndpoints(definition, relation);
  const { field, to } = relation;
  return [
    route(below.list, async ({ params: { id }, query }, context) => {
      const parent = await items.requireParent(to, id, context);
      return items.list(query as ListQuery, context, [{ field, comparison: "is", values: [parent] }]);
    }),
    route(below.create, async ({ params, body }, context) => {
      const id = await items.requireParent(to, params.id, context);
      if (isObject(body) && body[field] !== undefined && body[field] !== id)
        throw refuse("item.otherParent", { field, id }, { field });
      const whole = isObject(body) ? { ...body, [field]: id } : body;
      return items.create(newInput(definition, whole), context);
    }),
  ];
}

/** The checked input of a new item, which has an id before the check where ids are texts. */
const newInput = ({ idKind, input }: ResourceDefinition, body: unknown) =>
  validate(input, idKind !== undefined && isObject(body) ? withId(idKind, body) : body, "body");

/** The operations on the items of one collection. */
class ItemOperations {
  readonly #definition: ResourceDefinition;
  readonly #deps: Deps;
  readonly #expand;
  readonly #writes;
  readonly #toView;
  readonly #etagOf;

  constructor(definition: ResourceDefinition, deps: Deps) {
    this.#definition = definition;
    this.#deps = deps;
    const { records, definitions } = deps;
    this.#expand = createExpand(definitions, records);
    this.#writes = createItemWrites(records, definitions);
    this.#toView = records.derived((record: StoredRecord) => itemView(definition, record));
    this.#etagOf = records.derived<StoredRecord, string>(etagOf);
  }

  /** A page of the items, or of those under another one. */
  async list(query: ListQuery, context: CallContext, under: readonly RecordFilter[] = []): Promise<Reply<ItemView[]>> {
    const userId = this.#userOf(context);
    const expansion = this.#expand.read(this.#definition, query.expand);
    const chosen = listQuery(this.#definition, query, userId, context.filters);
    const all = { ...chosen, filters: [...(chosen.filters ?? []), ...under] };
    const { records: found, total } = await this.#deps.records.list(this.#definition.name, all);
    const paging = pageHeaders(context.req, query, total);
    const data = await this.#expand.apply(expansion, found.map(this.#toView), userId);
    // The versions do not tell whether an expanded item has changed.
    if (expansion.size > 0) return { data, headers: paging };
    const tag = etagOfList([total, ...found.map((record) => [record.id, this.#etagOf(record)])]);
    const headers = { ...paging, ETag: tagInFormat(tag, context.format) };
    return isUnchanged(context.req, headers.ETag) ? { status: 304, data, headers } : { data, headers };
  }

  async create(body: unknown, context: CallContext) {
    const record = await this.#writes.insert(this.#definition, this.#userOf(context), await this.#storedForm(body));
    const id = encodeURIComponent(itemIdOf(this.#definition, record));
    const headers = {
      Location: `/api/${this.#definition.name}/${id}`,
      ETag: tagInFormat(etagOf(record), context.format),
    };
    return { data: this.#toView(record), headers };
  }

  async get(id: ItemId, context: CallContext, expand?: string): Promise<Reply<ItemView>> {
    const expansion = this.#expand.read(this.#definition, expand);
    const record = await this.#readable(id, context);
    const headers = { ETag: tagInFormat(this.#etagOf(record), context.format) };
    const view = this.#toView(record);
    // The version does not tell whether an expanded item has changed.
    if (isUnchanged(context.req, headers.ETag) && expansion.size === 0) return { status: 304, data: view, headers };
    const [data = view] = await this.#expand.apply(expansion, [view], this.#userOf(context));
    return { data, headers };
  }

  replace(id: ItemId, context: CallContext, body: unknown): Promise<Reply<ItemView>> {
    const { idKind, input } = this.#definition;
    return this.#change(id, context, (record) => {
      if (idKind === undefined) return this.#storedForm(body);
      const whole = isObject(body) ? withIdOf(this.#definition, record, body) : body;
      return this.#storedForm(validate(input, whole, "body"));
    });
  }

  /** A secret that the patch does not name stays in its stored form. */
  update(id: ItemId, context: CallContext, body: unknown): Promise<Reply<ItemView>> {
    const { input, stored, secretFields } = this.#definition;
    const isStored = !secretFields.some((field) => isObject(body) && field in body);
    return this.#change(id, context, (record) => {
      // Reads share the record, and a check inserts defaults.
      const patch = isObject(body) ? withIdOf(this.#definition, record, body) : body;
      const patched = mergePatch(structuredClone(record.data), this.#writable(patch));
      if (stored && isStored) return validate(stored, patched, "body") as Fields;
      return this.#storedForm(validate(input, patched, "body"));
    });
  }

  async remove(id: ItemId, context: CallContext): Promise<void> {
    const attempt = async (record: StoredRecord) => (await this.#writes.delete(this.#definition, record)) || undefined;
    await this.#retry(id, context, attempt);
  }

  /** The id of an item of another collection. @throws HttpError 404, or 403 for one that the caller may not see */
  async requireParent(collection: string, id: ItemId, context: CallContext): Promise<ItemId> {
    const parent = this.#deps.definitions().find(({ name }) => name === collection);
    if (!parent) throw refuse("item.none", { id, collection });
    return itemIdOf(parent, await readItem(this.#deps.records, parent, id, this.#userOf(context)));
  }

  #userOf(context: CallContext): number {
    return this.#definition.access === "none" ? nobody : sessionOf(context).userId;
  }

  #readable(id: ItemId, context: CallContext): Promise<StoredRecord> {
    return readItem(this.#deps.records, this.#definition, id, this.#userOf(context));
  }

  async #storedForm(data: unknown): Promise<Fields> {
    return (await this.#definition.beforeStore?.(data as Fields)) ?? (data as Fields);
  }

  /** Removes the fields that the server writes: an item may be sent back as it was answered, in any format. */
  #writable(body: unknown): unknown {
    const { serverFields } = this.#definition;
    if (!isObject(body)) return body;
    return Object.fromEntries(Object.entries(body).filter(([field]) => !serverFields.includes(field)));
  }

  /** @param dataOf makes the item's new data, in stored form */
  async #change(id: ItemId, context: CallContext, dataOf: (record: StoredRecord) => Fields | Promise<Fields>) {
    const changed = await this.#retry(id, context, async (record) =>
      this.#writes.replace(this.#definition, record, await dataOf(record)),
    );
    const headers = { ETag: tagInFormat(etagOf(changed), context.format) };
    return wantsMinimal(context.req)
      ? { status: 204, headers: { ...headers, "Preference-Applied": "return=minimal" } }
      : { data: this.#toView(changed), headers };
  }

  /** Repeats a change with the current item when another request has changed it meanwhile. */
  async #retry<Done>(id: ItemId, context: CallContext, attempt: (record: StoredRecord) => Promise<Done | undefined>) {
    for (;;) {
      const done = await attempt(await this.#changeable(id, context));
      if (done !== undefined) return done;
    }
  }

  /**
   * Anybody may change an item without an owner. @throws HttpError 403 for another user's, 412 when a condition of the
   * request does not hold.
   */
  async #changeable(id: ItemId, context: CallContext): Promise<StoredRecord> {
    const { ownerOnly, name } = this.#definition;
    const record = await this.#readable(id, context);
    if (ownerOnly && record.ownerId !== nobody && record.ownerId !== this.#userOf(context))
      throw refuse("item.notOwner", { collection: name, id });
    requireMatch(context.req, etagOf(record));
    return record;
  }
}

/** @throws HttpError 404, or 403 for another user's item that only its owner may see (spec: Errors 404.2). */
async function readItem(
  records: RecordStore,
  definition: ResourceDefinition,
  id: ItemId,
  userId: number,
): Promise<StoredRecord> {
  const { name, privateField, ownerSeesOnly = false } = definition;
  const record = await findRecord(records, definition, id);
  if (!record) throw refuse("item.none", { id, collection: name });
  const isHidden = ownerSeesOnly || isPrivate(privateField, record.data);
  if (isHidden && record.ownerId !== userId) throw refuse("item.private", { collection: name, id });
  return record;
}
