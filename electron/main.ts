/** The shell: one window, the supervisor behind it, and the end of both together. No business logic. */
import { app, dialog, ipcMain, shell, type BrowserWindow, type IpcMainInvokeEvent } from "electron";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Settings } from "../server/contract/settings.ts";
import { helpText } from "../server/process/help-text.ts";
import { createLogPrinter, statusReporter } from "../server/process/print-log.ts";
import { readSettings, settingsForChild, SettingsError } from "../server/process/read-settings.ts";
import {
  describeHolder,
  takeInstanceLock,
  withoutToken,
  type InstanceLock,
} from "../server/supervisor/instance-lock.ts";
import { prepareDataDir, RunError, startRun, type Run } from "../server/supervisor/run.ts";
import { setApplicationMenu } from "./application-menu.ts";
import { forkUtilityProcess } from "./fork-utility-process.ts";
import { bringToFront, createMainWindow } from "./main-window.ts";
import { failedPage, pageLanguage, startingPage } from "./start-page.ts";

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Chromium's and Electron's own switches, which stand between ours on a packaged program's command line. */
const foreignSwitch =
  /^(--(no-sandbox|no-zygote|inspect|remote-debugging|disable-|enable-|ozone-|js-flags|use-|force-|lang\b|user-data-dir|password-store)|-psn_)/;

/** In a checkout the command `hearth` hands over what it has resolved; a packaged program has flags of its own. */
function ownFlags(): string[] {
  return app.isPackaged ? process.argv.slice(1).filter((arg) => !foreignSwitch.test(arg)) : [];
}

function refuse(message: string, code: number): never {
  process.stderr.write(`hearth: ${message}\n`);
  // A program started by a click has no terminal.
  if (app.isPackaged && process.platform !== "linux") dialog.showErrorBox("Hearth", message);
  app.exit(code);
  process.exit(code);
}

/** A service's log lines as they stand in the terminal. */
function readableLines(lines: readonly string[]): string {
  let text = "";
  const printer = createLogPrinter({ json: false, log_level: "trace" }, { write: (line) => (text += line) });
  for (const line of lines) printer.line("app", line);
  return text;
}

function openWindow(settings: Settings, lock: InstanceLock, holder: { window?: BrowserWindow; run?: Run }): void {
  const language = pageLanguage(app.getLocale());
  const printer = createLogPrinter(settings, process.stdout);
  const origin = () => (holder.run?.consoleAddress() ? new URL(holder.run.consoleAddress() ?? "").origin : undefined);
  const window = createMainWindow({ preload: beside("preload.cjs"), consoleOrigin: origin });
  holder.window = window;
  let exitCode = 0;
  let shown: string | undefined;
  const show = (url: string) => {
    // The window may be closed at any moment, which ends the load.
    if (!window.isDestroyed()) window.loadURL(url).catch(() => undefined);
  };
  show(startingPage(language));

  const run = startRun({
    settings,
    fork: forkUtilityProcess,
    entries: { app: beside("app.js"), model: beside("model.js"), runner: beside("runner.js") },
    env: process.env,
    settingsEnv: settingsForChild,
    onLine: printer.line,
    onStatus(status) {
      statusReporter(printer)(status);
      const address = holder.run?.consoleAddress();
      if (status.name !== "app" || status.state !== "up" || address === undefined || address === shown) return;
      shown = address;
      show(address);
    },
    onReady({ console: address }) {
      if (settings.json) printer.say("info", "hearth", "ready", { console: address });
      else process.stdout.write(`Hearth is ready: ${address}\n`);
    },
    onFatal(reason) {
      process.stderr.write(`hearth: ${reason}\n`);
      exitCode = 1;
      show(failedPage(language, reason, readableLines(run.recentLines("app").slice(-20))));
    },
  });
  holder.run = run;

  const openDataFolder = () => void shell.openPath(settings.data_dir);
  const openInBrowser = () => {
    const address = run.consoleAddress();
    if (address !== undefined) void shell.openExternal(address);
  };
  setApplicationMenu({ openDataFolder, openInBrowser });
  const answer = (channel: string, act: () => unknown) =>
    ipcMain.handle(channel, ({ senderFrame }: IpcMainInvokeEvent) =>
      senderFrame && new URL(senderFrame.url).origin === origin() ? act() : undefined,
    );
  answer("open-data-folder", openDataFolder);
  answer("open-in-browser", openInBrowser);
  answer("choose-folder", async () => {
    const { filePaths } = await dialog.showOpenDialog({ properties: ["openDirectory"] });
    return filePaths[0];
  });

  let ending = false;
  app.on("before-quit", (event) => {
    event.preventDefault();
    if (ending) return;
    ending = true;
    if (!window.isDestroyed()) window.destroy();
    void run
      .stop()
      .then(() => lock.release())
      .finally(() => app.exit(exitCode));
  });
}

async function main(): Promise<void> {
  const flags = ownFlags();
  if (flags.includes("--help") || flags.includes("--version")) {
    process.stdout.write(flags.includes("--help") ? helpText() : `${app.getVersion()}\n`);
    return app.exit(0);
  }
  const settings = readSettings(flags);
  prepareDataDir(settings.data_dir);
  // Two windows must not share a profile; one data directory has one.
  const profile = join(settings.data_dir, "window");
  mkdirSync(profile, { recursive: true });
  app.setPath("userData", profile);
  const holder: { window?: BrowserWindow; run?: Run } = {};
  const taken = await takeInstanceLock(settings.data_dir, (request) => {
    if (request === "show" && holder.window && !holder.window.isDestroyed()) bringToFront(holder.window);
    return {
      pid: process.pid,
      console: withoutToken(holder.run?.consoleAddress()),
      urls: holder.run?.urls(),
      window: true,
    };
  });
  if (!("lock" in taken)) {
    const other = taken.holder;
    if (other?.window !== true) throw new RunError(describeHolder(settings.data_dir, other));
    process.stdout.write(`Hearth runs already (pid ${other.pid}); its window is in front now\n`);
    return app.exit(0);
  }
  // The channel to the command `hearth` ends with it, however it ended.
  process.on("disconnect", () => app.quit());
  app.on("window-all-closed", () => app.quit());
  // Chromium has no sandbox for root, and must then be started without; asking for it would end every process.
  if (!app.commandLine.hasSwitch("no-sandbox")) app.enableSandbox();
  // Not awaited at the module's top level: Electron becomes ready only after its main module has run.
  void app.whenReady().then(() => openWindow(settings, taken.lock, holder));
}

app.setName("Hearth");
try {
  await main();
} catch (error) {
  if (error instanceof SettingsError) refuse(error.message, 2);
  if (error instanceof RunError) refuse(error.message, 1);
  throw error;
}
