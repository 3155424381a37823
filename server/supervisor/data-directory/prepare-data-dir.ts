import type { Settings } from "../../contract/process/settings.ts";
import { roomProblem } from "../../process/disk-room.ts";
import { confirmCode } from "../../process/settings/code-folder.ts";
import { confirmRepositories, noteIfNamed } from "../../process/settings/known-directories.ts";
import { defaultDataDir, isNamed } from "../../process/settings/read-settings.ts";
import { workingDirectory } from "../../process/settings/working-directory.ts";
import { makeWritable, unwritable } from "../../process/writable-folder.ts";
import { RunError } from "../run-error.ts";
import { newerVersion } from "./data-version.ts";
import { makePrivate } from "./make-private.ts";
import { updateBackups, type DataSettings } from "./update-backup.ts";
import { shellWord } from "../../contract/shell-words.ts";

/** @throws RunError */
function refuseNewerData(settings: DataSettings, version: string): void {
  const { data_dir: dataDir } = settings;
  const newer = newerVersion(dataDir, version);
  if (newer === undefined) return;
  const ownDir = `${dataDir}-${version}`;
  const own = `use a separate directory with --data-dir ${shellWord(ownDir, process.platform)}`;
  const reason = `the data directory ${dataDir} was last used by Hearth ${newer}, which is newer than this version ${version}: start the newer one, or`;
  const backup = updateBackups(settings).find((one) => one.version === version);
  if (!backup) throw new RunError(`${reason} ${own}`, { type: "own-folder", dataDir: ownDir });
  const { file, time } = backup;
  throw new RunError(
    `${reason} ${own}, or restore this version's data (${time.toISOString()}) and keep the newer data aside, with hearth restore ${shellWord(file, process.platform)} --data-dir ${shellWord(dataDir, process.platform)}`,
    { type: "way-back", dataDir, ownDir, backup },
  );
}

/**
 * Creates the data directory, private to its owner, and marks it as the user's if a project's file names it. Confirms the
 * code of routes that the user has named.
 * @param version of this Hearth, if it will use existing data
 * @throws RunError if the directory cannot be created or written, its disk is full, or a newer Hearth has used it
 */
export function prepareDataDir(settings: DataSettings & Pick<Partial<Settings>, "routes">, version?: string): void {
  const { data_dir: dataDir } = settings;
  try {
    makeWritable(dataDir);
    makePrivate(dataDir);
  } catch (error) {
    throw new RunError(unwritable(`data directory ${dataDir}`, error, "--data-dir"), { type: "other-folder" });
  }
  const cwd = workingDirectory(process.env);
  noteIfNamed(cwd, dataDir, defaultDataDir());
  if (isNamed("data_dir", settings)) confirmRepositories(cwd, dataDir, defaultDataDir());
  if (settings.routes !== undefined && isNamed("routes", settings)) confirmCode(settings.routes, defaultDataDir());
  if (version !== undefined) refuseNewerData(settings, version);
  // Check before anything is opened: a database without room fails in many ways and stays half created.
  const problem = roomProblem(dataDir);
  if (problem !== undefined) throw new RunError(problem, { type: "other-folder" });
}
