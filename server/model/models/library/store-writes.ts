/**
 * Changes of a store. Files appear completely or not at all: written under a temporary name, flushed, renamed; a
 * manifest comes after its blobs. Only blobs without a manifest or holder are removed.
 */
import { createHash, randomUUID } from "node:crypto";
import { copyFile, link, mkdir, open, readdir, realpath, rm, rmdir, stat } from "node:fs/promises";
import { constants, createReadStream } from "node:fs";
import { dirname, join } from "node:path";
import { createTurns } from "../../../process/create-turns.ts";
import { renameFile } from "../../../file-system/rename-file.ts";
import { layersOf, parseDigest, parseManifest, ManifestError, type Digest, type Manifest } from "./manifest.ts";
import type { ModelName } from "./model-name.ts";
import type { Store } from "./store.ts";
import { isInUse } from "../../../file-system/is-in-use.ts";
import { isMissing } from "../../../file-system/is-missing.ts";

export interface StoreWrites {
  readonly store: Store;
  /**
   * Protects blobs from removal until the result is disposed of, because a manifest is about to name them. It waits for a
   * removal under way, so the store must be looked at after it.
   */
  hold(digests: readonly Digest[]): Promise<Disposable>;
  /**
   * Stores a stream of bytes, and holds the blob.
   * @throws DigestMismatch when the content does not match `expected`.
   */
  putBlob(chunks: AsyncIterable<Uint8Array>, expected?: Digest): Promise<ModelBlob>;
  /**
   * Adds a blob of another store, which the caller holds: a hard link where the disk allows it, else a copy.
   * @throws the system's ENOENT where neither has it
   */
  adoptBlob(from: string, digest: Digest): Promise<void>;
  /** Writes the manifest; returns the blobs that only the replaced one named. */
  writeManifest(name: ModelName, bytes: Buffer): Promise<Digest[]>;
  /** Removes the manifest; returns its blobs, or undefined where there is none. */
  removeManifest(name: ModelName): Promise<Digest[] | undefined>;
  /**
   * Removes those of the blobs that no manifest names. One that is held stays until a later call, which need not name it
   * again; so does one in use, as by the runner that has loaded it, which Windows does not remove.
   */
  prune(digests: readonly Digest[]): Promise<void>;
  /** Removes the remains of crashes. */
  tidy(now: number): Promise<void>;
}

export interface ModelBlob extends Disposable {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
  /** It was there already. */
  readonly existed: boolean;
}

export class DigestMismatch extends Error {
  override readonly name = "DigestMismatch";
  readonly want: Digest;
  readonly got: Digest;
  constructor(want: Digest, got: Digest) {
    super(`digest mismatch, expected "${want}", got "${got}"`);
    this.want = want;
    this.got = got;
  }
}

const temporaryPrefix = ".hearth-";
/** The age from which an unnamed blob or an unfinished file counts as the remains of a crash. */
const orphanMs = 60 * 60_000;
const partialMs = 14 * 24 * 60 * 60_000;

/** Syncs a folder, with the entries in it. Systems without that (Windows) refuse, which is no failure. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** @throws when the signal aborts */
export async function hashFile(path: string, signal?: AbortSignal): Promise<Digest> {
  const hash = createHash("sha256");
  const options = { highWaterMark: 1024 * 1024, ...(signal !== undefined && { signal }) };
  for await (const chunk of createReadStream(path, options)) hash.update(chunk as Buffer);
  return `sha256:${hash.digest("hex")}`;
}

async function writeDraft(path: string, chunks: AsyncIterable<Uint8Array>): Promise<[Digest, number]> {
  await using file = await open(path, "wx", 0o644);
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
    await file.writeFile(chunk);
  }
  await file.sync();
  return [`sha256:${hash.digest("hex")}`, size];
}

/** The system calls that remove files. */
interface RemoveSystem {
  readonly platform: NodeJS.Platform;
  readonly rm: (path: string, options: { readonly force: true }) => Promise<void>;
}

