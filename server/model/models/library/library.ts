/**
 * The installed models: those of the own store and of an existing Ollama store, GGUF files and rules of the models folder, the
 * file or folder in the setting `model`, and the starter model. Each call reads the folders again; only the contents of
 * unchanged files are cached.
 */
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Log } from "../../../process/log.ts";
import type { InstalledModel, RemoteModel } from "./installed-model.ts";
import { nameKey, shortName, type ModelName } from "./model-name.ts";
import { createPlainFiles, isModelFile, partNumber, withNames, type PlainFile, type PlainFiles } from "./plain-file.ts";
import type { Store, StoredName } from "./store.ts";
import { createStoredModels } from "./stored-model.ts";
import { checkFolder, type Bounds } from "../../../file-system/bounded-file.ts";
import { isMissing } from "../../../file-system/is-missing.ts";
import { OllamaError } from "../../ollama-error.ts";

export type { InstalledModel } from "./installed-model.ts";

/** Where models are. */
interface Place {
  list(): Promise<InstalledModel[]>;
  find(name: ModelName): Promise<InstalledModel | undefined>;
  /** The reason why a file of this name is no model here. */
  problem?(name: ModelName): Promise<string | undefined>;
}

export interface Library {
  /** Newest first. */
  list(): Promise<InstalledModel[]>;
  /** @throws OllamaError 400 with the reason where there is only a file of this name that is no model */
  find(name: ModelName): Promise<InstalledModel | undefined>;
  /** The model of this name that is served whatever the stores have under it: a file of the setting `model`. */
  fixed(name: ModelName): Promise<InstalledModel | undefined>;
}

/** The models that run elsewhere. */
export interface RemoteModels extends Place {
  /** @throws HttpError 503 where a server may have the model that has not told its models yet */
  find(name: ModelName): Promise<InstalledModel | undefined>;
  /** A model that a Modelfile puts at a base URL; undefined for a URL that nobody has named here. */
  remoteAt(url: string, model: string): Promise<RemoteModel | undefined>;
}

export interface LibraryOptions {
  readonly modelsDir: string;
  /** Stores to serve from, in order of precedence. */
  readonly stores?: readonly Store[];
  /** The file or folder of the setting `model`. */
  readonly extraFile: string | undefined;
  /** The folders that the files of `modelsDir`, and those of the setting `model`, must not leave. */
  readonly bounds?: { readonly modelsDir: Bounds; readonly extraFile: Bounds } | undefined;
  readonly starter: PlainFile;
  readonly remoteModels?: RemoteModels | undefined;
  readonly log: Log;
}

/** A stored model without weights may run elsewhere: only where somebody here wants it to, whatever a pulled one says. */
async function placed(model: InstalledModel, remoteModels: RemoteModels | undefined): Promise<InstalledModel> {
  const { remote_host: url, remote_model: id } = model.config ?? {};
  if (model.path !== "" || !url || !id) return model;
  const remote = await remoteModels?.remoteAt(url, id);
  if (remote === undefined)
    return { ...model, unrunnable: `it runs at ${url}, which is not an upstream: add it to the setting upstreams` };
  return { ...model, remote };
}

/** The models in a folder, the first part of each. */
async function filesIn(
  folder: string,
  outer: Bounds,
  warn: (path: string, reason: string) => void,
): Promise<PlainFile[]> {
  const within = outer && [...outer, folder];
  const files = await checkFolder(folder, within)
    .then(() => readdir(folder))
    .catch((error: unknown) => {
      if (!isMissing(error)) warn(folder, (error as Error).message);
      return [];
    });
  const first = files.filter((file) => isModelFile(file) && (partNumber(file) ?? 1) === 1);
  return first.sort().map((file) => ({ path: join(folder, file), parameters: {}, bounds: within }));
}

const onlyModels = async (inspected: readonly Promise<InstalledModel | undefined>[]) =>
  (await Promise.all(inspected)).filter((model) => model !== undefined);

