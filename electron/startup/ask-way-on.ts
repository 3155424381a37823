/** Asks a person how to continue when Hearth cannot start. */
import type { Remedy, UpdateBackup } from "../../server/supervisor/run-error.ts";
import type { ShellText } from "../texts/shell-text.ts";
import { withoutBackupFlag } from "./own-arguments.ts";

/** The system's dialogs. */
export interface Dialogs {
  /** @returns the index of the button that was pressed */
  ask(question: { message: string; detail: string; buttons: readonly string[] }): Promise<number>;
  /** @returns undefined where none was chosen */
  chooseFolder(): Promise<string | undefined>;
}

/** `restart`: start again with these flags after the others. */
export type WayOn =
  | { readonly type: "quit" }
  | { readonly type: "restart"; readonly flags: readonly string[] }
  | { readonly type: "open-console"; readonly dataDir: string }
  /** The data of this backup take the place of what is there. */
  | { readonly type: "go-back"; readonly dataDir: string; readonly backup: UpdateBackup };

interface Person {
  readonly dialogs: Dialogs;
  readonly text: ShellText;
}

const inFolder = (dataDir: string): WayOn => ({ type: "restart", flags: ["--data-dir", dataDir] });

/** Asks before there is a window. @param reason one line for a person */
export async function askWayOn(reason: string, remedy: Remedy | undefined, { dialogs, text }: Person): Promise<WayOn> {
  const choices = remedy === undefined ? [] : choicesOf(remedy);
  const buttons = [...choices.map(({ label }) => text(`refused.${label}`)), text("refused.quit")];
  const pressed = await dialogs.ask({ message: text("refused.title"), detail: reason, buttons });
  const way = choices[pressed]?.way ?? { type: "quit" };
  if (way !== "choose-folder") return way;
  const folder = await dialogs.chooseFolder();
  return folder === undefined ? { type: "quit" } : inFolder(folder);
}

interface Choice {
  readonly label: Remedy["type"];
  readonly way: WayOn | "choose-folder";
}

/** The Enter key presses the first. */
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

/** Asks about a port that another program uses. Returns whether to try another port; otherwise Hearth ends. */
export async function wantsOtherPort(reason: string, { dialogs, text }: Person): Promise<boolean> {
  const buttons = [text("refused.other-port"), text("refused.quit")];
  return (await dialogs.ask({ message: text("refused.title"), detail: reason, buttons })) === 0;
}
