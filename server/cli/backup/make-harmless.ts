/** Removes data from an unpacked backup that would admit others or send Hearth's requests elsewhere. */
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { configFileName, readConfigFile, writeConfigFile } from "../../process/settings/config-file.ts";
import { sortSettings } from "./foreign-settings.ts";
import { Sqlite } from "../../store/native-sqlite.ts";

interface Options {
  /** The folder of the unpacked backup, whose schemas are checked. */
  readonly folder: string;
  readonly dataDir: string;
  /** Whether the settings and watched folders of the backup are trusted. */
  readonly trustsSettings: boolean;
}

/** @returns a line for each part that was left aside */
export async function makeHarmless({ folder, dataDir, trustsSettings }: Options): Promise<string[]> {
  const isWatching = forgetCallers(folder, trustsSettings);
  if (trustsSettings) return [];
  const paused = isWatching ? ["its watched folders, which are paused: resume them on the page File events"] : [];
  return [...(await leaveSettings(folder, dataDir)), ...paused];
}

/** Closes access from the local network, as at first, and forgets logins of browsers. Returns whether watches were paused. */
function forgetCallers(folder: string, keepsWatches: boolean): boolean {
  const sqlite = new Sqlite(join(folder, "hearth.db"));
  try {
    const has = (table: string) =>
      sqlite.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get([table]) !== undefined;
    for (const table of ["lan_devices", "lan_access", "console_browsers"])
      if (has(table)) sqlite.exec(`delete from ${table}`);
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
  return values === undefined ? [`${configFileName}, which is unreadable`] : leftAside;
}
