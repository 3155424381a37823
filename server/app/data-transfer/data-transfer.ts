/** Exports all data as one document and imports it completely or not at all. */
import type { z } from "zod";
import type { DataDocument, ImportResult, RecordDocument } from "../../contract/console/data/data-transfer.ts";
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import type { Upload } from "../../contract/app/uploads.ts";
import { mapInTurns } from "../../foreign/map-in-turns.ts";
import { HttpError, badRequest } from "../../http/http-error.ts";
import { describeIssue } from "../../http/messages/describe-issues.ts";
import type { StoredRecord } from "../../store/records/record-tables.ts";
import type { Secrets } from "../../json-schema/schema-secrets.ts";
import type { CollectionContent, RecordTransfer } from "../../store/records/record-transfer.ts";
import { TransferConflict } from "../../store/records/written-records.ts";

/** What an import needs to know about a collection. */
export interface Transferable {
  readonly name: string;
  readonly input: z.ZodType;
  readonly stored?: z.ZodType;
  readonly secretFields: readonly string[];
  readonly uniqueFields: readonly string[];
  readonly secrets?: Secrets | undefined;
}

interface Deps {
  readonly transfer: RecordTransfer;
  /** All collections in service. */
  readonly collections: () => readonly Transferable[];
  readonly uploads: { list(page: { before?: number; limit: number }): Promise<{ uploads: Upload[] }> };
  readonly now: () => number;
}

export interface DataTransfer {
  export(options: { secrets: boolean }): Promise<DataDocument>;
  /** The records of one collection, in service or not, with their secrets. */
  exportOne(collection: string): Promise<DataDocument>;
  /**
   * `replace`: afterwards the collections hold the records of the document only. `merge`: records of the document are
   * added, or replace those with the same id.
   * @throws HttpError 400 naming the invalid record and field; nothing is changed then
   */
  import(document: DataDocument, mode: "replace" | "merge", signal?: AbortSignal): Promise<ImportResult>;
}

const nobody = 0;
const pageOfUploads = 500;
/** More problems would help nobody. */
const problemsAtMost = 20;

export function createDataTransfer({ transfer, collections, uploads, now }: Deps): DataTransfer {
  return {
    async export({ secrets }) {
      const contents: [string, DataDocument["collections"][string]][] = [];
      for (const collection of collections()) {
        const { lastId, records } = await transfer.read(collection.name);
        const data = (record: StoredRecord) =>
          secrets ? record.data : (collection.secrets?.hide(record.data) ?? record.data);
        contents.push([
          collection.name,
          { last_id: lastId, records: records.map((record) => documentOf(record, data(record))) },
        ]);
      }
      return {
        format: "hearth-data/1",
        exported_at: new Date(now()).toISOString(),
        secrets: secrets ? "included" : "left out",
        collections: Object.fromEntries(contents),
        uploads: await allUploads(),
      };
    },

    async exportOne(collection) {
      const { lastId, records } = await transfer.read(collection);
      const document = { last_id: lastId, records: records.map((record) => documentOf(record, record.data)) };
      return {
        format: "hearth-data/1",
        exported_at: new Date(now()).toISOString(),
        secrets: "included",
        collections: { [collection]: document },
      };
    },

    async import(document, mode, signal) {
      const known = new Map(collections().map((one) => [one.name, one]));
      const given = Object.entries(document.collections);
      const unknown = given.find(([name]) => !known.has(name));
      if (unknown)
        throw badRequest(
          "unknown_collection",
          `There is no collection ${unknown[0]}: put its schema file into the collections folder first.`,
          unknown[0],
        );
      const problems: Problem[] = [];
      const contents: (CollectionContent & { unique: readonly string[] })[] = [];
      for (const [name, { last_id, records }] of given) {
        const collection = known.get(name) as Transferable;
        const before = await storedBefore(collection);
        contents.push({
          name,
          lastId: last_id,
          records: await recordsOf(collection, records, before, problems, signal),
          unique: collection.uniqueFields,
        });
      }
      if (problems.length > 0) throw refusal(problems);
      const empty = [...known.values()]
        .filter(({ name }) => mode === "replace" && !given.some(([one]) => one === name))
        .map(({ name }) => ({ name, lastId: 0, records: [], unique: [] }));
      const result = {
        collections: given.length,
        records: contents.reduce((sum, { records }) => sum + records.length, 0),
      };
      const event: BusMessage = { type: "data.imported", source: "/app/data", data: { mode, ...result } };
      await transfer.write([...contents, ...empty], mode, event).catch((error: unknown) => {
        throw error instanceof TransferConflict
          ? refusal([
              [`${error.collection}/${String(error.id)}.${error.broken.field}`, "another item has this value already"],
            ])
          : error;
      });
      return result;
    },
  };

  async function allUploads(): Promise<Upload[]> {
    const all: Upload[] = [];
    for (let last: number | undefined; ; last = all.at(-1)?.id) {
      const { uploads: page } = await uploads.list({
        limit: pageOfUploads,
        ...(last !== undefined && { before: last }),
      });
      all.push(...page);
      if (page.length < pageOfUploads) return all;
    }
  }

  /** The stored items by id, of a collection that has secrets: an export leaves them out. */
  async function storedBefore({ name, secrets }: Transferable): Promise<ReadonlyMap<number, Fields>> {
    if (!secrets) return new Map();
    const { records } = await transfer.read(name);
    return new Map(records.map(({ id, data }) => [id, data]));
  }
}

