/** The data of an older Hearth: backed up before this version changes them, and restored on request. */
import { dialog, type BrowserWindow } from "electron";
import type { Settings } from "../../server/contract/process/settings.ts";
import type { UpdateBackup } from "../../server/supervisor/run-error.ts";
import {
  backUpBeforeUpdate,
  olderBackup,
  restoreUpdateBackup,
} from "../../server/supervisor/data-directory/update-backup.ts";
import type { ShellText } from "../texts/shell-text.ts";
import { createDataRestore, type DataRestore } from "./data-restore.ts";
import { workOnData } from "./work-on-data.ts";

/**
 * Call it before the first service starts. The caller holds the data directory's lock.
 * @returns a function that closes the progress window, if there is one, for when the next window is open
 * @throws RunError with the reason why the data cannot be backed up
 */
export async function backUpOlderData(settings: Settings, version: string, text: ShellText): Promise<() => void> {
  const { close } = await workOnData("back_up", text, (work) => backUpBeforeUpdate(settings, version, work));
  return close;
}

/** Puts a backup's data in place, under the data directory's lock. @throws Error with the reason */
export async function restoreOlderData(dataDir: string, backup: UpdateBackup, text: ShellText) {
  const { result, close } = await workOnData("restore", text, (work) => restoreUpdateBackup(dataDir, backup, work));
  close();
  return result;
}

interface OpenOptions {
  readonly settings: Settings;
  /** The version of this Hearth. */
  readonly version: string;
  readonly window: BrowserWindow;
  readonly text: ShellText;
  readonly quit: () => void;
}

/** Undefined where there is no backup of an older Hearth's data. */
export function openDataRestore({ settings, version, window, text, quit }: OpenOptions): DataRestore | undefined {
  const { data_dir: dataDir, update_url: updateUrl } = settings;
  const backup = olderBackup(settings, version);
  return (
    backup &&
    createDataRestore({
      backup,
      updateUrl,
      text,
      // At the end there is no window any more.
      ask: (question) =>
        window.isDestroyed() ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question),
      quit,
      restore: () => restoreOlderData(dataDir, backup, text),
    })
  );
}
