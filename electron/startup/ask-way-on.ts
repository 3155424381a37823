/** What a person chooses when Hearth cannot start. */
import type { Remedy } from "../../server/supervisor/run.ts";

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
  | { readonly type: "open-console"; readonly dataDir: string };

const texts = {
  en: {
    message: "Hearth cannot start",
    quit: "Quit",
    "other-folder": "Choose Another Folder…",
    "own-folder": "Use a Folder of Its Own",
    running: "Open the Console in the Browser",
    "other-port": "Use Another Port",
  },
  zh: {
    message: "Hearth 无法启动",
    quit: "退出",
    "other-folder": "选择其他文件夹…",
    "own-folder": "使用单独的文件夹",
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
  const { message, quit, ...remedies } = texts[language];
  const buttons = [...(remedy === undefined ? [] : [remedies[remedy.type]]), quit];
  const pressed = await dialogs.ask({ message, detail: reason, buttons });
  if (remedy === undefined || pressed !== 0) return { type: "quit" };
  if (remedy.type === "own-folder") return inFolder(remedy.dataDir);
  if (remedy.type === "running") return { type: "open-console", dataDir: remedy.dataDir };
  const folder = await dialogs.chooseFolder();
  return folder === undefined ? { type: "quit" } : inFolder(folder);
}

/** Asks about a port that another program has. @returns whether another one is wanted; else Hearth is to end */
export async function wantsOtherPort(reason: string, { dialogs, language }: Person): Promise<boolean> {
  const { message, quit, "other-port": otherPort } = texts[language];
  return (await dialogs.ask({ message, detail: reason, buttons: [otherPort, quit] })) === 0;
}
