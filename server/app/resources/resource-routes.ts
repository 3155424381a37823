/** Makes the operations of a collection from its definition. */
import { etagOf, isUnchanged, requireMatch, wantsMinimal } from "../../http/conventions/conditional.ts";
import { badRequest, HttpError, notFound } from "../../http/http-error.ts";
import { validate } from "../../http/messages/describe-issues.ts";
import { pageHeaders } from "../../http/conventions/paging.ts";
import { route, sessionOf, type CallContext, type Reply, type Route } from "../../http/route.ts";
import { DuplicateError, type RecordStore } from "../../store/records/record-store.ts";
import type { StoredRecord } from "../../store/records/record-tables.ts";
import { listQuery } from "./list-query.ts";
import { mergePatch } from "./merge-patch.ts";
import { endpointsOf, nobody, ownerUid, type ResourceDefinition } from "./resource-definition.ts";

export function resourceRoutes(definition: ResourceDefinition, records: RecordStore): Route[] {
  const { name, privateField } = definition;
  const endpoints = endpointsOf(definition);
  /** The store returns the same object until a record changes, so its view can be cached. */
  const views = new WeakMap<StoredRecord, Record<string, unknown>>();

  const userOf = (context: CallContext) => (definition.access === "none" ? nobody : sessionOf(context).userId);

  /** @throws HttpError 404, or 403 for another user's private item (spec: Errors 404.2). */
  async function readable(id: number, context: CallContext): Promise<StoredRecord> {
    const record = await records.get(name, id);
    if (!record) throw notFound(`There is no ${String(id)} in ${name}.`);
    if (privateField !== undefined && record.data[privateField] === true && record.ownerId !== userOf(context))
      throw new HttpError(403, "private", `${name}/${String(id)} is private.`);
    return record;
  }

  /**
   * Anybody may change an item without an owner. @throws HttpError 403 for another user's, 412 when the client has seen
   * an older version.
   */
  async function changeable(id: number, context: CallContext): Promise<StoredRecord> {
    const record = await readable(id, context);
    if (definition.ownerOnly && record.ownerId !== nobody && record.ownerId !== userOf(context))
      throw new HttpError(403, "not_the_owner", `${name}/${String(id)} belongs to another user.`);
    requireMatch(context.req, record.version);
    return record;
  }

  const stored = async (data: unknown) =>
    (await definition.beforeStore?.(data as Record<string, unknown>)) ?? (data as Record<string, unknown>);

  async function change(record: StoredRecord, data: unknown, context: CallContext): Promise<Reply> {
    const kept = Object.fromEntries(definition.serverFields.map((field) => [field, record.data[field]]));
    const changed = await unlessDuplicate(
      records.replace(name, record.id, record.version, { ...(await stored(data)), ...kept }, definition.uniqueFields),
    );
    if (!changed) throw changedMeanwhile(name, record.id);
    const headers = { ETag: etagOf(changed.version) };
    return wantsMinimal(context.req)
      ? { status: 204, headers: { ...headers, "Preference-Applied": "return=minimal" } }
      : { data: shown(changed), headers };
  }

  return [
    route(endpoints.list, async ({ query }, context) => {
      const { records: found, total } = await records.list(name, listQuery(definition, query, userOf(context)));
      return { data: found.map(shown), headers: pageHeaders(context.req, query, total) };
    }),

    route(endpoints.create, async ({ body }, context) => {
      const record = await unlessDuplicate(
        records.insert(name, userOf(context), await stored(body), definition.uniqueFields),
      );
      return {
        data: shown(record),
        headers: { Location: `/api/${name}/${String(record.id)}`, ETag: etagOf(record.version) },
      };
    }),

    route(endpoints.get, async ({ params }, context) => {
      const record = await readable(params.id, context);
      const headers = { ETag: etagOf(record.version) };
      return isUnchanged(context.req, record.version) ? { status: 304, headers } : { data: shown(record), headers };
    }),

    route(endpoints.replace, async ({ params, body }, context) =>
      change(await changeable(params.id, context), body, context),
    ),

    route(endpoints.update, async ({ params, body }, context) => {
      const record = await changeable(params.id, context);
      return change(record, validate(definition.input, mergePatch(record.data, body), "body"), context);
    }),

    route(endpoints.remove, async ({ params }, context) => {
      const record = await changeable(params.id, context);
      if (!(await records.delete(name, record.id, record.version))) throw changedMeanwhile(name, record.id);
      return {};
    }),
  ];

  /** The item in the contract's form; the schema drops the secret fields. */
  function shown(record: StoredRecord): Record<string, unknown> {
    const known = views.get(record);
    if (known) return known;
    const view = {
      ...(definition.hide?.(record.data) ?? record.data),
      id: record.id,
      owner_uid: ownerUid(record.ownerId),
      created_at: new Date(record.createdAt).toISOString(),
      updated_at: new Date(record.updatedAt).toISOString(),
    };
    views.set(record, view);
    return view;
  }
}

/** @throws HttpError 400 naming the field whose value another item already has. */
export async function unlessDuplicate<T>(change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    throw error instanceof DuplicateError
      ? badRequest("duplicate_value", `${error.field}: another item has this value already.`, error.field)
      : error;
  });
}

export const changedMeanwhile = (name: string, id: number) =>
  new HttpError(
    412,
    "changed_since",
    `${name}/${String(id)} was changed at the same moment: read it again and repeat the change.`,
  );
