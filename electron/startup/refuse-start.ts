/** Ends a start that failed, with the reason. A person without a terminal gets a choice. */
import { app, dialog, shell } from "electron";
import { isDiskFull } from "../../server/contract/process/disk-full.ts";
import { fullDiskText } from "../../server/process/disk-room.ts";
import { SettingsError } from "../../server/process/settings/read-settings.ts";
import { hasDisplay } from "../../server/process/terminal/has-display.ts";
import { printError, printLines } from "../../server/process/terminal/print-text.ts";
import { describeHolder, takeInstanceLock } from "../../server/supervisor/data-directory/instance-lock.ts";
import { newLoginCode } from "../../server/supervisor/login-code.ts";
import { readReadyFile, runFileIn } from "../../server/supervisor/ready-file.ts";
import { RunError, type Remedy, type UpdateBackup } from "../../server/supervisor/run-error.ts";
import { createShellText, languageOfLocale, type ShellText } from "../texts/shell-text.ts";
import { restoreOlderData } from "../updates/data-of-older.ts";
import { askWayOn } from "./ask-way-on.ts";
import { ownArguments, tryAgain } from "./command-line.ts";
import { systemDialogs } from "./system-dialogs.ts";
import { reportElectronStarted } from "./report-electron-started.ts";

interface Refusal {
  /** One line for a person, or the stack of an error that a start does not explain. */
  readonly reason: string;
  readonly code: number;
  readonly remedy?: Remedy | undefined;
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof SettingsError) return { reason: error.message, code: 2 };
  if (error instanceof RunError) return { reason: error.message, code: 1, remedy: error.remedy };
  if (isDiskFull(error)) return { reason: fullDiskText(error), code: 1 };
  // An unforeseen error: the stack shows where it comes from.
  return { reason: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

const isTerminal = () => process.stdout.isTTY || process.stderr.isTTY;

/** A program that was started by a click has no terminal, and a program without a display has nobody to ask. */
const canAsk = () => app.isPackaged && !isTerminal() && hasDisplay() && !ownArguments().includes("--headless");

/** Opens the console of the Hearth that runs on a data directory. */
async function openConsole(dataDir: string): Promise<void> {
  const { console } = readReadyFile(runFileIn(dataDir));
  const { address } = await newLoginCode(console);
  await shell.openExternal(address);
}

async function goBack(dataDir: string, backup: UpdateBackup, text: ShellText): Promise<void> {
  const taken = await takeInstanceLock(dataDir, () => ({ pid: process.pid, window: false }), { request: "ask" });
  if (!("lock" in taken)) throw new RunError(describeHolder(dataDir, taken.holder));
  await restoreOlderData(dataDir, backup, text);
  await taken.lock.release();
}

async function ask({ reason, code, remedy }: Refusal): Promise<void> {
  await app.whenReady();
  const text = createShellText(() => languageOfLocale(app.getLocale()));
  const wayOn = await askWayOn(reason, remedy, { dialogs: systemDialogs(), text });
  if (wayOn.type === "quit") return app.exit(code);
  if (wayOn.type === "open-console") await openConsole(wayOn.dataDir);
  else {
    if (wayOn.type === "go-back") await goBack(wayOn.dataDir, wayOn.backup, text);
    tryAgain(wayOn.type === "restart" ? wayOn.flags : []);
  }
  app.exit(0);
}

export function refuseStart(error: unknown): void {
  reportElectronStarted();
  const refusal = refusalOf(error);
  printLines(`hearth: ${refusal.reason}\n`, process.stderr);
  if (!canAsk()) return app.exit(refusal.code);
  ask(refusal).catch((failure: unknown) => {
    const text = failure instanceof Error ? failure.message : String(failure);
    printError(text);
    dialog.showErrorBox("Hearth", text);
    app.exit(1);
  });
}
