/**
 * The installed models: GGUF files of the models folder, the file named by the setting `model`, and the starter model.
 * The disk is the truth: each call looks again, and only what a file's header says is remembered while the file stays
 * the same.
 */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Log } from "../../process/log.ts";
import type { RawOptions } from "../options/model-options.ts";
import { fingerprint } from "./fingerprint.ts";
import { readGgufHeader, type GgufHeader } from "./gguf-header.ts";
import { nameKey, nameOfFile, shortName, type ModelName } from "./model-name.ts";

export interface InstalledModel {
  readonly name: ModelName;
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: Date;
  /** 64 hexadecimal digits, see fingerprint.ts. */
  readonly digest: string;
  readonly header: GgufHeader;
  /** Options that requests may override. */
  readonly parameters: RawOptions;
}

export interface Library {
  /** Newest first. */
  list(): Promise<InstalledModel[]>;
  find(name: ModelName): Promise<InstalledModel | undefined>;
}

/** A GGUF file to serve, in order of precedence where two have one name. */
interface Source {
  readonly path: string;
  readonly parameters: RawOptions;
}

interface Known {
  readonly stamp: string;
  /** Undefined for a file that cannot be served. */
  readonly content: { readonly header: GgufHeader; readonly digest: string } | undefined;
}

export interface LibraryOptions {
  readonly modelsDir: string;
  /** The file of the setting `model`. */
  readonly extraFile: string | undefined;
  readonly starter: Source;
  readonly log: Log;
}

const isGguf = (fileName: string) => /\.gguf$/i.test(fileName) && !fileName.startsWith(".");

export function createLibrary({ modelsDir, extraFile, starter, log }: LibraryOptions): Library {
  const known = new Map<string, Known>();
  /** Complaints already made: one line per file and reason is enough. */
  const told = new Set<string>();

  function tellOnce(path: string, reason: string): void {
    const line = `${path} is not served: ${reason}`;
    if (told.has(line)) return;
    told.add(line);
    log.warn(line);
  }

  async function read(path: string, size: number): Promise<Known["content"]> {
    try {
      const header = await readGgufHeader(path);
      const part = header.metadata.get("split.no");
      // The engine finds the other parts by the first one's name.
      if (typeof part === "number" && part > 0) return undefined;
      return { header, digest: await fingerprint(path, size) };
    } catch (error) {
      tellOnce(path, (error as Error).message);
      return undefined;
    }
  }

  async function inspect({ path, parameters }: Source): Promise<InstalledModel | undefined> {
    const found = await stat(path).catch((error: unknown) => tellOnce(path, (error as Error).message));
    if (found === undefined || !found.isFile()) return undefined;
    const stamp = `${String(found.size)} ${String(found.mtimeMs)}`;
    let entry = known.get(path);
    if (entry?.stamp !== stamp) {
      entry = { stamp, content: await read(path, found.size) };
      known.set(path, entry);
    }
    const name = nameOfFile(basename(path));
    const { size, mtime: modifiedAt } = found;
    return entry.content && { name, path, size, modifiedAt, parameters, ...entry.content };
  }

  async function sources(): Promise<Source[]> {
    const files = await readdir(modelsDir).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") tellOnce(modelsDir, (error as Error).message);
      return [];
    });
    const inFolder = files.filter(isGguf).sort();
    return [
      ...(extraFile === undefined ? [] : [{ path: extraFile, parameters: {} }]),
      ...inFolder.map((file) => ({ path: join(modelsDir, file), parameters: {} })),
      starter,
    ];
  }

  async function list(): Promise<InstalledModel[]> {
    const byKey = new Map<string, InstalledModel>();
    for (const source of await sources()) {
      const model = await inspect(source);
      if (model === undefined) continue;
      const key = nameKey(model.name);
      const first = byKey.get(key);
      if (first === undefined) byKey.set(key, model);
      else if (first.path !== model.path)
        tellOnce(model.path, `${first.path} is already served as ${shortName(first.name)}`);
    }
    const seconds = ({ modifiedAt }: InstalledModel) => Math.floor(modifiedAt.getTime() / 1000);
    return [...byKey.values()].sort((a, b) => seconds(b) - seconds(a));
  }

  return {
    list,
    async find(name) {
      const key = nameKey(name);
      return (await list()).find((model) => nameKey(model.name) === key);
    },
  };
}
