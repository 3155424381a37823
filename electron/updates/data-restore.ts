/** Offers to put the data back as an older Hearth left them, for that version. */
import type { MessageBoxOptions } from "electron";
import type { UpdateBackup } from "../../server/supervisor/run-error.ts";
import type { ShellText } from "../texts/shell-text.ts";

interface DataRestoreOptions {
  /** The data of an older Hearth. */
  readonly backup: UpdateBackup;
  /** Where packages of this Hearth come from, if that is known. */
  readonly updateUrl: string | undefined;
  readonly text: ShellText;
  readonly ask: (question: MessageBoxOptions) => Promise<{ readonly response: number }>;
  /** Ends the program in order, and calls `finish` when every service has ended. */
  readonly quit: () => void;
  /** Puts the backup's data in place. Returns the folder that keeps the replaced data. */
  readonly restore: (backup: UpdateBackup) => Promise<string | undefined>;
}

export interface DataRestore {
  readonly backup: UpdateBackup;
  /** Explains the consequences, asks, and quits if the person confirms. */
  readonly offer: () => Promise<void>;
  /** Restores the data if the person has confirmed. Call it when every service has ended, under the data's lock. */
  readonly finish: () => Promise<void>;
}

export function createDataRestore({ backup, updateUrl, text, ask, quit, restore }: DataRestoreOptions): DataRestore {
  const { version, time } = backup;
  let isChosen = false;
  return {
    backup,
    async offer() {
      const when = time.toLocaleString(text("lang"), { dateStyle: "long", timeStyle: "short" });
      const { response } = await ask({
        type: "warning",
        message: text("restore.title", { version }),
        detail: text("restore.detail", { time: when }),
        buttons: [text("restore.confirm"), text("cancel")],
        defaultId: 1,
        cancelId: 1,
      });
      if (response !== 0) return;
      isChosen = true;
      quit();
    },
    async finish() {
      if (!isChosen) return;
      try {
        const before = await restore(backup);
        const from = updateUrl === undefined ? [] : [text("restore.package", { address: updateUrl })];
        const kept = before === undefined ? [] : [text("restore.kept", { folder: before })];
        const detail = [text("restore.next", { version }), ...from, ...kept].join("\n");
        await ask({ type: "info", message: text("restore.done", { version }), detail });
      } catch (error) {
        await ask({ type: "error", message: text("restore.failed"), detail: (error as Error).message });
      }
    },
  };
}
