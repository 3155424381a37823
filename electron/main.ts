/** The shell: one window and the supervisor, which end together. It contains no business logic. */
import { app, dialog, ipcMain, shell, type BrowserWindow, type IpcMainInvokeEvent } from "electron";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loginCodeParameter } from "../server/contract/console/console-logins.ts";
import { isDiskFull } from "../server/contract/process/disk-full.ts";
import type { Settings } from "../server/contract/process/settings.ts";
import { announce } from "../server/process/terminal/announce.ts";
import { fullDiskText } from "../server/process/disk-room.ts";
import { helpText } from "../server/process/settings/help-text.ts";
import { commandName, commandVariable, ownCommand, quoted } from "../server/process/terminal/own-command.ts";
import { createLogPrinter, statusReporter } from "../server/process/terminal/print-log.ts";
import { outliveOutput, printError, printLine, printLines } from "../server/process/terminal/print-text.ts";
import { readSettings, settingsForChild, SettingsError } from "../server/process/settings/read-settings.ts";
import { startWarnings } from "../server/process/settings/start-warnings.ts";
import { describeHolder, takeInstanceLock, type InstanceLock } from "../server/supervisor/instance-lock.ts";
import { prepareDataDir, RunError, startRun, type Run } from "../server/supervisor/run.ts";
import { setApplicationMenu } from "./application-menu.ts";
import { forkUtilityProcess } from "./fork-utility-process.ts";
import { bringToFront, createMainWindow } from "./main-window.ts";
import { isConsolePage, webAddress } from "./navigation.ts";
import { recoverPage } from "./recover.ts";
import { crashedPage, failedPage, pageLanguage, startingPage } from "./start-page.ts";
import { adoptOldStorage, openWindowSession } from "./window-session.ts";

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Switches of Chromium and Electron, which a packaged program gets among its own flags. */
const foreignSwitch =
  /^(--(no-sandbox|no-zygote|inspect|remote-debugging|disable-|enable-|ozone-|js-flags|use-|force-|lang\b|user-data-dir|password-store)|-psn_)/;

/** In a checkout, the `hearth` command passes the resolved settings; a packaged program reads its own flags. */
function ownFlags(): string[] {
  return app.isPackaged ? process.argv.slice(1).filter((arg) => !foreignSwitch.test(arg)) : [];
}

/** The command with which a user starts this program; a package's is its own path. */
const typedCommand = () =>
  app.isPackaged ? quoted(process.env["APPIMAGE"] ?? process.execPath) : commandName(beside("cli.js"));

/** The `hearth` commands that a package supports as well: those that start no Hearth. */
const commands = /^(watch|open|token|pull|list|ls|rm|create|backup|restore)$/;

interface CommandModule {
  main: (argv: readonly string[]) => Promise<void>;
}

async function runCommand(argv: readonly string[]): Promise<void> {
  // Not a literal, so that the bundler keeps it as a separate file.
  const { main: run } = (await import(new URL("./cli-main.js", import.meta.url).href)) as CommandModule;
  app.dock?.hide();
  await run(argv);
  // A watch runs until it is stopped.
  if (argv[0] !== "watch" || process.exitCode !== 0) app.exit(Number(process.exitCode ?? 0));
}

function refuse(message: string, code: number): never {
  printError(message);
  // A program started by a click has no terminal.
  if (app.isPackaged && process.platform !== "linux") dialog.showErrorBox("Hearth", message);
  app.exit(code);
  process.exit(code);
}

/** A service's log lines, formatted as in the terminal. */
function readableLines(lines: readonly string[]): string {
  let text = "";
  const printer = createLogPrinter({ json: false, log_level: "trace" }, { write: (line) => (text += line) });
  for (const line of lines) printer.line("app", line);
  return text;
}

