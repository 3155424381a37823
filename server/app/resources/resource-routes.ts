/** Makes the operations of a collection from its definition. */
import {
  etagOf,
  etagOfList,
  isUnchanged,
  tagInFormat,
  requireMatch,
  wantsMinimal,
} from "../../http/conventions/conditional.ts";
import { nestedEndpoints } from "../../contract/app/nested-resources.ts";
import type { Relation } from "../../contract/app/resources.ts";
import { isObject } from "../../contract/is-object.ts";
import { refuse } from "../../http/http-error.ts";
import { validate } from "../../http/messages/validate.ts";
import { pageHeaders } from "../../http/conventions/paging.ts";
import { route, sessionOf, type CallContext, type Reply, type Route } from "../../http/route.ts";
import type { RecordFilter } from "../../store/records/record-query.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import { isPrivate, nobody, type StoredRecord } from "../../store/records/record-tables.ts";
import { listQuery, type ListQuery } from "./list-query.ts";
import { mergePatch } from "./merge-patch.ts";
import { createItemWrites } from "./item-writes.ts";
import { createExpand, type Definitions } from "./relations.ts";
import { endpointsOf, itemView, type ResourceDefinition } from "./resource-definition.ts";

interface Deps {
  readonly records: RecordStore;
  /** All collections in service. */
  readonly definitions: Definitions;
}

type Fields = Readonly<Record<string, unknown>>;