type Fields = Readonly<Record<string, unknown>>;
type Problem = readonly [place: string, message: string];

const documentOf = (record: StoredRecord, data: Fields): RecordDocument => ({
  id: record.id,
  owner_uid: record.ownerId === nobody ? "" : `u${String(record.ownerId)}`,
  version: record.version,
  created_at: new Date(record.createdAt).toISOString(),
  updated_at: new Date(record.updatedAt).toISOString(),
  data,
});

/** The records in stored form. Problems are added to `problems`. */
async function recordsOf(
  { name, stored, input, secretFields, secrets }: Transferable,
  records: readonly RecordDocument[],
  before: ReadonlyMap<number, Fields>,
  problems: Problem[],
  signal: AbortSignal | undefined,
): Promise<StoredRecord[]> {
  const seen = new Set<number>();
  const parse = ({ id, data }: RecordDocument) => {
    const there = before.get(id);
    const whole = there && secrets ? secrets.putBack(there, data) : data;
    return (stored ?? input).safeParse(whole, { error: describeIssue });
  };
  const parsed = await mapInTurns(records, parse, signal);
  return records.map((record, index) => {
    const at = `${name}/${String(record.id)}`;
    if (seen.has(record.id)) problems.push([at, "is in the document twice"]);
    seen.add(record.id);
    const { data, error } = parsed[index] ?? {};
    for (const { path, message } of error?.issues ?? [])
      problems.push([at + within(path), hint(message, path[0], secretFields)]);
    return {
      id: record.id,
      ownerId: record.owner_uid === "" ? nobody : Number(record.owner_uid.slice(1)),
      version: record.version,
      createdAt: Date.parse(record.created_at),
      updatedAt: Date.parse(record.updated_at),
      data: (data ?? {}) as Fields,
    };
  });
}

const hint = (message: string, field: PropertyKey | undefined, secretFields: readonly string[]) =>
  secretFields.includes(String(field))
    ? `${message} (a secret field: export with ?secrets=include to have it in the document)`
    : message;

/** `.list[3].name`, to be appended to the name of its parent. */
const within = (path: readonly PropertyKey[]) =>
  path.map((step) => (typeof step === "number" ? `[${String(step)}]` : `.${String(step)}`)).join("");

function refusal(problems: readonly Problem[]): HttpError {
  const [[field, problem] = ["", "is not valid"]] = problems;
  const more = problems.length > 1 ? ` (and ${String(problems.length - 1)} more)` : "";
  return new HttpError(400, "invalid_data", `${field}: ${problem}${more}; nothing was imported.`, {
    details: problems.slice(0, problemsAtMost).map(([one, message]) => ({ field: one, problem: message })),
  });
}
