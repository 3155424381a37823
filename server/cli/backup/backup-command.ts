/** `hearth backup` and `hearth restore`: their command line and their output. */
import { existsSync, lstatSync } from "node:fs";
import { open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { realFile } from "../../file-system/real-file.ts";
import { byteText } from "../../process/terminal/byte-text.ts";
import { printError, printLine } from "../../process/terminal/print-text.ts";
import { resolveSettings } from "../../process/settings/read-settings.ts";
import { cancelledCode, onStopRequest } from "../../process/lifetime/stop-request.ts";
import { isPlacing } from "../../store/backup/restored-data.ts";
import { notedDatabase } from "../../supervisor/data-directory/database-note.ts";
import { describeHolder, takeInstanceLock } from "../../supervisor/data-directory/instance-lock.ts";
import { prepareDataDir } from "../../supervisor/data-directory/prepare-data-dir.ts";
import { RunError } from "../../supervisor/run-error.ts";
import type { CommandContext } from "../command.ts";
import { progressOn } from "../progress-line.ts";
import { makeBackup } from "./make-backup.ts";
import { restoreBackup } from "./restore-backup.ts";
import type { WrittenBackup } from "./write-backup.ts";

interface Command {
  /** Absolute path, as is the data directory. */
  readonly file: string;
  readonly dataDir: string;
  readonly force: boolean;
  readonly trustsSettings: boolean;
  readonly version: string;
  readonly signal: AbortSignal;
  readonly onProgress: (status: string, done: number, total: number) => void;
}

/** The final message. */
type Report = () => void;

/** Runs the work until it is done or cancelled. @returns the exit code */
async function run(name: string, work: (context: Pick<Command, "signal" | "onProgress">) => Promise<Report>) {
  const stop = new AbortController();
  onStopRequest(() => stop.abort());
  const progress = progressOn(process.stdout);
  try {
    const report = await work({ signal: stop.signal, onProgress: progress.show });
    progress.clear();
    report();
    return 0;
  } catch (error) {
    progress.clear();
    printError(stop.signal.aborted ? `${name} was cancelled; nothing was changed` : (error as Error).message);
    return stop.signal.aborted ? cancelledCode : 1;
  }
}

interface BackupInput {
  readonly file: string;
  readonly data_dir?: string | undefined;
  readonly force?: boolean | undefined;
  readonly trust_settings?: boolean | undefined;
}

type Context = Pick<CommandContext, "env" | "cwd" | "version">;

export const backUp = (input: BackupInput, context: Context): Promise<number> => runCommand("backup", input, context);

export const restoreData = (input: BackupInput, context: Context): Promise<number> =>
  runCommand("restore", input, context);

async function runCommand(name: "backup" | "restore", input: BackupInput, { env, cwd, version }: Context) {
  const isBackup = name === "backup";
  const { file, data_dir: folder, force = false, trust_settings: trustsSettings = false } = input;
  const flags = folder === undefined ? {} : { data_dir: resolve(cwd, folder) };
  // A restore into a named folder needs no settings, which may be what it repairs.
  const settings = isBackup || folder === undefined ? resolveSettings(flags, env, cwd) : undefined;
  const dataDir = settings?.data_dir ?? resolve(cwd, folder ?? "");
  const inPostgres = settings?.database_url !== undefined || (env["HEARTH_DATABASE_URL"] ?? "") !== "";
  const noted = notedDatabase(dataDir);
  if (inPostgres || noted !== undefined) {
    const why = inPostgres
      ? "database_url names PostgreSQL"
      : `the data of ${dataDir} is in PostgreSQL (${noted ?? ""}) until Hearth starts without database_url`;
    printError(ofPostgres(name, why, dataDir));
    return 1;
  }
  const command = { file: resolve(cwd, file), dataDir, force, trustsSettings, version };
  return run(name, (context) => (isBackup ? backup : restore)({ ...command, ...context }));
}

const ofPostgres = (name: string, why: string, dataDir: string) =>
  `hearth ${name} supports only SQLite, but ${why}: use pg_dump or pg_restore for the schemas hearth and hearth_provider, and copy ${join(dataDir, "uploads")}`;

/**
 * @param to the target of the file
 * @throws Error for an existing file that must not be replaced
 */
function refuseExisting({ file, force }: Command, to: string): void {
  const found = lstatSync(to, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) throw new Error(`${file} is a folder: name a file`);
  // A device or a pipe would be replaced.
  if (found?.isFile() === false) throw new Error(`${file} is not a regular file: name another`);
  if (found && !force) throw new Error(`${file} already exists: name another file, or replace it with --force`);
}

/** @throws Error while a restore is unfinished */
function refusePlacing(dataDir: string): void {
  if (isPlacing(dataDir))
    throw new Error(
      `a restore into ${dataDir} is not complete. If it was interrupted, start Hearth to complete it, then run the command again`,
    );
}

async function backup(command: Command): Promise<Report> {
  const { file, dataDir, version, signal, onProgress } = command;
  refusePlacing(dataDir);
  if (!existsSync(join(dataDir, "hearth.db")))
    throw new Error(`${dataDir} contains no Hearth data; name the data directory with --data-dir`);
  const to = realFile(file);
  const beforePlacing = () => {
    refusePlacing(dataDir);
    refuseExisting(command, to);
  };
  beforePlacing();
  const { size, ...written } = await makeBackup({ dataDir, to, version, signal, onProgress, beforePlacing });
  return () => reportWritten(file, size, written);
}

function reportWritten(file: string, size: number, { manifest, leftOut }: WrittenBackup): void {
  const { contents, contents_in: bucket, lost } = manifest;
  printLine(
    bucket === undefined
      ? `wrote ${file}: ${byteText(size)}, with ${String(contents.count)} uploads; keep it private`
      : `wrote ${file}: ${byteText(size)}, without uploads, which are in ${bucket}: back up the bucket separately`,
  );
  if (lost.length > 0)
    printError(`${String(lost.length)} lost or damaged uploads are not in the backup: ${lost.join(" ")}`);
  for (const path of leftOut)
    printError(`${path} is not in the backup: it is not a plain file, or some systems do not allow its name`);
}

async function restore(command: Command): Promise<Report> {
  const { file: from, dataDir, ...how } = command;
  const unusable = (error: unknown) =>
    new Error(`${from} cannot be restored: ${(error as Error).message}`, { cause: error });
  await using file = await open(from, "r").catch((error: unknown) => {
    throw unusable(error);
  });
  prepareDataDir({ data_dir: dataDir });
  const taken = await takeInstanceLock(dataDir, () => ({ pid: process.pid, window: false }));
  if (!("lock" in taken)) throw new RunError(describeHolder(dataDir, taken.holder));
  try {
    const { manifest, before, leftAside } = await restoreBackup({ ...how, file, dataDir }).catch((error: unknown) => {
      throw unusable(error);
    });
    return () => {
      printLine(`restored the data of Hearth ${manifest.hearth} from ${manifest.made_at} into ${dataDir}`);
      if (manifest.contents_in !== undefined)
        printLine(`its uploads are in ${manifest.contents_in} and were not changed`);
      if (before !== undefined) printLine(`the replaced data is kept in ${before}`);
      reportLeftAside(leftAside);
    };
  } finally {
    await taken.lock.release();
  }
}

function reportLeftAside(lines: readonly string[]): void {
  printLine("devices, keys and browser logins were removed: allow the ones you need again");
  if (lines.length === 0) return;
  printLine("ignored, because the backup may come from somebody else:");
  for (const line of lines) printLine(`  ${line}`);
  printLine("for your own backup, restore again with --trust-settings, or set them in the console");
}
