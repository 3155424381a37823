/** The data of an older Hearth: backed up before this one changes them, and put back for it when a person wants that. */
import { dialog, type BrowserWindow } from "electron";
import type { Settings } from "../../server/contract/process/settings.ts";
import type { UpdateBackup } from "../../server/supervisor/run-error.ts";
import {
  backUpBeforeUpdate,
  olderBackup,
  restoreUpdateBackup,
} from "../../server/supervisor/data-directory/update-backup.ts";
import type { ShellLanguage } from "../menus/shell-texts.ts";
import { createDataRestore, type DataRestore } from "./way-back.ts";
import { workOnData } from "./work-on-data.ts";

/**
 * Before the first service starts. The caller holds the data directory's lock.
 * @returns what closes the window that it may have shown: when the next one is there
 * @throws RunError with the reason why the data cannot be backed up
 */
export async function backUpOlderData(
  settings: Settings,
  version: string,
  language: ShellLanguage,
): Promise<() => void> {
  const { close } = await workOnData("back-up", language, (work) => backUpBeforeUpdate(settings, version, work));
  return close;
}

/** Puts a backup's data in place, under the data directory's lock. @throws Error with the reason */
export async function restoreOlderData(dataDir: string, backup: UpdateBackup, language: ShellLanguage) {
  const { result, close } = await workOnData("restore", language, (work) => restoreUpdateBackup(dataDir, backup, work));
  close();
  return result;
}

interface OpenOptions {
  readonly settings: Settings;
  /** This Hearth's. */
  readonly version: string;
  readonly window: BrowserWindow;
  readonly language: () => ShellLanguage;
  readonly quit: () => void;
}

/** Undefined where there is no backup of an older Hearth's data. */
export function openDataRestore({ settings, version, window, language, quit }: OpenOptions): DataRestore | undefined {
  const { data_dir: dataDir, update_url: updateUrl } = settings;
  const backup = olderBackup(settings, version);
  return (
    backup &&
    createDataRestore({
      backup,
      updateUrl,
      language,
      // At the end there is no window any more.
      ask: (question) =>
        window.isDestroyed() ? dialog.showMessageBox(question) : dialog.showMessageBox(window, question),
      quit,
      restore: () => restoreOlderData(dataDir, backup, language()),
    })
  );
}
