/** Who may read and change an item. */
import type { IncomingMessage } from "node:http";
import { etagOf, requireMatch } from "../../http/conventions/conditional.ts";
import { HttpError, notFound } from "../../http/http-error.ts";
import type { RecordStore } from "../../store/records/record-store.ts";
import type { StoredRecord } from "../../store/records/record-tables.ts";
import { nobody, type ResourceDefinition } from "./resource-definition.ts";

type Records = Pick<RecordStore, "get">;

/** @throws HttpError 404, or 403 for another user's item that only its owner may see (spec: Errors 404.2). */
export async function readableItem(
  records: Records,
  { name, privateField, ownerSeesOnly = false }: ResourceDefinition,
  id: number,
  userId: number,
): Promise<StoredRecord> {
  const record = await records.get(name, id);
  if (!record) throw notFound(`There is no ${String(id)} in ${name}.`);
  const isPrivate = ownerSeesOnly || (privateField !== undefined && record.data[privateField] === true);
  if (isPrivate && record.ownerId !== userId) throw new HttpError(403, "private", `${name}/${String(id)} is private.`);
  return record;
}

/**
 * Anybody may change an item without an owner. @throws HttpError 403 for another user's, 412 when a condition of the
 * request does not hold.
 */
export async function changeableItem(
  records: Records,
  definition: ResourceDefinition,
  id: number,
  userId: number,
  req: IncomingMessage,
): Promise<StoredRecord> {
  const record = await readableItem(records, definition, id, userId);
  if (definition.ownerOnly && record.ownerId !== nobody && record.ownerId !== userId)
    throw new HttpError(403, "not_the_owner", `${definition.name}/${String(id)} belongs to another user.`);
  requireMatch(req, etagOf(record));
  return record;
}
