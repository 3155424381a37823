/** Backs up an older Hearth's data before a start without a window, and shows the progress in the terminal. */
import type { Settings } from "../../contract/process/settings.ts";
import type { LogPrinter } from "../../process/terminal/print-log.ts";
import type { Fork } from "../../supervisor/processes/child.ts";
import { backUpBeforeUpdate } from "../../supervisor/data-directory/update-backup.ts";
import { progressOn } from "../progress-line.ts";
import { shellWord } from "../../contract/shell-words.ts";

interface Options {
  readonly settings: Pick<Settings, "data_dir" | "update_backup" | "json" | "database_url">;
  /** This Hearth's. */
  readonly version: string;
  readonly fork: Fork;
  /** Path of the bundled worker. */
  readonly entry: string;
  readonly signal: AbortSignal;
  readonly printer: LogPrinter;
}

/** @throws RunError with the reason why the data cannot be backed up; the signal's reason */
export async function backUpData({ settings, version, fork, entry, signal, printer }: Options): Promise<void> {
  const { data_dir: dataDir, json } = settings;
  const say = (message: string) => printer.say("info", "hearth", message);
  const line = progressOn(json ? { write: () => undefined } : process.stdout);
  let hasBegun = false;
  function onProgress(done: number, total: number, status: string): void {
    if (!hasBegun) say(`backing up the data in ${dataDir} before Hearth ${version} updates them`);
    hasBegun = true;
    line.show(status, done, total);
  }
  const work = { entry, fork, signal, onProgress };
  const backup = await backUpBeforeUpdate(settings, version, work).finally(() => line.clear());
  if (backup === undefined) return;
  const restore = `hearth restore ${shellWord(backup.file, process.platform)} --data-dir ${shellWord(dataDir, process.platform)}`;
  say(`to return to Hearth ${backup.version}, stop Hearth and restore its data: ${restore}`);
}
