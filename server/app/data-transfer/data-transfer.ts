/** Exports all data as one document and imports it completely or not at all. */
import { message, type Text } from "../../contract/messages/message.ts";
import type { z } from "zod";
import type { DataDocument, ImportResult, RecordDocument } from "../../contract/console/data/data-transfer.ts";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import { canonicalId, withId, type ItemId, type TextIdKind } from "../../contract/app/item-ids.ts";
import type { Upload } from "../../contract/app/uploads.ts";
import { mapInTurns } from "../../foreign/map-in-turns.ts";
import { type HttpError, refuse } from "../../http/http-error.ts";
import { describable, describeIssue } from "../../http/messages/describe-issue.ts";
import type { InTurn } from "../../process/create-turns.ts";
import { isPrivate, itemIdOf, nobody, publicIdOf, type StoredRecord } from "../../store/records/record-tables.ts";
import { isEmpty, isInvalid, mustBeOneOf, mustBeType, unreadable } from "../../json-schema/predicates.ts";
import type { Secrets } from "../../json-schema/schema-secrets.ts";
import { unplaced, type CollectionWrite, type RecordTransfer } from "../../store/records/record-transfer.ts";
import { TransferConflict } from "../../store/records/written-records.ts";

/** The parts of a collection's definition that an import uses. */
export interface Transferable {
  readonly name: string;
  readonly idKind?: TextIdKind;
  readonly input: z.ZodType;
  readonly stored?: z.ZodType;
  readonly secretFields: readonly string[];
  readonly uniqueFields: readonly string[];
  readonly secrets?: Secrets | undefined;
  readonly privateField?: string;
  readonly ownerSeesOnly?: boolean;
}

export interface DataTransferDeps {
  readonly transfer: RecordTransfer;
  /** All collections in service. */
  readonly definitions: () => readonly Transferable[];
  readonly uploads: { list(page: { before: number | undefined; limit: number }): Promise<{ uploads: Upload[] }> };
  readonly now: () => number;
  /** Runs work while no schema is being saved. */
  readonly inTurn: InTurn;
}

export type DataTransfer = ReturnType<typeof createDataTransfer>;

const pageOfUploads = 500;
/** More problems would help nobody. */
const problemsAtMost = 20;

export function createDataTransfer({ transfer, definitions, uploads, now, inTurn }: DataTransferDeps) {
  return {
    async export({ secrets }: { secrets: boolean }): Promise<DataDocument> {
      const known = new Map(definitions().map((one) => [one.name, one]));
      const contents = (await transfer.readAll([...known.keys()])).map(({ name, lastId, records }) => {
        const { secrets: ofItems, idKind } = known.get(name) ?? {};
        const hidden = secrets ? undefined : ofItems;
        const documents = records.map((record) =>
          documentOf(record, itemIdOf({ idKind }, record), hidden?.hide(record.data) ?? record.data),
        );
        return [name, { last_id: lastId, records: documents }] as const;
      });
      return {
        format: "hearth-data/1",
        exported_at: new Date(now()).toISOString(),
        secrets: secrets ? "included" : "left out",
        collections: Object.fromEntries(contents),
        uploads: await allUploads(),
      };
    },

    /** The records of one collection, in service or not, with their secrets. */
    async exportOne(collection: string): Promise<DataDocument> {
      const { lastId, records } = await transfer.read(collection);
      const document = {
        last_id: lastId,
        records: records.map((record) => documentOf(record, publicIdOf(record), record.data)),
      };
      return {
        format: "hearth-data/1",
        exported_at: new Date(now()).toISOString(),
        secrets: "included",
        collections: { [collection]: document },
      };
    },

    import: importAll,
  };

  /**
   * `replace`: afterwards the collections hold the records of the document only. `merge`: records of the document are
   * added, or replace those with the same id.
   * @throws HttpError 400 naming the invalid record and field; nothing is changed then
   */
  async function importAll(
    document: DataDocument,
    mode: "replace" | "merge",
    signal?: AbortSignal,
  ): Promise<ImportResult> {
    const served = definitions();
    const known = new Map(served.map((one) => [one.name, one]));
    const sent = Object.entries(document.collections);
    const unknown = sent.find(([name]) => !known.has(name));
    if (unknown) throw refuse("collection.unknown", { name: unknown[0] }, { field: unknown[0] });
    const problems: Problem[] = [];
    const contents: CollectionWrite[] = [];
    for (const [name, { last_id, records }] of sent) {
      const collection = known.get(name) as Transferable;
      contents.push({
        name,
        lastId: last_id,
        unique: collection.uniqueFields,
        ...(await recordsOf(collection, records, await storedBefore(collection, transfer), problems, signal)),
      });
    }
    if (problems.length > 0) throw refusal(problems);
    const empty = [...known.values()]
      .filter(({ name }) => mode === "replace" && !sent.some(([one]) => one === name))
      .map(({ name }) => ({ name, lastId: 0, records: [], unique: [] }));
    const result = {
      collections: sent.length,
      records: contents.reduce((sum, { records }) => sum + records.length, 0),
    };
    const event: BusMessage = { type: "data.imported", source: "/app/data", data: { mode, ...result } };
    const isWritten = await inTurn(async () => {
      // Schemas may have been saved while others were served.
      const current = definitions();
      if (current.length !== served.length || current.some((one) => !served.includes(one))) return false;
      await transfer.write([...contents, ...empty], mode, event).catch((error: unknown) => {
        throw error instanceof TransferConflict
          ? refusal([[`${error.collection}/${String(error.id)}.${error.broken.field}`, message("data.duplicate")]])
          : error;
      });
      return true;
    });
    return isWritten ? result : importAll(document, mode, signal);
  }

  async function allUploads(): Promise<Upload[]> {
    const all: Upload[] = [];
    for (let last: number | undefined; ; last = all.at(-1)?.id) {
      const { uploads: page } = await uploads.list({ limit: pageOfUploads, before: last });
      all.push(...page);
      if (page.length < pageOfUploads) return all;
    }
  }
}

