/** Data directories as Hearth leaves them, and what backup and restore make of them, within one process. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { appMigrations } from "../../../server/app/app-migrations.ts";
import { buffer } from "node:stream/consumers";
import { contentPath, manifestPath, type BackupManifest } from "../../../server/cli/backup/backup-format.ts";
import { restoreBackup } from "../../../server/cli/backup/restore-backup.ts";
import { createTarWriter, readTar } from "../../../server/cli/backup/tar-file.ts";
import { writeBackup } from "../../../server/cli/backup/write-backup.ts";
import { providerMigrations } from "../../../server/provider/provider-tables.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { Sqlite } from "../../../server/store/native-sqlite.ts";

export const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
/** Of the Hearth that makes the backups. */
export const backupVersion = "1.0.0";
export const nothing = () => undefined;
export const { signal } = new AbortController();

export function put(folder: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** Stores an upload as the server does; `where` is its content's place, if any. */
export function addUpload(
  folder: string,
  content: Uint8Array,
  where: "uploads" | "orphans" | "nowhere" = "uploads",
): string {
  const sha256 = sha256Of(content);
  const sqlite = new Sqlite(join(folder, "hearth.db"));
  sqlite
    .prepare(
      "insert into uploads (kind, type, file_name, media_type, size, sha256, owner_id, created_at) values ('upload', 'a', 'a', 'a', ?, ?, 1, 0)",
    )
    .run([content.length, sha256]);
  sqlite.close();
  if (where === "uploads") put(folder, contentPath(sha256), content);
  if (where === "orphans") put(folder, `uploads/orphans/${sha256}`, content);
  return sha256;
}

export function deleteUpload(folder: string, sha256: string): void {
  const sqlite = new Sqlite(join(folder, "hearth.db"));
  sqlite.prepare("delete from uploads where sha256 = ?").run([sha256]);
  sqlite.close();
  rmSync(join(folder, contentPath(sha256)));
}

/** Writes a backup again, with other contents of some files, or more files; its manifest agrees with them. */
export async function forgeBackup(
  from: string,
  to: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  await using source = await open(from);
  await using target = await open(to, "wx+");
  const tar = createTarWriter(target, new Date());
  const left = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
  const add = (path: string, content: Buffer) => tar.add(path, content.length, [content]);
  for await (const { path, chunks } of readTar(source)) {
    const content = await buffer(chunks());
    if (path !== manifestPath) {
      if (!left.has(path)) await add(path, content);
      continue;
    }
    const manifest = JSON.parse(content.toString()) as BackupManifest;
    for (const [name, forged] of left) {
      await add(name, forged);
      manifest.files[name] = { bytes: forged.length, sha256: sha256Of(forged) };
    }
    await add(manifestPath, Buffer.from(JSON.stringify(manifest)));
  }
  await tar.end();
}

/** Folders that are removed by `using`. */
export function backupScene() {
  const root = temporaryFolder();
  let made = 0;
  const newFolder = () => {
    const path = join(root.path, String(++made));
    mkdirSync(path);
    return path;
  };
  return {
    newFolder,
    /** A data directory with empty databases. */
    newData: async (): Promise<string> => {
      const folder = newFolder();
      for (const [name, migrations] of Object.entries({ hearth: appMigrations, provider: providerMigrations }))
        await (await openDatabase({ file: join(folder, `${name}.db`), migrations })).close();
      return folder;
    },
    backUp: async (dataDir: string, onProgress: (status: string) => void = nothing) => {
      const folder = newFolder();
      const path = join(folder, "backup.tar");
      await using file = await open(path, "wx+");
      const options = { dataDir, file, folder, version: backupVersion, now: new Date(), signal, onProgress };
      return { path, ...(await writeBackup(options)) };
    },
    /** As one's own, unless it is said otherwise. */
    restore: async (path: string, dataDir: string, trustsSettings = true) => {
      await using file = await open(path);
      return await restoreBackup({ file, dataDir, version: "2.0.0", trustsSettings, signal, onProgress: nothing });
    },
    [Symbol.dispose]: () => root[Symbol.dispose](),
  };
}

/** Every file below a folder with its digest, but for the databases' journals that are empty, their indexes, and the folder of backups. */
export function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    paths
      .filter((path) => !path.startsWith("backups") && !path.endsWith("-shm"))
      .filter((path) => statSync(join(folder, path)).isFile())
      .filter((path) => !path.endsWith("-wal") || statSync(join(folder, path)).size > 0)
      .sort()
      .map((path) => [path, sha256Of(readFileSync(join(folder, path)))]),
  );
}