export function createStoreWrites(
  store: Store,
  system: RemoveSystem = { platform: process.platform, rm },
): StoreWrites {
  const held = new Map<Digest, number>();
  const temporary = (folder: string) => join(folder, `${temporaryPrefix}${randomUUID()}`);

  /** The folder may vanish while a manifest is written into it, when its last other manifest is removed. */
  async function writeBeside(path: string, bytes: Buffer, tries = 3): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const draft = temporary(dirname(path));
    try {
      const file = await open(draft, "wx", 0o644);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await renameFile(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      if (!isMissing(error) || tries === 0) throw error;
      await writeBeside(path, bytes, tries - 1);
    }
    await flushFolder(dirname(path));
  }

  async function manifestAt(path: string): Promise<Manifest | undefined> {
    try {
      return parseManifest(await store.readManifest(path));
    } catch (error) {
      // An invalid manifest names nothing; an unreadable one might.
      if (error instanceof ManifestError || isMissing(error)) return undefined;
      throw error;
    }
  }

  async function named(): Promise<Set<Digest>> {
    const manifests = await Promise.all((await store.names()).map(({ path }) => manifestAt(path)));
    return new Set(manifests.flatMap((one) => (one === undefined ? [] : layersOf(one).map(({ digest }) => digest))));
  }

  /** Runs prunes and manifest writes in turn: a new manifest must not name a file that a prune removes. */
  const inTurn = createTurns();

  /** Blobs that were to be removed while they were held or in use. */
  const kept = new Set<Digest>();

  /** Returns false for a file that is in use. */
  async function remove(path: string): Promise<boolean> {
    try {
      await system.rm(path, { force: true });
      return true;
    } catch (error) {
      if (!isInUse(error, system.platform)) throw error;
      return false;
    }
  }

  const prune = (digests: readonly Digest[]): Promise<void> =>
    inTurn(async () => {
      const unwanted = new Set([...kept, ...digests]);
      if (unwanted.size === 0) return;
      const used = await named();
      for (const digest of unwanted)
        if (used.has(digest) || (!held.has(digest) && (await remove(store.blobPath(digest))))) kept.delete(digest);
        else kept.add(digest);
    });

  function hold(digests: readonly Digest[]): Disposable {
    for (const digest of digests) held.set(digest, (held.get(digest) ?? 0) + 1);
    return {
      [Symbol.dispose]() {
        for (const digest of digests) {
          const left = (held.get(digest) ?? 1) - 1;
          if (left > 0) held.set(digest, left);
          else held.delete(digest);
        }
      },
    };
  }

  async function finishBlob(draft: string, digest: Digest): Promise<boolean> {
    const existed = (await store.blobSize(digest)) !== undefined;
    if (existed) await rm(draft);
    else await renameFile(draft, store.blobPath(digest));
    await flushFolder(store.blobsDir);
    return existed;
  }

  async function removeEmpty(folder: string): Promise<void> {
    for (let at = folder; at !== join(store.dir, "manifests"); at = dirname(at))
      try {
        await rmdir(at);
      } catch {
        return;
      }
  }

  return {
    store,
    hold: (digests) => inTurn(async () => hold(digests)),
    async putBlob(chunks, expected) {
      await mkdir(store.blobsDir, { recursive: true });
      const draft = temporary(store.blobsDir);
      try {
        const [digest, size] = await writeDraft(draft, chunks);
        if (expected !== undefined && digest !== expected) throw new DigestMismatch(expected, digest);
        // In turn, since a blob that is seen could be removed before it is held.
        return await inTurn(async () => ({
          digest,
          size,
          existed: await finishBlob(draft, digest),
          ...hold([digest]),
        }));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async adoptBlob(from, digest) {
      if ((await store.blobSize(digest)) !== undefined) return;
      await mkdir(store.blobsDir, { recursive: true });
      const draft = temporary(store.blobsDir);
      try {
        const source = await realpath(from);
        await link(source, draft).catch(() => copyFile(source, draft, constants.COPYFILE_FICLONE));
        const got = await hashFile(draft);
        if (got !== digest) throw new DigestMismatch(digest, got);
        await finishBlob(draft, digest);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async writeManifest(name, bytes) {
      const { path } = await store.locate(name);
      const before = await inTurn(async () => {
        const replaced = await manifestAt(path);
        await writeBeside(path, bytes);
        return replaced;
      });
      const kept = new Set(layersOf(parseManifest(bytes)).map(({ digest }) => digest));
      return before === undefined ? [] : layersOf(before).flatMap(({ digest }) => (kept.has(digest) ? [] : [digest]));
    },
    removeManifest: (name) =>
      inTurn(async () => {
        const { path, exists } = await store.locate(name);
        if (!exists) return undefined;
        const before = await manifestAt(path);
        await rm(path);
        await removeEmpty(dirname(path));
        return before === undefined ? [] : layersOf(before).map(({ digest }) => digest);
      }),
    prune,
    async tidy(now) {
      const files = await readdir(store.blobsDir).catch(() => []);
      const orphans: Digest[] = [];
      for (const file of files) {
        const path = join(store.blobsDir, file);
        const age = now - ((await stat(path).catch(() => undefined))?.mtimeMs ?? now);
        const digest = parseDigest(file);
        if (digest !== undefined && age > orphanMs) orphans.push(digest);
        const isLeft = file.startsWith(temporaryPrefix) && age > orphanMs;
        if (isLeft || (file.includes("-partial") && age > partialMs)) await remove(path);
      }
      await prune(orphans);
    },
  };
}