/** The stored items by id, of a collection that has secrets: an export leaves them out. */
async function storedBefore(
  collection: Transferable,
  transfer: RecordTransfer,
): Promise<ReadonlyMap<ItemId, StoredRecord>> {
  if (!collection.secrets) return new Map();
  const { records } = await transfer.read(collection.name);
  return new Map(records.map((record) => [itemIdOf(collection, record), record]));
}

type Fields = Readonly<Record<string, unknown>>;
type Problem = readonly [place: string, problem: Text];

const documentOf = (record: StoredRecord, id: ItemId, data: Fields): RecordDocument => ({
  id,
  owner_uid: record.ownerId === nobody ? "" : `u${String(record.ownerId)}`,
  version: record.version,
  created_at: new Date(record.createdAt).toISOString(),
  updated_at: new Date(record.updatedAt).toISOString(),
  data,
});

const isSameVersion = (one: StoredRecord | undefined, other: StoredRecord | undefined) =>
  one?.version === other?.version && one?.updatedAt === other?.updatedAt;

/** The records in stored form, with the secrets of those that are there. Problems are added to `problems`. */
async function recordsOf(
  collection: Transferable,
  records: readonly RecordDocument[],
  before: ReadonlyMap<ItemId, StoredRecord>,
  problems: Problem[],
  signal: AbortSignal | undefined,
): Promise<Pick<CollectionWrite, "records" | "adjust">> {
  const { name, idKind, stored, input, secretFields, secrets, privateField, ownerSeesOnly } = collection;
  const parse = ({ data }: RecordDocument, there: StoredRecord | undefined) => {
    const whole = there && secrets ? secrets.putBack(there.data, data) : data;
    return (stored ?? input).safeParse(whole, describable);
  };
  const storedOf = (record: RecordDocument, { data, error }: ReturnType<typeof parse>, found: Problem[]) => {
    const ownerId = record.owner_uid === "" ? nobody : Number(record.owner_uid.slice(1));
    const report = (path: readonly PropertyKey[], problem: Text) =>
      found.push([`${name}/${String(record.id)}${within(path)}`, problem]);
    for (const issue of error?.issues ?? [])
      report(issue.path, hint(describeIssue(issue), issue.path[0], secretFields));
    if (ownerId === nobody && ownerSeesOnly === true) report(["owner_uid"], isEmpty);
    const fields = (data ?? {}) as Fields;
    if (idKind === undefined && typeof record.id === "string") report([], mustBeType(["integer"]));
    if (!error && idKind !== undefined && fields["id"] !== record.id) report(["id"], mustBeOneOf([record.id]));
    if (ownerId === nobody && isPrivate(privateField, fields)) report([String(privateField)], unreadable);
    return {
      id: typeof record.id === "number" ? record.id : unplaced,
      ownerId,
      version: record.version,
      createdAt: Date.parse(record.created_at),
      updatedAt: Date.parse(record.updated_at),
      data: fields,
    };
  };
  const byId = new Map<ItemId, RecordDocument>();
  const documents = idKind === undefined ? records : records.map((record) => withTextId(record, idKind));
  for (const record of documents) {
    if (byId.has(record.id)) problems.push([`${name}/${String(record.id)}`, message("is.twice")]);
    byId.set(record.id, record);
  }
  const parseOne = (record: RecordDocument) => [record, parse(record, before.get(record.id))] as const;
  const parsed = await mapInTurns(documents, parseOne, signal);
  return {
    records: parsed.map(([record, result]) => storedOf(record, result, problems)),
    // Others were served meanwhile, and may have changed a secret.
    adjust(record, stored) {
      const id = itemIdOf(collection, record);
      const source = byId.get(id);
      if (!secrets || !source || isSameVersion(before.get(id), stored)) return record;
      const found: Problem[] = [];
      const again = storedOf(source, parse(source, stored), found);
      if (found.length > 0) throw refusal(found);
      return { ...again, id: record.id };
    },
  };
}

/** A record with its id in the one form of the kind, in its fields, too. */
function withTextId(record: RecordDocument, kind: TextIdKind): RecordDocument {
  const id = canonicalId(kind, String(record.id));
  return { ...record, id, data: withId(kind, record.data, () => id) };
}

const hint = (problem: Text, field: PropertyKey | undefined, secretFields: readonly string[]) =>
  secretFields.includes(String(field)) ? message("data.secret", { problem }) : problem;

/** `.list[3].name`, to be appended to the name of its parent. */
const within = (path: readonly PropertyKey[]) =>
  path.map((step) => (typeof step === "number" ? `[${String(step)}]` : `.${String(step)}`)).join("");

function refusal(problems: readonly Problem[]): HttpError {
  const [[field, first] = ["", isInvalid]] = problems;
  const problem = problems.length > 1 ? message("data.more", { problem: first, count: problems.length - 1 }) : first;
  return refuse(
    "data.notImported",
    { field, problem },
    { details: problems.slice(0, problemsAtMost).map(([one, text]) => ({ field: one, problem: text })) },
  );
}
