/** The names of the backups that Hearth makes by itself, in the folder `backups` of the data directory. */

export const backupsFolder = "backups";

/** In that folder: the data of a restore that is putting them in place, which the next start completes. */
export const restoreBegun = "restore-begun";

/** In that folder: what `hearth migrate` reads, and leaves where it is killed. */
export const migrationCopies = "migrating";

/** In the folder `watch` of a data directory: undelivered events, of a folder that Hearth watches and of one of `hearth watch`. */
export const journalPattern = /^(folder-\d{1,16}|[0-9a-f]{16})\.jsonl$/;

/** In a data directory: the version of Hearth that used it last. */
export const versionNote = "written-by.json";

/** `20261121T155920Z`: sorts by time, and is valid in any file system. */
export const timeInName = (time: Date): string => time.toISOString().replace(/[-:]|\.\d+/g, "");

export const versionPattern = /^\d{1,9}([.]\d{1,9}){2}(-[\w.-]{1,64})?$/;

/** `before-update-0.1.0-20261121T155920Z.tar`: the version that the data are of, and the time of the backup. */
const updateBackupPattern =
  /^before-update-(\d{1,9}[.][\w.-]{1,90})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z[.]tar([.]part-\w{1,20})?$/;

export const updateBackupName = (version: string, time: Date): string =>
  `before-update-${version}-${timeInName(time)}.tar`;

/** Parses the name of such a backup; undefined for any other name. */
export function readUpdateBackupName(name: string) {
  const [, version = "", year = "", month = "", day = "", hours = "", minutes = "", seconds = "", part] =
    updateBackupPattern.exec(name) ?? [];
  if (!versionPattern.test(version)) return undefined;
  const time = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(time.getTime())) return undefined;
  /** `isWhole`: false while it is written, and after that was cut off. */
  return { version, time, isWhole: part === undefined };
}
