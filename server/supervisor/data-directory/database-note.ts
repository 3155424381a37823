/**
 * A data directory remembers that its data are in PostgreSQL: a backup is asked for elsewhere than where Hearth has its
 * setting from, and would copy files that nobody writes any more.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withoutPassword } from "../../contract/process/database-url.ts";
import { replaceFileSync } from "../../file-system/replace-file.ts";

const fileIn = (dataDir: string) => join(dataDir, "database.txt");

/** The address of the database that has the data, without its password; undefined where files have them. */
export const notedDatabase = (dataDir: string): string | undefined =>
  existsSync(fileIn(dataDir)) ? readFileSync(fileIn(dataDir), "utf8").trim() : undefined;

/**
 * Notes where the data are from now on. The caller holds the directory's lock.
 * @param url of a PostgreSQL database; undefined for the files
 * @throws the system's error
 */
export function noteDatabase(dataDir: string, url: string | undefined): void {
  if (url === undefined) rmSync(fileIn(dataDir), { force: true });
  else replaceFileSync(fileIn(dataDir), `${withoutPassword(url)}\n`);
}