export function resourceRoutes(definition: ResourceDefinition, { records, definitions }: Deps): Route[] {
  const { name, relations = [] } = definition;
  const endpoints = endpointsOf(definition);
  const expand = createExpand(definitions, records);
  const writes = createItemWrites(records, definitions);
  const shown = records.derived((record: StoredRecord) => itemView(definition, record));
  const tagOf = records.derived<StoredRecord, string>(etagOf);

  const userOf = (context: CallContext) => (definition.access === "none" ? nobody : sessionOf(context).userId);

  const readable = (id: number, context: CallContext) => readItem(records, definition, id, userOf(context));

  /**
   * Anybody may change an item without an owner. @throws HttpError 403 for another user's, 412 when a condition of the
   * request does not hold.
   */
  async function changeable(id: number, context: CallContext): Promise<StoredRecord> {
    const record = await readable(id, context);
    if (definition.ownerOnly && record.ownerId !== nobody && record.ownerId !== userOf(context))
      throw refuse("item.notOwner", { collection: name, id });
    requireMatch(context.req, etagOf(record));
    return record;
  }

  const stored = async (data: unknown) => (await definition.beforeStore?.(data as Fields)) ?? (data as Fields);

  /** A body without the fields that the server writes: an item may be sent back as it was answered, in any format. */
  const writable = (body: unknown) =>
    isObject(body)
      ? Object.fromEntries(Object.entries(body).filter(([field]) => !definition.serverFields.includes(field)))
      : body;

  /** Tries a change again with the item as it is then, when another request has changed it meanwhile. */
  async function changing<Done>(
    id: number,
    context: CallContext,
    attempt: (record: StoredRecord) => Promise<Done | undefined>,
  ): Promise<Done> {
    for (;;) {
      const done = await attempt(await changeable(id, context));
      if (done !== undefined) return done;
    }
  }

  /** @param dataOf Makes the item's new data, in stored form */
  async function replace(
    id: number,
    context: CallContext,
    dataOf: (record: StoredRecord) => Fields | Promise<Fields>,
  ): Promise<Reply> {
    const changed = await changing(id, context, async (record) =>
      writes.replace(definition, record, await dataOf(record)),
    );
    const headers = { ETag: tagInFormat(etagOf(changed), context.format) };
    return wantsMinimal(context.req)
      ? { status: 204, headers: { ...headers, "Preference-Applied": "return=minimal" } }
      : { data: shown(changed), headers };
  }

  /** A page of the items, or of those under another one. */
  async function list(query: ListQuery, context: CallContext, under: readonly RecordFilter[] = []) {
    const userId = userOf(context);
    const expansion = expand.read(definition, query.expand);
    const chosen = listQuery(definition, query, userId, context.filters);
    const all = { ...chosen, filters: [...(chosen.filters ?? []), ...under] };
    const { records: found, total } = await records.list(name, all);
    const paging = pageHeaders(context.req, query, total);
    // The versions do not tell whether an expanded item has changed.
    if (expansion.size > 0) return { data: await expand.apply(expansion, found.map(shown), userId), headers: paging };
    const tag = etagOfList([total, ...found.map((record) => [record.id, tagOf(record)])]);
    const headers = { ...paging, ETag: tagInFormat(tag, context.format) };
    const data = found.map(shown);
    return isUnchanged(context.req, headers.ETag) ? { status: 304, data, headers } : { data, headers };
  }

  async function create(body: unknown, context: CallContext) {
    const record = await writes.insert(definition, userOf(context), await stored(body));
    const headers = {
      Location: `/api/${name}/${String(record.id)}`,
      ETag: tagInFormat(etagOf(record), context.format),
    };
    return { data: shown(record), headers };
  }

  /** The routes below the items of another collection; where several fields refer to it, those of the first. */
  function nested(relation: Relation): Route[] {
    const below = nestedEndpoints(definition, relation);
    const { field, to } = relation;
    const requireParent = async (id: number, context: CallContext) => {
      const parent = definitions().find((one) => one.name === to);
      if (!parent) throw refuse("item.none", { id, collection: to });
      await readItem(records, parent, id, userOf(context));
    };
    return [
      route(below.list, async ({ params: { id }, query }, context) => {
        await requireParent(id, context);
        return list(query as ListQuery, context, [{ field, comparison: "is", values: [id] }]);
      }),
      route(below.create, async ({ params: { id }, body }, context) => {
        await requireParent(id, context);
        if (isObject(body) && body[field] !== undefined && body[field] !== id)
          throw refuse("item.otherParent", { field, id }, { field });
        const whole = isObject(body) ? { ...body, [field]: id } : body;
        return create(validate(definition.input, whole, "body"), context);
      }),
    ];
  }

  return [
    ...relations.filter(({ to }, index) => relations.findIndex((one) => one.to === to) === index).flatMap(nested),

    route(endpoints.list, ({ query }, context) => list(query as ListQuery, context)),

    route(endpoints.create, ({ body }, context) => create(body, context)),

    route(endpoints.get, async ({ params, query }, context) => {
      const expansion = expand.read(definition, (query as { expand?: string } | undefined)?.expand);
      const record = await readable(params.id, context);
      const headers = { ETag: tagInFormat(tagOf(record), context.format) };
      // The version does not tell whether an expanded item has changed.
      if (isUnchanged(context.req, headers.ETag) && expansion.size === 0)
        return { status: 304, data: shown(record), headers };
      const [data] = await expand.apply(expansion, [shown(record)], userOf(context));
      return { data, headers };
    }),

    route(endpoints.replace, ({ params, body }, context) => replace(params.id, context, () => stored(body))),

    route(endpoints.update, ({ params, body }, context) =>
      replace(params.id, context, (record) => {
        // Reads share the record, and a check inserts defaults.
        const patched = mergePatch(structuredClone(record.data), writable(body));
        // A secret that the patch does not name stays in its stored form.
        const isStored = !definition.secretFields.some((field) => isObject(body) && field in body);
        if (definition.stored && isStored) return validate(definition.stored, patched, "body") as Fields;
        return stored(validate(definition.input, patched, "body"));
      }),
    ),

    route(endpoints.remove, async ({ params: { id } }, context) => {
      await changing(id, context, async (record) => (await writes.delete(definition, record)) || undefined);
      return {};
    }),
  ];
}

/** @throws HttpError 404, or 403 for another user's item that only its owner may see (spec: Errors 404.2). */
async function readItem(
  records: RecordStore,
  { name, privateField, ownerSeesOnly = false }: ResourceDefinition,
  id: number,
  userId: number,
): Promise<StoredRecord> {
  const record = await records.get(name, id);
  if (!record) throw refuse("item.none", { id, collection: name });
  const isHidden = ownerSeesOnly || isPrivate(privateField, record.data);
  if (isHidden && record.ownerId !== userId) throw refuse("item.private", { collection: name, id });
  return record;
}
