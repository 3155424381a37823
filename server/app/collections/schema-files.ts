/** The schema files of collections as the console reads, checks, writes and removes them. */
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DataDocument } from "../../contract/console/data/data-transfer.ts";
import { OutOfBounds } from "../../file-system/bounded-file.ts";
import { renameFile } from "../../file-system/rename-file.ts";
import { refuse } from "../../http/http-error.ts";
import type { RecordTransfer } from "../../store/records/record-transfer.ts";
import { FileProblem } from "./json-source.ts";
import { findMisfits, type Misfits } from "./find-misfits.ts";
import { isPathSegment } from "../../contract/app/plural-names.ts";
import type { UserCollection } from "./user-collection.ts";
import type { UserFiles } from "./user-files.ts";
import { isMissing } from "../../file-system/is-missing.ts";

export interface SchemaFilesDeps {
  readonly files: Pick<UserFiles, "folder" | "read" | "check" | "rescan" | "refusalOf" | "definitions" | "inTurn">;
  readonly transfer: RecordTransfer;
  /** A collection's items with their secrets, as a document that can be imported. */
  readonly exportOne: (collection: string) => Promise<DataDocument>;
  /** Folder for what is removed. */
  readonly removedFolder: string;
  /** Unix time in ms. */
  readonly now: () => number;
}

interface SchemaFindings extends Misfits, Pick<UserCollection, "ignoredFormats"> {
  readonly problem?: FileProblem;
}

const badSchema = ({ text, place: { line, column } }: FileProblem) =>
  refuse("collection.schema", { problem: text, line, column }, { field: "text" });

/** @throws HttpError 409 for a file that leads out of its folder, else the error */
function refuseFile(name: string, error: unknown): never {
  if (!(error instanceof OutOfBounds)) throw error;
  throw refuse("collection.outside", { name });
}

/** Writes a file whole or not at all: a reader never sees half of it. */
async function write(file: string, text: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${String(process.pid)}.part`;
  try {
    // Never through a link that lies there already.
    await writeFile(draft, text, { flush: true, flag: "wx" });
    await renameFile(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export function createSchemaFiles({ files, transfer, exportOne, removedFolder, now }: SchemaFilesDeps) {
  const { inTurn } = files;

  /** @throws HttpError 400 for a name that cannot be that of a file */
  function fileOf(name: string): string {
    if (!isPathSegment(name)) throw refuse("collection.name", undefined, { field: "name" });
    return join(files.folder, `${name}.json`);
  }

  async function textOf(name: string): Promise<string> {
    const bytes = await files.read(fileOf(name)).catch((error: unknown) => {
      if (isMissing(error)) throw refuse("collection.noFile", { name });
      return refuseFile(name, error);
    });
    return bytes.toString("utf8");
  }

  async function check(name: string, text: string, signal?: AbortSignal): Promise<SchemaFindings> {
    try {
      const collection = await files.check(fileOf(name), text);
      return { ...(await findMisfits(collection, transfer, signal)), ignoredFormats: collection.ignoredFormats };
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      return { problem: error, misfits: 0, examples: [], ignoredFormats: [] };
    }
  }

  /**
   * A file that is not served, as when no items can be made up by it, goes again.
   * @throws HttpError 400 for a bad schema, 409 when the name is taken or items do not fit
   */
  async function save(name: string, text: string, options: { create: boolean; keep_misfits: boolean }) {
    const file = fileOf(name);
    if (options.create && existsSync(file)) throw refuse("collection.taken", { name });
    const { problem, misfits, examples } = await check(name, text);
    if (problem) throw badSchema(problem);
    if (misfits > 0 && !options.keep_misfits)
      throw refuse(
        "collection.misfits",
        { count: misfits, name },
        {
          details: examples.map((one) => ({ field: `${String(one.id)}.${one.field}`, problem: one.problem })),
        },
      );
    const before = existsSync(file)
      ? await files.read(file).catch((error: unknown) => refuseFile(name, error))
      : undefined;
    await write(file, text);
    await files.rescan();
    const refusal = files.refusalOf(file);
    if (refusal === undefined) return { file, path: `/api/${name}` };
    await (before ? write(file, before) : rm(file));
    await files.rescan();
    throw refusal instanceof FileProblem ? badSchema(refusal) : refusal;
  }

  /** The copies are on the disk before the originals go. @throws HttpError 404, 409 */
  async function remove(name: string): Promise<{ folder: string; items: number }> {
    const text = await textOf(name);
    const referring = files
      .definitions()
      .find((one) => one.name !== name && one.relations.some(({ to }) => to === name));
    if (referring) throw refuse("collection.referredTo", { other: referring.name, name });
    const folder = join(removedFolder, `${name}-${new Date(now()).toISOString().replace(/[:.]/g, "-")}`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, `${name}.json`), text, { flush: true, mode: 0o600 });
    await rm(fileOf(name));
    await files.rescan();
    const document = await exportOne(name);
    const { last_id = 0, records = [] } = document.collections[name] ?? {};
    await writeFile(join(folder, "items.json"), JSON.stringify(document, null, 2), { flush: true, mode: 0o600 });
    const event = {
      type: "data.imported",
      source: "/app/data",
      data: { mode: "replace", collections: 1, records: 0 },
    } as const;
    await transfer.write([{ name, lastId: last_id, records: [], unique: [] }], "replace", event);
    return { folder, items: records.length };
  }

  return {
    text: async (name: string) => ({ text: await textOf(name), file: fileOf(name) }),
    check,
    save: (...given: Parameters<typeof save>) => inTurn(() => save(...given)),
    remove: (name: string) => inTurn(() => remove(name)),
  };
}
