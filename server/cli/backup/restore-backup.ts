/** Reads a complete backup into a folder beside the data, verifies it, and puts it in the data's place. */
import { mkdir, open, readdir, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { versionNote } from "../../contract/process/backup-names.ts";
import { roomIn } from "../../process/disk-room.ts";
import { lockFile, type FileLock } from "../../process/file-lock.ts";
import { beginPlacing, endPlacing, incomingIn, journalsIn } from "../../store/backup/restored-data.ts";
import { syncFolder } from "../../store/sync-folder.ts";
import { noteText, versionOfData } from "../../supervisor/data-directory/data-version.ts";
import { lockOf } from "../../watcher/journal/queue-file.ts";
import { contentPath, type BackupManifest } from "./backup-format.ts";
import { checkCopies } from "./check-copies.ts";
import { checkSchemas } from "./check-schema.ts";
import { makeHarmless } from "./make-harmless.ts";
import { readBackup } from "./read-backup.ts";

interface RestoreOptions {
  /** The backup. */
  readonly file: FileHandle;
  /** The caller must hold its instance lock. */
  readonly dataDir: string;
  /** The version of the Hearth that will use the data. Data of an older version keep that version. */
  readonly version: string;
  /** Whether settings that extend trust are restored, as for the user's own backup. */
  readonly trustsSettings: boolean;
  readonly signal: AbortSignal;
  /** Called with the current step and its progress in bytes. */
  readonly onProgress: (status: string, done: number, total: number) => void;
}

export interface Restored {
  readonly manifest: BackupManifest;
  /** The folder with the old data. */
  readonly before: string | undefined;
  /** The parts of the backup that are left aside, one line each. */
  readonly leftAside: readonly string[];
}

/** Files are synced in groups, because each alone would wait for the disk. */
const filesAtOnce = 32;

/** @throws Error with the problem of the backup, or of the restore; nothing was changed then */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const locks = lockQueues(options.dataDir);
  try {
    return await replaceData(options);
  } finally {
    for (const lock of locks) lock.release();
  }
}

async function replaceData(options: RestoreOptions): Promise<Restored> {
  const { file, dataDir, version, trustsSettings, signal, onProgress } = options;
  await endPlacing(dataDir);
  const incoming = incomingIn(dataDir);
  const { size } = await file.stat();
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  try {
    // Old and new data are moved, whole or not at all, which is impossible between two disks.
    if ((await stat(incoming)).dev !== (await stat(dataDir)).dev)
      throw new Error(`${dirname(incoming)} is on another disk than ${dataDir}: a restore requires the same disk`);
    if (roomIn(incoming).bytes < size)
      throw new Error(`${dataDir} does not have enough space: ${String(size)} more bytes are required`);
    await using files = createFiles(incoming);
    const { manifest, contents } = await readBackup(file, {
      take: (path, chunks) => files.write(path, chunks),
      onProgress: (done) => onProgress("reading", done, size),
      signal,
    });
    await files.write(versionNote, [Buffer.from(noteText(versionOfData(manifest.hearth, version)))]);
    await files.sync();
    await checkSchemas(incoming);
    const { named } = checkCopies(incoming);
    if (!("hearth.db" in manifest.files)) throw new Error("it contains no hearth.db");
    const lost = new Set(manifest.lost);
    for (const sha256 of manifest.contents_in === undefined ? named : [])
      if (!contents.has(sha256) && !lost.has(sha256))
        throw new Error(`it does not contain the upload content ${sha256}`);
    // The upload was deleted while the backup was made.
    for (const sha256 of contents) if (!named.has(sha256)) await rm(join(incoming, contentPath(sha256)));
    const leftAside = await makeHarmless({ folder: incoming, dataDir, trustsSettings });
    await syncFolders(incoming);
    signal.throwIfAborted();
    await beginPlacing(dataDir);
    const placed = await endPlacing(dataDir);
    return { manifest, before: placed?.before, leftAside };
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

/**
 * Locks the queues: a running watch would write to a queue that was moved aside, and later over the restored one.
 * @throws Error if one runs
 */
function lockQueues(dataDir: string): FileLock[] {
  const locks: FileLock[] = [];
  for (const queue of journalsIn(dataDir).map((path) => join(dataDir, path))) {
    const lock = lockFile(lockOf(queue));
    if (typeof lock === "object") locks.push(lock);
    if (lock !== "held") continue;
    for (const one of locks) one.release();
    throw new Error(`a running "hearth watch" uses the queue ${queue}, which would be replaced: stop it`);
  }
  return locks;
}

/** Creates files below a folder. */
function createFiles(folder: string) {
  const made = new Set<string>();
  let written: FileHandle[] = [];

  async function sync(): Promise<void> {
    const batch = written;
    written = [];
    try {
      await Promise.all(batch.map((one) => one.sync()));
    } finally {
      await Promise.all(batch.map((one) => one.close()));
    }
  }

  return {
    async write(path: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
      const to = join(folder, path);
      if (!made.has(dirname(to))) await mkdir(dirname(to), { recursive: true, mode: 0o700 });
      made.add(dirname(to));
      const file = await open(to, "wx", 0o600);
      written.push(file);
      for await (const chunk of chunks) await file.writeFile(chunk);
      if (written.length >= filesAtOnce) await sync();
    },
    /** When the promise resolves, the files are on the disk. */
    sync,
    [Symbol.asyncDispose]: async () => void (await Promise.all(written.map((one) => one.close()))),
  };
}

/** All at once, because each alone would wait for the disk. */
async function syncFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => syncFolders(join(folder, name)));
  await Promise.all([...below, syncFolder(folder)]);
}
