/** Files that are served from their place: GGUF files, single ones and models in parts, and rules. */
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { checkFile, readBounded, type Bounds } from "../../../file-system/bounded-file.ts";
import type { RawOptions } from "../../options/model-options.ts";
import { fingerprint } from "./fingerprint.ts";
import { readGgufHeader, type GgufHeader } from "./gguf/gguf-header.ts";
import { TruncatedError } from "./gguf/file-window.ts";
import { GgufError, OtherKindError } from "./gguf/gguf-values.ts";
import { otherKinds } from "./gguf/other-kind.ts";
import type { InstalledModel, ScriptedRules } from "./installed-model.ts";
import { modelEnding, nameKey, nameOfFile, type ModelName } from "./model-name.ts";
import { checkRulesSize, isRulesName, parseRules, RulesError } from "./rules-file.ts";
import { noHeader } from "./no-header.ts";
import { wireDate } from "./wire-date.ts";

export interface PlainFile {
  readonly path: string;
  readonly parameters: RawOptions;
  /** The folder that the file and its other parts must not leave. */
  readonly bounds?: Bounds;
}
interface NamedFile extends PlainFile {
  readonly name: ModelName;
}

export const isModelFile = (fileName: string) =>
  (/\.gguf$/i.test(fileName) && !fileName.startsWith(".")) || isRulesName(fileName);

/** The usual names of parts. */
const partName = /^(.*)-(\d{5})-of-(\d{5})(\.gguf)$/i;

/** The number of a part in its name; undefined for a whole file. */
export const partNumber = (fileName: string) => {
  const number = partName.exec(fileName)?.[2];
  return number === undefined ? undefined : Number(number);
};

/**
 * The files of a place with the names of their models, which have no number of a part. Where several files would have
 * one name, the file that is spelled like it has it, otherwise the first; the names of the others are marked.
 */
export function withNames(files: readonly PlainFile[]): NamedFile[] {
  const named = files.map((file) => ({ ...file, name: nameOfFile(basename(file.path).replace(partName, "$1$4")) }));
  const isExact = ({ path, name }: NamedFile) => basename(path).replace(modelEnding, "") === name.model;
  return [...Map.groupBy(named, ({ name }) => nameKey(name)).values()].flatMap((same) => {
    const first = same.find(isExact) ?? same[0];
    return same.map((file) => (file === first ? file : { ...file, name: nameOfFile(basename(file.path), true) }));
  });
}

/** Paths of all parts of the model that begins with this one. */
export function modelParts(path: string, { metadata }: GgufHeader): string[] {
  const count = metadata.get("split.count");
  if (typeof count !== "number" || count <= 1) return [path];
  const [, stem, number, named, ending] = partName.exec(basename(path)) ?? [];
  if (stem === undefined || Number(number) !== 1 || Number(named) !== count)
    throw new GgufError(
      `it is the first of ${String(count)} parts and must be named …-00001-of-${String(count).padStart(5, "0")}.gguf`,
    );
  const digits = (value: number) => String(value).padStart(5, "0");
  return Array.from({ length: count }, (_, at) =>
    join(dirname(path), `${stem}-${digits(at + 1)}-of-${digits(count)}${String(ending)}`),
  );
}

interface Content {
  readonly header: GgufHeader;
  readonly rules?: ScriptedRules;
  readonly digest: string;
  readonly size: number;
  readonly parts: readonly string[];
}

/** @throws RulesError; OutOfBounds */
async function readRules(path: string, bytes: number, bounds: Bounds): Promise<ScriptedRules> {
  checkRulesSize(bytes);
  return parseRules(await readBounded(path, bounds));
}

/** @throws for a file that cannot be served: invalid rules or an invalid GGUF */
export async function checkModelFile(path: string, bounds: Bounds): Promise<void> {
  if (isRulesName(basename(path))) await readRules(path, (await stat(path)).size, bounds);
  else await readGgufHeader(path, undefined, bounds);
}

/** The header of the file and its parts; undefined for a later part. @throws for an invalid GGUF */
async function readContent(path: string, bytes: number, bounds: Bounds): Promise<Content | undefined> {
  if (isRulesName(basename(path))) {
    const rules = await readRules(path, bytes, bounds);
    return { header: noHeader, rules, digest: await fingerprint(path, bytes, bounds), size: bytes, parts: [path] };
  }
  const header = await readGgufHeader(path, undefined, bounds);
  const part = header.metadata.get("split.no");
  // The engine finds the other parts by the first one's name.
  if (typeof part === "number" && part > 0) return undefined;
  if (header.otherKind !== undefined) throw new OtherKindError(`it is ${otherKinds[header.otherKind]}`);
  const digest = await fingerprint(path, bytes, bounds);
  const parts = modelParts(path, header);
  let [size, parameterCount] = [bytes, header.parameterCount];
  for (const other of parts.slice(1)) {
    await checkFile(other, bounds);
    size += (await stat(other)).size;
    parameterCount += (await readGgufHeader(other, undefined, bounds)).parameterCount;
  }
  return { header: { ...header, parameterCount }, digest, size, parts };
}

export interface PlainFiles {
  /** The model in the file; undefined, with a report, for one that cannot be served. */
  inspect(file: NamedFile): Promise<InstalledModel | undefined>;
  /** The reason in its content why the file is no model that can be served. */
  problem(file: NamedFile): Promise<string | undefined>;
}

interface Known {
  readonly stamp: string;
  readonly content?: Content;
  readonly problem?: string;
}

/** Errors whose text is about the content alone, which any client may read. */
const isOfContent = (error: Error) =>
  [GgufError, TruncatedError, RulesError, RangeError].some((kind) => error instanceof kind);

/** `report` is called with a file that is not served, and the error that has the reason. */
export function createPlainFiles(report: (path: string, error: Error) => void): PlainFiles {
  const known = new Map<string, Known>();

  async function read(path: string, stamp: string, [bytes, bounds]: [number, Bounds]): Promise<Known> {
    try {
      const content = await readContent(path, bytes, bounds);
      return { stamp, ...(content && { content }) };
    } catch (error) {
      report(path, error as Error);
      return { stamp, ...(isOfContent(error as Error) && { problem: (error as Error).message }) };
    }
  }

  async function inspect({ path, parameters, name, bounds }: NamedFile): Promise<InstalledModel | undefined> {
    const refuse = (error: unknown) => report(path, error as Error);
    // Each time: a part may have become a link since it was read.
    const isInside = await Promise.all(
      [path, ...(known.get(path)?.content?.parts ?? [])].map((one) => checkFile(one, bounds)),
    )
      .then(() => true)
      .catch(refuse);
    const found = isInside && (await stat(path).catch(refuse));
    if (!found || !found.isFile()) return undefined;
    const stamp = `${String(found.size)} ${String(found.mtimeMs)}`;
    let entry = known.get(path);
    // A missing part may have been added meanwhile, which does not change the first one.
    if (entry?.stamp !== stamp || (entry.content === undefined && partNumber(basename(path)) === 1)) {
      entry = await read(path, stamp, [found.size, bounds]);
      known.set(path, entry);
    }
    if (entry.content === undefined) return undefined;
    const { parts: _parts, ...content } = entry.content;
    const { fault } = content.header;
    const modifiedAt = wireDate(found.mtimeMs);
    return { name, path, modifiedAt, parameters, ...content, ...(fault !== undefined && { unrunnable: fault }) };
  }

  return {
    inspect,
    problem: async (file) => ((await inspect(file)) === undefined ? known.get(file.path)?.problem : undefined),
  };
}
