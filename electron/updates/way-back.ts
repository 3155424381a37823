/** After an update: the way back to the data as an older Hearth left them, for that one. */
import type { MessageBoxOptions } from "electron";
import type { UpdateBackup } from "../../server/supervisor/run-error.ts";
import type { ShellLanguage } from "../menus/shell-texts.ts";

const texts = {
  en: {
    message: (version: string) => `Go back to the data of Hearth ${version}?`,
    detail: (time: string) =>
      `They are as they were on ${time}. What has been written since then is not in them: it is moved to the folder “backups” of the data directory, and kept there. Hearth ends, and the older version can be started then.`,
    goBack: "Go Back and Quit",
    cancel: "Cancel",
    done: (version: string) => `The data of Hearth ${version} are back`,
    next: (version: string) => `Start Hearth ${version} now: this newer one would bring them up to date again.`,
    from: (address: string) => `Its package is at ${address}, if it was left there.`,
    kept: (folder: string) => `What was there is kept in ${folder}`,
    failed: "The data could not be put back",
  },
  zh: {
    message: (version: string) => `退回到 Hearth ${version} 的数据吗？`,
    detail: (time: string) =>
      `数据将恢复到 ${time} 的状态，不含此后写入的内容：这些内容会移到数据目录的“backups”文件夹并保留在那里。Hearth 随后退出，之后可以启动旧版本。`,
    goBack: "退回并退出",
    cancel: "取消",
    done: (version: string) => `Hearth ${version} 的数据已恢复`,
    next: (version: string) => `现在请启动 Hearth ${version}：较新的版本会再次更新这些数据。`,
    from: (address: string) => `如果保留过，其安装包位于 ${address}。`,
    kept: (folder: string) => `原有内容保留在 ${folder}`,
    failed: "无法恢复数据",
  },
};

interface WayBackOptions {
  /** Of an older Hearth's data. */
  readonly backup: UpdateBackup;
  /** Where packages of this Hearth come from, if that is known. */
  readonly updateUrl: string | undefined;
  readonly language: () => ShellLanguage;
  readonly ask: (question: MessageBoxOptions) => Promise<{ readonly response: number }>;
  /** Ends the program in order, and calls `finish` when every service has ended. */
  readonly quit: () => void;
  /** Puts the backup's data in place. @returns the folder in which what was there is kept */
  readonly restore: (backup: UpdateBackup) => Promise<string | undefined>;
}

export interface DataRestore {
  readonly backup: UpdateBackup;
  /** Says what it means, and goes back when it is told to. */
  readonly offer: () => Promise<void>;
  /** Goes back if a person has chosen that. Call it when every service has ended, under the data's lock. */
  readonly finish: () => Promise<void>;
}

export function createDataRestore({ backup, updateUrl, language, ask, quit, restore }: WayBackOptions): DataRestore {
  const { version, time } = backup;
  let isChosen = false;
  return {
    backup,
    async offer() {
      const text = texts[language()];
      const when = time.toLocaleString(language(), { dateStyle: "long", timeStyle: "short" });
      const { response } = await ask({
        type: "warning",
        message: text.message(version),
        detail: text.detail(when),
        buttons: [text.goBack, text.cancel],
        defaultId: 1,
        cancelId: 1,
      });
      if (response !== 0) return;
      isChosen = true;
      quit();
    },
    async finish() {
      if (!isChosen) return;
      const text = texts[language()];
      try {
        const before = await restore(backup);
        const from = updateUrl === undefined ? [] : [text.from(updateUrl)];
        const kept = before === undefined ? [] : [text.kept(before)];
        const detail = [text.next(version), ...from, ...kept].join("\n");
        await ask({ type: "info", message: text.done(version), detail });
      } catch (error) {
        await ask({ type: "error", message: text.failed, detail: (error as Error).message });
      }
    },
  };
}
