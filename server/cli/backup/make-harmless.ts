/** Takes from a backup, once it is read into a folder, what would let others in or lead Hearth elsewhere. */
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { configFileName, readConfigFile, writeConfigFile } from "../../process/settings/config-file.ts";
import { sortSettings } from "./foreign-settings.ts";

interface Options {
  /** Where the backup was read to; its schemas are checked. */
  readonly folder: string;
  readonly dataDir: string;
  /** Whether the settings and watched folders of the backup count, too. */
  readonly trustsSettings: boolean;
}

/** @returns a line for each thing that was left aside */
export async function makeHarmless({ folder, dataDir, trustsSettings }: Options): Promise<string[]> {
  const isWatching = forgetDevices(folder, trustsSettings);
  if (trustsSettings) return [];
  const paused = isWatching
    ? ["the watches of its folders, which are paused: the page File events goes on with them"]
    : [];
  return [...(await leaveSettings(folder, dataDir)), ...paused];
}

/** The door to the local network is shut, as at first. @returns whether watches were paused */
function forgetDevices(folder: string, keepsWatches: boolean): boolean {
  const sqlite = new Sqlite(join(folder, "hearth.db"));
  try {
    const has = (table: string) =>
      sqlite.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined;
    for (const table of ["lan_devices", "lan_access"]) if (has(table)) sqlite.exec(`delete from ${table}`);
    if (keepsWatches || !has("watched_folders")) return false;
    return sqlite.prepare("update watched_folders set paused = 1 where paused = 0").run().changes > 0;
  } finally {
    sqlite.close();
  }
}

async function leaveSettings(folder: string, dataDir: string): Promise<string[]> {
  const file = join(folder, configFileName);
  if (!existsSync(file)) return [];
  const read = (from: string): Record<string, unknown> | undefined => {
    try {
      return readConfigFile(from);
    } catch {
      return undefined;
    }
  };
  const values = read(file);
  const { taken, leftAside } = sortSettings(values ?? {}, read(join(dataDir, configFileName)) ?? {});
  if (values !== undefined && leftAside.length === 0) return [];
  writeConfigFile(file, taken);
  await using written = await open(file, "r+");
  await written.sync();
  return values === undefined ? [`${configFileName}, which cannot be read`] : leftAside;
}
