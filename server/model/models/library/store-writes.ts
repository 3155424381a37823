/**
 * Changes of a store. Files appear completely or not at all: written under a temporary name, flushed, renamed; a
 * manifest comes after its blobs. Only blobs without a manifest or holder are removed.
 */
import { createHash, randomUUID } from "node:crypto";
import { copyFile, link, mkdir, open, readdir, realpath, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { constants, createReadStream } from "node:fs";
import { dirname, join } from "node:path";
import { createTurns } from "../../../process/create-turns.ts";
import { renameFile } from "../../../file-system/rename-file.ts";
import { layersOf, parseDigest, parseManifest, ManifestError, type Digest } from "./manifest.ts";
import type { ModelName } from "./model-name.ts";
import type { Store } from "./store.ts";
import { isInUse } from "../../../file-system/is-in-use.ts";
import { isMissing } from "../../../file-system/is-missing.ts";

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
  const options = { highWaterMark: 1024 * 1024, signal };
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

const temporaryIn = (folder: string) => join(folder, `${temporaryPrefix}${randomUUID()}`);

/** Writes under a temporary name. The folder may vanish meanwhile, when its last other manifest is removed. */
async function writeBeside(path: string, bytes: Buffer, tries = 3): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = temporaryIn(dirname(path));
  try {
    await writeFile(draft, bytes, { flag: "wx", mode: 0o644, flush: true });
    await renameFile(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    if (!isMissing(error) || tries === 0) throw error;
    await writeBeside(path, bytes, tries - 1);
  }
  await flushFolder(dirname(path));
}

interface StoreSurroundings {
  readonly platform: NodeJS.Platform;
  readonly rm: (path: string, options: { readonly force: true }) => Promise<void>;
  /** Deletes what is kept elsewhere for the blob with this path. */
  readonly forget: (path: string) => Promise<void>;
}

/** Changes of one store. Blobs that a caller holds, or that are in use, outlive their removal until a later one. */
export class StoreWrites {
  readonly store: Store;
  readonly #surroundings: StoreSurroundings;
  /** Holders of each held blob. */
  readonly #held = new Map<Digest, number>();
  /** Blobs that were to be removed while they were held or in use. */
  readonly #kept = new Set<Digest>();
  /** Runs prunes and manifest writes in turn: a new manifest must not name a file that a prune removes. */
  readonly #inTurn = createTurns();

  constructor(store: Store, surroundings: Partial<StoreSurroundings> = {}) {
    this.store = store;
    this.#surroundings = { platform: process.platform, rm, forget: async () => undefined, ...surroundings };
  }

  /**
   * Protects blobs from removal until the result is disposed of, because a manifest is about to name them. It waits for a
   * removal under way, so the store must be looked at after it.
   */
  hold(digests: readonly Digest[]): Promise<Disposable> {
    return this.#inTurn(async () => this.#holdNow(digests));
  }

  /**
   * Stores a stream of bytes, and holds the blob.
   * @throws DigestMismatch when the content does not match `expected`.
   */
  putBlob(chunks: AsyncIterable<Uint8Array>, expected?: Digest): Promise<ModelBlob> {
    return this.#withDraft(async (draft) => {
      const [digest, size] = await writeDraft(draft, chunks);
      if (expected !== undefined && digest !== expected) throw new DigestMismatch(expected, digest);
      // In turn, since a blob that is seen could be removed before it is held.
      return this.#inTurn(async () => {
        const existed = await this.#finishBlob(draft, digest);
        return { digest, size, existed, ...this.#holdNow([digest]) };
      });
    });
  }

  /**
   * Adds a blob of another store, which the caller holds: a hard link where the disk allows it, otherwise a copy.
   * @throws the system's ENOENT where neither has it
   */
  async adoptBlob(from: string, digest: Digest): Promise<void> {
    if ((await this.store.blobSize(digest)) !== undefined) return;
    await this.#withDraft(async (draft) => {
      const source = await realpath(from);
      await link(source, draft).catch(() => copyFile(source, draft, constants.COPYFILE_FICLONE));
      const got = await hashFile(draft);
      if (got !== digest) throw new DigestMismatch(digest, got);
      await this.#finishBlob(draft, digest);
    });
  }

  /** Writes the manifest; returns the blobs that only the replaced one named. */
  async writeManifest(name: ModelName, bytes: Buffer): Promise<Digest[]> {
    const { path } = await this.store.locate(name);
    const before = await this.#inTurn(async () => {
      const replaced = await this.#blobsNamedAt(path);
      await writeBeside(path, bytes);
      return replaced;
    });
    const kept = new Set(layersOf(parseManifest(bytes)).map(({ digest }) => digest));
    const dropped = before.filter((digest) => !kept.has(digest));
    await this.#forget(dropped);
    return dropped;
  }

  /** Removes the manifest; returns its blobs, or undefined where there is none. */
  removeManifest(name: ModelName): Promise<Digest[] | undefined> {
    return this.#inTurn(async () => {
      const { path, exists } = await this.store.locate(name);
      if (!exists) return undefined;
      const before = await this.#blobsNamedAt(path);
      await rm(path);
      await this.#removeEmpty(dirname(path));
      await this.#forget(before);
      return before;
    });
  }

  /**
   * Removes those of the blobs that no manifest names. One that is held stays until a later call, which need not name it
   * again; so does one in use, as by the runner that has loaded it, which Windows does not remove.
   */
  prune(digests: readonly Digest[]): Promise<void> {
    return this.#inTurn(async () => {
      const unwanted = new Set([...this.#kept, ...digests]);
      if (unwanted.size === 0) return;
      const manifests = (await this.store.names()).map(({ path }) => this.#blobsNamedAt(path));
      const used = new Set((await Promise.all(manifests)).flat());
      for (const digest of unwanted)
        if (used.has(digest) || (!this.#held.has(digest) && (await this.#remove(this.store.blobPath(digest)))))
          this.#kept.delete(digest);
        else this.#kept.add(digest);
    });
  }

  /** Removes the remains of crashes. */
  async tidy(now: number): Promise<void> {
    const { blobsDir } = this.store;
    const orphans: Digest[] = [];
    for (const file of await readdir(blobsDir).catch(() => [])) {
      const path = join(blobsDir, file);
      const age = now - ((await stat(path).catch(() => undefined))?.mtimeMs ?? now);
      const digest = parseDigest(file);
      if (digest !== undefined && age > orphanMs) orphans.push(digest);
      const isLeft = file.startsWith(temporaryPrefix) && age > orphanMs;
      if (isLeft || (file.includes("-partial") && age > partialMs)) await this.#remove(path);
    }
    await this.prune(orphans);
  }

  async #forget(digests: readonly Digest[]): Promise<void> {
    await Promise.all(digests.map((digest) => this.#surroundings.forget(this.store.blobPath(digest))));
  }

  #holdNow(digests: readonly Digest[]): Disposable {
    for (const digest of digests) this.#held.set(digest, (this.#held.get(digest) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        for (const digest of digests) {
          const left = (this.#held.get(digest) ?? 1) - 1;
          if (left > 0) this.#held.set(digest, left);
          else this.#held.delete(digest);
        }
      },
    };
  }

  /** Has `write` fill a temporary file, which does not survive a failure. */
  async #withDraft<Result>(write: (draft: string) => Promise<Result>): Promise<Result> {
    await mkdir(this.store.blobsDir, { recursive: true });
    const draft = temporaryIn(this.store.blobsDir);
    try {
      return await write(draft);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Gives the draft the blob's name. Returns true where the blob was there already. */
  async #finishBlob(draft: string, digest: Digest): Promise<boolean> {
    const existed = (await this.store.blobSize(digest)) !== undefined;
    if (existed) await rm(draft);
    else await renameFile(draft, this.store.blobPath(digest));
    await flushFolder(this.store.blobsDir);
    return existed;
  }

  async #blobsNamedAt(path: string): Promise<Digest[]> {
    try {
      return layersOf(parseManifest(await this.store.readManifest(path))).map(({ digest }) => digest);
    } catch (error) {
      // An invalid manifest names nothing; an unreadable one might.
      if (error instanceof ManifestError || isMissing(error)) return [];
      throw error;
    }
  }

  /** Returns false for a file that is in use. */
  async #remove(path: string): Promise<boolean> {
    try {
      await this.#surroundings.rm(path, { force: true });
      return true;
    } catch (error) {
      if (!isInUse(error, this.#surroundings.platform)) throw error;
      return false;
    }
  }

  async #removeEmpty(folder: string): Promise<void> {
    for (let at = folder; at !== join(this.store.dir, "manifests"); at = dirname(at))
      try {
        await rmdir(at);
      } catch {
        return;
      }
  }
}
