/** What a person chooses when Hearth cannot start. */
import type { Remedy, UpdateBackup } from "../../server/supervisor/run-error.ts";
import { withoutBackupFlag } from "./own-arguments.ts";

/** The system's dialogs. */
export interface Dialogs {
  /** @returns the index of the button that was pressed */
  ask(question: { message: string; detail: string; buttons: readonly string[] }): Promise<number>;
  /** @returns undefined where none was chosen */
  chooseFolder(): Promise<string | undefined>;
}

/** `restart`: start again with these flags behind the others. */
export type WayOn =
  | { readonly type: "quit" }
  | { readonly type: "restart"; readonly flags: readonly string[] }
  | { readonly type: "open-console"; readonly dataDir: string }
  /** The data of this backup take the place of what is there. */
  | { readonly type: "go-back"; readonly dataDir: string; readonly backup: UpdateBackup };

const texts = {
  en: {
    message: "Hearth cannot start",
    quit: "Quit",
    "other-folder": "Choose Another Folder…",
    "own-folder": "Use a Folder of Its Own",
    "way-back": "Go Back to This Version’s Data",
    "no-backup": "Update Without a Backup",
    running: "Open the Console in the Browser",
    "other-port": "Use Another Port",
  },
  zh: {
    message: "Hearth 无法启动",
    quit: "退出",
    "other-folder": "选择其他文件夹…",
    "own-folder": "使用单独的文件夹",
    "way-back": "退回到此版本的数据",
    "no-backup": "不备份，直接更新",
    running: "在浏览器中打开控制台",
    "other-port": "使用其他端口",
  },
} as const;

interface Person {
  readonly dialogs: Dialogs;
  readonly language: keyof typeof texts;
}

const inFolder = (dataDir: string): WayOn => ({ type: "restart", flags: ["--data-dir", dataDir] });

/** Asks before there is a window. @param reason one line for a person */
export async function askWayOn(
  reason: string,
  remedy: Remedy | undefined,
  { dialogs, language }: Person,
): Promise<WayOn> {
  const text = texts[language];
  const choices = remedy === undefined ? [] : choicesOf(remedy);
  const buttons = [...choices.map(({ label }) => text[label]), text.quit];
  const pressed = await dialogs.ask({ message: text.message, detail: reason, buttons });
  const way = choices[pressed]?.way ?? { type: "quit" };
  if (way !== "choose-folder") return way;
  const folder = await dialogs.chooseFolder();
  return folder === undefined ? { type: "quit" } : inFolder(folder);
}

interface Choice {
  readonly label: Remedy["type"];
  readonly way: WayOn | "choose-folder";
}

/** The first is that of the Enter key. */
function choicesOf(remedy: Remedy): readonly Choice[] {
  switch (remedy.type) {
    case "other-folder":
      return [{ label: "other-folder", way: "choose-folder" }];
    case "own-folder":
      return [{ label: "own-folder", way: inFolder(remedy.dataDir) }];
    case "way-back":
      return [
        { label: "own-folder", way: inFolder(remedy.ownDir) },
        { label: "way-back", way: { type: "go-back", dataDir: remedy.dataDir, backup: remedy.backup } },
      ];
    case "no-backup":
      return [{ label: "no-backup", way: { type: "restart", flags: [withoutBackupFlag] } }];
    case "running":
      return [{ label: "running", way: { type: "open-console", dataDir: remedy.dataDir } }];
  }
}

/** Asks about a port that another program has. @returns whether another one is wanted; else Hearth is to end */
export async function wantsOtherPort(reason: string, { dialogs, language }: Person): Promise<boolean> {
  const { message, quit, "other-port": otherPort } = texts[language];
  return (await dialogs.ask({ message, detail: reason, buttons: [otherPort, quit] })) === 0;
}
