/**
 * Remembers which version of Hearth used a data directory last. The installed program, a checkout and a global install
 * share one directory by default, and an older version must not use data that it does not know.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backupsFolder, restoreBegun, versionNote, versionPattern } from "../../contract/process/backup-names.ts";
import { renameFileSync } from "../../file-system/rename-file.ts";

/** Data of an interrupted restore have a file of their own. */
function fileIn(dataDir: string): string {
  const begun = join(dataDir, backupsFolder, restoreBegun);
  const restored = ["new", "placing"].map((part) => join(begun, part, versionNote));
  return restored.find((file) => existsSync(file)) ?? join(dataDir, versionNote);
}

/** Numbers and the part behind `-`, as in 1.2.0-rc.1. */
function partsOf(version: string): { numbers: number[]; preview: string } {
  const [core = "", preview = ""] = version.split(/-(.*)/s, 2);
  return { numbers: core.split(".").map(Number), preview };
}

function isNewer(version: string, than: string): boolean {
  const [one, other] = [partsOf(version), partsOf(than)];
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  if (one.preview === other.preview || one.preview === "") return one.preview !== other.preview;
  return other.preview !== "" && one.preview.localeCompare(other.preview, "en", { numeric: true }) > 0;
}

/** The version that used the directory last; undefined without a readable note. */
function lastVersion(dataDir: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(fileIn(dataDir), "utf8")) as { version?: unknown };
    return typeof version === "string" && versionPattern.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

/** The version of the data in the directory; undefined if it is this one, or unknown. */
export function otherVersion(dataDir: string, own: string): string | undefined {
  const version = lastVersion(dataDir);
  return version === own ? undefined : version;
}

/** The version of data that `by` made and `own` has taken over: the older one. */
export const versionOfData = (by: string, own: string): string =>
  versionPattern.test(by) && isNewer(own, by) ? by : own;

/** The version that used the directory last, where it is newer than this one. */
export function newerVersion(dataDir: string, own: string): string | undefined {
  const last = lastVersion(dataDir);
  return last !== undefined && isNewer(last, own) ? last : undefined;
}

export const noteText = (version: string): string => `${JSON.stringify({ version })}\n`;

/** Notes that this version uses the directory. The caller holds its lock. @throws the system's error */
export function noteVersion(dataDir: string, own: string): void {
  if (lastVersion(dataDir) === own) return;
  const file = fileIn(dataDir);
  const draft = `${file}.part`;
  try {
    writeFileSync(draft, noteText(own), { mode: 0o600 });
    renameFileSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