/** The models in files that are served from their place. */
function inFiles(plain: PlainFiles, files: () => Promise<readonly PlainFile[]>): Place {
  const fileOf = async (name: ModelName) =>
    withNames(await files()).find((named) => nameKey(named.name) === nameKey(name));
  return {
    list: async () => onlyModels(withNames(await files()).map((file) => plain.inspect(file))),
    find: async (name) => {
      const file = await fileOf(name);
      return file && plain.inspect(file);
    },
    problem: async (name) => {
      const file = await fileOf(name);
      return file && plain.problem(file);
    },
  };
}

/** The first place's model of this name. @throws OllamaError 400 with the reason where there is only a file that is none */
async function findIn(places: readonly Place[], name: ModelName): Promise<InstalledModel | undefined> {
  for (const place of places) {
    const model = await place.find(name);
    if (model !== undefined) return model;
  }
  for (const place of places) {
    const problem = await place.problem?.(name);
    if (problem !== undefined) throw new OllamaError(400, `"${shortName(name)}" cannot be run: ${problem}`);
  }
  return undefined;
}

export function createLibrary({
  modelsDir,
  stores = [],
  extraFile,
  starter,
  remoteModels,
  bounds,
  log,
}: LibraryOptions): Library {
  /** Logged problems: one line per file and reason is enough. */
  const warned = new Set<string>();

  function warnOnce(path: string, reason: string): void {
    const line = `${path} is not served: ${reason}`;
    if (warned.has(line)) return;
    warned.add(line);
    log.warn(line);
  }
  const plain = createPlainFiles((path, { message }) => warnOnce(path, message));

  async function extraFiles(): Promise<PlainFile[]> {
    if (extraFile === undefined) return [];
    const isFolder = await stat(extraFile).then(
      (found) => found.isDirectory(),
      () => false,
    );
    const within = bounds?.extraFile;
    return isFolder ? filesIn(extraFile, within, warnOnce) : [{ path: extraFile, parameters: {}, bounds: within }];
  }

  function inStore(store: Store): Place {
    const models = createStoredModels(store, warnOnce);
    const orNothing = (error: unknown) => warnOnce(store.dir, (error as Error).message);
    const inspect = async (stored: StoredName) => {
      const model = await models.inspect(stored);
      return model && placed(model, remoteModels);
    };
    const inspectNames = async () => onlyModels((await store.names()).map(inspect));
    const inspectNamed = async (name: ModelName) => {
      const stored = await store.locate(name);
      return stored.exists ? inspect(stored) : undefined;
    };
    return {
      list: async () => (await inspectNames().catch(orNothing)) ?? [],
      find: async (name) => (await inspectNamed(name).catch(orNothing)) ?? undefined,
    };
  }

  const extra = inFiles(plain, extraFiles);
  const [own, ...others] = stores.map(inStore);
  /** In order of precedence. */
  const places = [
    extra,
    ...(own ? [own] : []),
    inFiles(plain, () => filesIn(modelsDir, bounds?.modelsDir, warnOnce)),
    ...others,
    inFiles(plain, () => Promise.resolve([starter])),
    ...(remoteModels ? [remoteModels] : []),
  ];

  async function list(): Promise<InstalledModel[]> {
    const groups = await Promise.all(places.map((place) => place.list()));
    const byKey = new Map<string, InstalledModel>();
    for (const model of groups.flat()) {
      const key = nameKey(model.name);
      const first = byKey.get(key);
      if (first === undefined) byKey.set(key, model);
      else if (first.path !== model.path)
        warnOnce(
          model.path || basename(shortName(model.name)),
          `${first.path} is already served as ${shortName(first.name)}`,
        );
    }
    const seconds = ({ modifiedAt }: InstalledModel) => Math.floor(modifiedAt.getTime() / 1000);
    return [...byKey.values()].sort((a, b) => seconds(b) - seconds(a));
  }

  return {
    list,
    fixed: (name) => extra.find(name),
    // Every request looks up its model, so no other files are read.
    find: (name) => findIn(places, name),
  };
}
