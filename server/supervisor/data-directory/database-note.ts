/**
 * Remembers that the data of a directory are in PostgreSQL. A backup may run without the setting, and would copy files
 * that are no longer written.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withoutPassword } from "../../contract/process/database-url.ts";
import { replaceFileSync } from "../../file-system/replace-file.ts";

const fileIn = (dataDir: string) => join(dataDir, "database.txt");

/** The address of the database with the data, without its password; undefined for data in files. */
export const notedDatabase = (dataDir: string): string | undefined =>
  existsSync(fileIn(dataDir)) ? readFileSync(fileIn(dataDir), "utf8").trim() : undefined;

/**
 * Notes the place of the data. The caller holds the directory's lock.
 * @param url of a PostgreSQL database; undefined for files
 * @throws the system's error
 */
export function noteDatabase(dataDir: string, url: string | undefined): void {
  if (url === undefined) rmSync(fileIn(dataDir), { force: true });
  else replaceFileSync(fileIn(dataDir), `${withoutPassword(url)}\n`);
}
