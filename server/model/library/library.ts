/**
 * The installed models: those of the own store and of an existing Ollama store, GGUF files of the models folder, the file
 * or folder named by the setting `model`, and the starter model. The disk is the truth: each call looks again, and only
 * what a file says is remembered while the file stays the same.
 */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Log } from "../../process/log.ts";
import type { InstalledModel } from "./installed-model.ts";
import { nameKey, shortName, type ModelName } from "./model-name.ts";
import { createPlainFiles, isGgufName, nameOfModel, partNumber, type PlainFile } from "./plain-file.ts";
import type { Store } from "./store.ts";
import { createStoredModels } from "./stored-model.ts";

export type { InstalledModel } from "./installed-model.ts";

export interface Library {
  /** Newest first. */
  list(): Promise<InstalledModel[]>;
  find(name: ModelName): Promise<InstalledModel | undefined>;
}

export interface LibraryOptions {
  readonly modelsDir: string;
  /** Stores to serve from, in order of precedence. */
  readonly stores?: readonly Store[];
  /** The file or folder of the setting `model`. */
  readonly extraFile: string | undefined;
  readonly starter: PlainFile;
  readonly log: Log;
}

export function createLibrary({ modelsDir, stores = [], extraFile, starter, log }: LibraryOptions): Library {
  /** Complaints already made: one line per file and reason is enough. */
  const told = new Set<string>();

  function tellOnce(path: string, reason: string): void {
    const line = `${path} is not served: ${reason}`;
    if (told.has(line)) return;
    told.add(line);
    log.warn(line);
  }
  const plain = createPlainFiles(tellOnce);
  const shelves = stores.map((store) => ({ store, models: createStoredModels(store, tellOnce) }));

  async function filesIn(folder: string): Promise<PlainFile[]> {
    const files = await readdir(folder).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") tellOnce(folder, (error as Error).message);
      return [];
    });
    const first = files.filter((file) => isGgufName(file) && (partNumber(file) ?? 1) === 1);
    return first.sort().map((file) => ({ path: join(folder, file), parameters: {} }));
  }

  async function extraFiles(): Promise<PlainFile[]> {
    if (extraFile === undefined) return [];
    const isFolder = await stat(extraFile).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isFolder ? filesIn(extraFile) : [{ path: extraFile, parameters: {} }];
  }

  const inspectAll = async (files: readonly PlainFile[]) =>
    (await Promise.all(files.map((file) => plain.inspect(file)))).filter((model) => model !== undefined);

  async function inStore({ store, models }: (typeof shelves)[number]): Promise<InstalledModel[]> {
    try {
      const found = await Promise.all((await store.names()).map((stored) => models.inspect(stored)));
      return found.filter((model) => model !== undefined);
    } catch (error) {
      tellOnce(store.dir, (error as Error).message);
      return [];
    }
  }

  async function findInStore({ store, models }: (typeof shelves)[number], name: ModelName) {
    try {
      const stored = await store.locate(name);
      return stored.exists ? await models.inspect(stored) : undefined;
    } catch (error) {
      tellOnce(store.dir, (error as Error).message);
      return undefined;
    }
  }

  async function list(): Promise<InstalledModel[]> {
    const [own, ...others] = await Promise.all(shelves.map(inStore));
    const groups = [
      await inspectAll(await extraFiles()),
      own ?? [],
      await inspectAll(await filesIn(modelsDir)),
      ...others,
      await inspectAll([starter]),
    ];
    const byKey = new Map<string, InstalledModel>();
    for (const model of groups.flat()) {
      const key = nameKey(model.name);
      const first = byKey.get(key);
      if (first === undefined) byKey.set(key, model);
      else if (first.path !== model.path)
        tellOnce(
          model.path || basename(shortName(model.name)),
          `${first.path} is already served as ${shortName(first.name)}`,
        );
    }
    const seconds = ({ modifiedAt }: InstalledModel) => Math.floor(modifiedAt.getTime() / 1000);
    return [...byKey.values()].sort((a, b) => seconds(b) - seconds(a));
  }

  return {
    list,
    // Each request asks for its model: what else there is, is not looked at.
    async find(name) {
      const key = nameKey(name);
      const inFiles = async (files: readonly PlainFile[]) =>
        (await inspectAll(files.filter(({ path }) => nameKey(nameOfModel(path)) === key))).at(0);
      const [own, ...others] = shelves;
      const places = [
        async () => inFiles(await extraFiles()),
        async () => own && findInStore(own, name),
        async () => inFiles(await filesIn(modelsDir)),
        ...others.map((shelf) => () => findInStore(shelf, name)),
        () => inFiles([starter]),
      ];
      for (const look of places) {
        const model = await look();
        if (model !== undefined) return model;
      }
      return undefined;
    },
  };
}
