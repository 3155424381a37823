/**
 * A folder in the layout of Ollama's store: `manifests/<host>/<namespace>/<model>/<tag>` and `blobs/sha256-<hex>`
 * (contract: ollama, Store). Reading only; store-writes.ts changes our own store.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { maxManifestBytes, ManifestError, type Digest } from "./manifest.ts";
import { fullName, parseModelName, type ModelName } from "./model-name.ts";
import { checkFile, checkFolder, OutOfBounds, readBounded, type Bounds } from "../../../file-system/bounded-file.ts";
import { isNowhere } from "../../../file-system/is-missing.ts";

/** A manifest in the store; `name` has the spelling on disk. */
export interface StoredName {
  readonly name: ModelName;
  readonly path: string;
}

export interface Store {
  readonly dir: string;
  readonly blobsDir: string;
  /** Path of the blob, present or not. */
  blobPath(digest: Digest): string;
  /** Bytes of the blob; undefined when it is missing. Links are followed. @throws OutOfBounds for one that leads out */
  blobSize(digest: Digest): Promise<number | undefined>;
  names(): Promise<StoredName[]>;
  /** The name in the spelling on disk as far as that exists, whether the manifest exists, and its path. */
  locate(name: ModelName): Promise<StoredName & { readonly exists: boolean }>;
  /** A small blob's bytes. @throws OutOfBounds; the system's error */
  readBlob(digest: Digest): Promise<Buffer>;
  /** @throws OutOfBounds for a file that leads out, though it did not when it was read */
  checkFiles(paths: readonly string[]): Promise<void>;
  /** The manifest's bytes. @throws ManifestError when it is too long; the system's error */
  readManifest(path: string): Promise<Buffer>;
}

/** Names in a folder without hidden ones; none for a missing folder. @throws OutOfBounds */
async function visible(folder: string, bounds: Bounds): Promise<string[]> {
  try {
    await checkFolder(folder, bounds);
    return (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  } catch (error) {
    if (isNowhere(error)) return [];
    throw error;
  }
}

const fileSize = async (path: string, bounds: Bounds) => {
  try {
    await checkFile(path, bounds);
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (isNowhere(error)) return undefined;
    throw error;
  }
};

const levels = ["host", "namespace", "model", "tag"] as const;

/**
 * @param bounds what its files must not leave
 * @param report gets a folder in it that leads out, and the reason
 */
export function openStore(
  dir: string,
  bounds?: Bounds,
  report: (folder: string, reason: string) => void = () => undefined,
): Store {
  const manifestsDir = join(dir, "manifests");
  const blobsDir = join(dir, "blobs");
  const blobPath = (digest: Digest) => join(blobsDir, digest.replace(":", "-"));

  async function namesBelow(parts: readonly string[]): Promise<StoredName[]> {
    const here = join(manifestsDir, ...parts);
    const children = await visible(here, bounds).catch((error: unknown) => {
      if (!(error instanceof OutOfBounds)) throw error;
      report(here, error.message);
      return [];
    });
    if (parts.length < levels.length - 1)
      return (await Promise.all(children.map((child) => namesBelow([...parts, child])))).flat();
    const [host, namespace, model] = parts;
    const found = await Promise.all(
      children.map(async (tag) => {
        const name = parseModelName(`${String(host)}/${String(namespace)}/${String(model)}:${tag}`);
        const path = join(here, tag);
        // A path that reads back as another name could never be requested.
        const isName = name !== undefined && fullName(name) === `${parts.join("/")}:${tag}`;
        // An inaccessible manifest is listed: reading it reports the error, and prevents the removal of blobs.
        const isFile = (await fileSize(path, bounds).catch(() => 0)) !== undefined;
        return isName && isFile ? [{ name, path }] : [];
      }),
    );
    return found.flat();
  }

  return {
    dir,
    blobsDir,
    blobPath,
    blobSize: (digest) => fileSize(blobPath(digest), bounds),
    readBlob: (digest) => readBounded(blobPath(digest), bounds),
    checkFiles: async (paths) => void (await Promise.all(paths.map((path) => checkFile(path, bounds)))),
    names: () => namesBelow([]),
    async locate(name) {
      const spelled: Record<(typeof levels)[number], string> = { ...name };
      let folder = manifestsDir;
      for (const level of levels) {
        const there = await visible(folder, bounds);
        const wanted = name[level].toLowerCase();
        if (!there.includes(name[level]))
          spelled[level] = there.find((one) => one.toLowerCase() === wanted) ?? name[level];
        folder = join(folder, spelled[level]);
      }
      return { name: spelled, path: folder, exists: (await fileSize(folder, bounds)) !== undefined };
    },
    async readManifest(path) {
      const bytes = await stat(path).then(({ size }) => size);
      if (bytes > maxManifestBytes) throw new ManifestError("the manifest is too long");
      return bounds ? readBounded(path, bounds) : readFile(path);
    },
  };
}
