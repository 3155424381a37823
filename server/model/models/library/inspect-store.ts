/** Checks whether a store of models is complete, and changes nothing. */
import { readdir } from "node:fs/promises";
import { hashFile } from "./store-writes.ts";
import { layersOf, parseDigest, parseManifest, type Layer } from "./manifest.ts";
import { shortName } from "./model-name.ts";
import type { Store, StoredName } from "./store.ts";

export interface StoreInspection {
  /** The number of manifests. */
  readonly models: number;
  /** The problems, one line each. */
  readonly problems: readonly string[];
  /** Blobs that no manifest names. */
  readonly unnamed: number;
}

export interface InspectOptions {
  /** Whether blobs are read and compared with their names, not only measured. */
  readonly reads: boolean;
  readonly signal: AbortSignal;
  /** Called before each blob with the bytes checked so far and in all. */
  readonly onProgress: (done: number, total: number) => void;
}

async function layersIn(store: Store, { name, path }: StoredName, report: (problem: string) => void): Promise<Layer[]> {
  try {
    return layersOf(parseManifest(await store.readManifest(path)));
  } catch (error) {
    report(`the model ${shortName(name)} cannot be read (${path}): ${(error as Error).message}`);
    return [];
  }
}

/** @throws the signal's reason; the system's error for a folder that cannot be read */
export async function inspectStore(
  store: Store,
  { reads, signal, onProgress }: InspectOptions,
): Promise<StoreInspection> {
  const problems: string[] = [];
  const names = await store.names();
  /** Each blob once, with the first model that names it. */
  const blobs = new Map<Layer["digest"], { layer: Layer; model: string }>();
  for (const stored of names)
    for (const layer of await layersIn(store, stored, (problem) => problems.push(problem)))
      if (!blobs.has(layer.digest)) blobs.set(layer.digest, { layer, model: shortName(stored.name) });
  const total = [...blobs.values()].reduce((sum, { layer }) => sum + layer.size, 0);
  let done = 0;
  for (const { layer, model } of blobs.values()) {
    onProgress(done, total);
    const found = await store.blobSize(layer.digest);
    const file = store.blobPath(layer.digest);
    if (found === undefined) problems.push(`the model ${model} lacks ${file}`);
    else if (found !== layer.size)
      problems.push(`the model ${model} has ${file} with ${String(found)} bytes instead of ${String(layer.size)}`);
    else if (reads && (await hashFile(file, signal)) !== layer.digest)
      problems.push(`the model ${model} has ${file} whose content does not match its digest`);
    signal.throwIfAborted();
    done += layer.size;
  }
  const files = await readdir(store.blobsDir).catch(() => []);
  const unnamed = files.filter((file) => {
    const digest = parseDigest(file);
    return digest !== undefined && !blobs.has(digest);
  });
  return { models: names.length, problems, unnamed: unnamed.length };
}
