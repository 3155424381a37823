/** Reads a backup as a stream, and verifies everything that it states. */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { belongs, digestIn, manifestPath, manifestSchema, type BackupManifest } from "./backup-format.ts";
import { readTar, type TarEntry } from "./tar-file.ts";

const maxManifestBytes = 256 << 20;

interface ReadOptions {
  /** Called with each file except the manifest. It must consume the chunks in order and completely. */
  readonly take?: (path: string, chunks: AsyncIterable<Buffer>) => Promise<void>;
  readonly onProgress: (doneBytes: number) => void;
  readonly signal: AbortSignal;
}

export interface ReadBackup {
  readonly manifest: BackupManifest;
  /** Digests of the contents in it. */
  readonly contents: ReadonlySet<string>;
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const chunk of chunks) void chunk;
}

/**
 * Compares every file with its digest.
 * @throws Error with the problem of the backup
 */
export async function readBackup(file: FileHandle, options: ReadOptions): Promise<ReadBackup> {
  const { take = async (_path, chunks) => drain(chunks), onProgress, signal } = options;
  const files: BackupManifest["files"] = {};
  const contents = new Set<string>();
  let contentBytes = 0;
  let done = 0;
  let manifest: BackupManifest | undefined;

  async function digestOf({ path, chunks }: TarEntry): Promise<string> {
    const hash = createHash("sha256");
    async function* seen(): AsyncGenerator<Buffer> {
      for await (const chunk of chunks()) {
        signal.throwIfAborted();
        hash.update(chunk);
        yield chunk;
        done += chunk.length;
        onProgress(done);
      }
    }
    await take(path, seen());
    return hash.digest("hex");
  }

  for await (const entry of readTar(file)) {
    const { path, bytes } = entry;
    if (manifest) throw new Error(`${path} comes after its manifest`);
    if (!belongs(path)) throw new Error(`it contains ${JSON.stringify(path)}, which is not part of a backup`);
    if (path === manifestPath) {
      if (bytes > maxManifestBytes) throw new Error("its manifest is too long");
      manifest = await readManifest(entry);
      continue;
    }
    const named = digestIn(path);
    if (path in files || (named !== undefined && contents.has(named)))
      throw new Error(`the file contains ${path} twice`);
    const sha256 = await digestOf(entry);
    if (named === undefined) files[path] = { bytes, sha256 };
    else {
      if (sha256 !== named) throw new Error(`its file ${path} is damaged`);
      contents.add(named);
      contentBytes += bytes;
    }
  }
  if (!manifest) throw new Error("it is incomplete, or hearth backup did not create it");
  for (const path of new Set([...Object.keys(manifest.files), ...Object.keys(files)]))
    if (manifest.files[path]?.sha256 !== files[path]?.sha256)
      throw new Error(`its file ${path} is ${files[path] ? "damaged" : "missing"}`);
  if (manifest.contents.count !== contents.size || manifest.contents.bytes !== contentBytes)
    throw new Error("it does not contain all uploads");
  return { manifest, contents };
}

async function readManifest({ chunks }: TarEntry): Promise<BackupManifest> {
  const content = await text(chunks());
  try {
    return manifestSchema.parse(JSON.parse(content));
  } catch (error) {
    throw new Error("its manifest is not valid for this Hearth", { cause: error });
  }
}
