/** Writes a backup: the contents of uploads first, unless a bucket holds them, then the other files, the databases, and the manifest. */
import { createHash } from "node:crypto";
import { open, readdir, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import {
  databases,
  isPlainName,
  manifestPath,
  singleFiles,
  wholeFolders,
  type BackupManifest,
} from "./backup-format.ts";
import { checkCopies } from "./check-copies.ts";
import { createContents } from "./contents.ts";
import { notedBucket } from "../../store/blobs/notes.ts";
import { copyDatabases } from "./copy-databases.ts";
import { copyJournals } from "./copy-journals.ts";
import { ifMissing } from "../../file-system/is-missing.ts";
import { createTarWriter, fileChunks } from "./tar-file.ts";

interface WriteOptions {
  readonly dataDir: string;
  /** An empty file. */
  readonly file: FileHandle;
  /** A folder for copies of the databases and journals, which stay there. */
  readonly folder: string;
  /** The version of this Hearth. */
  readonly version: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Called with the current step and its progress. */
  readonly onProgress: (status: string, done: number, total: number) => void;
}

export interface WrittenBackup {
  readonly manifest: BackupManifest;
  /** Users' files that are left out, because not every system accepts their names. */
  readonly leftOut: readonly string[];
}

/** The most rounds; deleted uploads are settled after a few. */
const maxRounds = 10;

export async function writeBackup(options: WriteOptions): Promise<WrittenBackup> {
  const { dataDir, file, folder, version, now, signal, onProgress } = options;
  const tar = createTarWriter(file, now);
  const contents = createContents(dataDir, tar, signal);
  const bucket = await notedBucket(join(dataDir, "uploads"));

  /**
   * An upload may be deleted between the copy of the databases and the reading of its content. The databases are
   * therefore copied again until the same contents are missing twice: lost contents stay missing, deleted uploads are
   * no longer in the copy.
   */
  async function addContents(): Promise<{ schemas: Record<string, string>; journals: string[]; lost: string[] }> {
    let before = new Set<string>();
    for (let round = 0; round < maxRounds; round++) {
      const journals = await copyJournals(dataDir, folder);
      await copyDatabases(dataDir, folder, (name, share) => {
        signal.throwIfAborted();
        onProgress(`copying ${name}`, share, 1);
      });
      const { named, schemas } = checkCopies(folder);
      if (bucket !== undefined) return { schemas, journals, lost: [] };
      const missing = await contents.add(named, (done) => onProgress("copying uploads", done, named.size));
      if (missing.every((sha256) => before.has(sha256))) return { schemas, journals, lost: missing };
      before = new Set(missing);
    }
    throw new Error("uploads kept being deleted during the copy: try again at a quieter time");
  }

  const { schemas, journals, lost } = await addContents();
  const files: BackupManifest["files"] = {};
  const leftOut: string[] = [];
  onProgress("copying files", 0, 1);
  for await (const path of filesOf(dataDir, leftOut)) await addFile(join(dataDir, path), path);
  for (const path of [...journals, ...databases]) await addFile(join(folder, path), path);

  async function addFile(from: string, path: string): Promise<void> {
    await using handle = await open(from, "r").catch(ifMissing(undefined));
    if (!handle) return;
    const { size: bytes } = await handle.stat();
    const hash = createHash("sha256");
    async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        signal.throwIfAborted();
        hash.update(chunk);
        yield chunk;
      }
    }
    await tar.add(path, bytes, hashed(fileChunks(handle, 0, bytes)));
    files[path] = { bytes, sha256: hash.digest("hex") };
  }

  const manifest: BackupManifest = {
    format: "hearth-backup/1",
    hearth: version,
    made_at: now.toISOString(),
    schemas,
    files,
    contents: contents.added(),
    ...(bucket !== undefined && { contents_in: bucket }),
    lost,
  };
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  await tar.add(manifestPath, text.length, [text]);
  await tar.end();
  return { manifest, leftOut };
}

/** The paths of the other files of a backup, below the data directory. */
async function* filesOf(dataDir: string, leftOut: string[]): AsyncGenerator<string> {
  yield* singleFiles;
  for (const folder of wholeFolders) yield* filesBelow(dataDir, folder, leftOut);
}

/** Hidden files are being written or removed. */
async function* filesBelow(dataDir: string, folder: string, leftOut: string[]): AsyncGenerator<string> {
  const entries = await readdir(join(dataDir, folder), { withFileTypes: true }).catch(ifMissing([]));
  for (const entry of entries.filter(({ name }) => !name.startsWith("."))) {
    const path = `${folder}/${entry.name}`;
    if (!isPlainName(entry.name)) leftOut.push(path);
    else if (entry.isDirectory()) {
      const before = await stat(join(dataDir, path));
      yield* filesBelow(dataDir, path, leftOut);
      const after = await stat(join(dataDir, path)).catch(ifMissing(undefined));
      if (after?.ino !== before.ino) throw new Error(`${path} was replaced while it was copied: run the command again`);
    } else if (entry.isFile()) yield path;
    else leftOut.push(path);
  }
}