function openWindow(settings: Settings, lock: InstanceLock, holder: { window?: BrowserWindow; run?: Run }): void {
  const language = pageLanguage(app.getLocale());
  const printer = createLogPrinter(settings, process.stdout);
  const origin = () => URL.parse(holder.run?.consoleAddress() ?? "")?.origin;
  /** A console page with a login code; without a code, the page itself asks for a login. */
  const withCode = async (page: string) => {
    const made = await holder.run?.loginCode().catch(() => undefined);
    const url = new URL(page);
    if (made !== undefined) url.searchParams.set(loginCodeParameter, made.code);
    return url.href;
  };
  const openOutside = (url: string) => {
    const address = webAddress(url);
    if (address === undefined) return;
    const opened = isConsolePage(address, origin()) ? withCode(address) : Promise.resolve(address);
    opened
      .then((to) => shell.openExternal(to))
      .catch((error: unknown) => printError(`no browser opens: ${String(error)}`));
  };
  const session = openWindowSession(origin);
  const window = createMainWindow({ preload: beside("preload.cjs"), session, origin, openOutside });
  holder.window = window;
  let exitCode = 0;
  let shown: string | undefined;
  const show = (url: string) => {
    // The window may be closed at any time, which aborts the load.
    if (!window.isDestroyed()) window.loadURL(url).catch(() => undefined);
  };
  recoverPage(window, {
    language,
    onHopeless(reason) {
      const at = window.webContents.getURL();
      show(crashedPage(language, reason, isConsolePage(at, origin()) ? at : (shown ?? "")));
    },
  });
  show(startingPage(language));
  for (const warning of startWarnings(settings)) printer.say("warn", "hearth", warning);

  const command = typedCommand();
  const run = startRun({
    settings,
    fork: forkUtilityProcess,
    entries: { app: beside("app.js"), model: beside("model.js"), runner: beside("runner.js") },
    env: { ...process.env, [commandVariable]: command },
    settingsEnv: settingsForChild,
    onLine: printer.line,
    onStatus(status) {
      statusReporter(printer)(status);
      const address = holder.run?.consoleAddress();
      if (status.name !== "app" || status.state !== "up" || address === undefined || address === shown) return;
      shown = address;
      void withCode(address).then(show);
    },
    onReady() {
      const console = holder.run?.consoleAddress() ?? "";
      if (settings.json) return printer.say("info", "hearth", "ready", { console });
      void announce({ console, login: () => withCode(console), command: ownCommand(command, settings.data_dir) });
    },
    onFatal(reason) {
      printError(reason);
      exitCode = 1;
      show(failedPage(language, reason, readableLines(run.recentLines("app").slice(-20))));
    },
  });
  holder.run = run;

  const openDataFolder = () => void shell.openPath(settings.data_dir);
  const openInBrowser = () => openOutside(run.consoleAddress() ?? "");
  setApplicationMenu({ openDataFolder, openInBrowser });
  const answer = (channel: string, act: () => unknown) =>
    ipcMain.handle(channel, ({ senderFrame }: IpcMainInvokeEvent) =>
      senderFrame?.parent === null && isConsolePage(senderFrame.url, origin()) ? act() : undefined,
    );
  answer("open-data-folder", openDataFolder);
  answer("open-in-browser", openInBrowser);
  answer("login-code", async () => (await run.loginCode()).code);
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
  if (commands.test(flags[0] ?? "")) return runCommand(flags);
  if (flags.includes("--help") || flags.includes("--version")) {
    printLines(flags.includes("--help") ? helpText() : `${app.getVersion()}\n`);
    return app.exit(0);
  }
  const settings = readSettings(flags);
  prepareDataDir(settings.data_dir);
  // Two windows must not share a profile, so each data directory has its own.
  const profile = join(settings.data_dir, "window");
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath("userData", profile);
  const holder: { window?: BrowserWindow; run?: Run } = {};
  const taken = await takeInstanceLock(settings.data_dir, (request) => {
    if (request === "show" && holder.window && !holder.window.isDestroyed()) bringToFront(holder.window);
    return {
      pid: process.pid,
      console: holder.run?.consoleAddress(),
      urls: holder.run?.urls(),
      window: true,
    };
  });
  if (!("lock" in taken)) {
    const other = taken.holder;
    if (other?.window !== true) throw new RunError(describeHolder(settings.data_dir, other));
    printLine(`Hearth runs already (pid ${other.pid}); its window is in front now`);
    return app.exit(0);
  }
  adoptOldStorage(profile);
  // The channel to the `hearth` command closes when that command ends, however it ends.
  process.on("disconnect", () => app.quit());
  app.on("window-all-closed", () => app.quit());
  // Chromium has no sandbox for root and must then start without it; enabling it would end every process.
  if (!app.commandLine.hasSwitch("no-sandbox")) app.enableSandbox();
  // Not awaited at the top level: Electron is ready only after its main module has run.
  void app
    .whenReady()
    .then(() => openWindow(settings, taken.lock, holder))
    .catch(refuseStart);
}

function refuseStart(error: unknown): never {
  if (error instanceof SettingsError) refuse(error.message, 2);
  if (error instanceof RunError) refuse(error.message, 1);
  if (isDiskFull(error)) refuse(fullDiskText(error), 1);
  throw error;
}

app.setName("Hearth");
outliveOutput();
try {
  await main();
} catch (error) {
  refuseStart(error);
}
