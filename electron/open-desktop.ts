/** Puts the desktop program together: the window and the supervisor, which end together. */
import { app, dialog, shell, type BrowserWindow } from "electron";
import type { Settings } from "../server/contract/process/settings.ts";
import { settingsForChild } from "../server/process/settings/read-settings.ts";
import { startWarnings } from "../server/process/settings/start-warnings.ts";
import { announce } from "../server/process/terminal/announce.ts";
import { commandVariable, ownCommand } from "../server/process/terminal/own-command.ts";
import { createLogPrinter, statusReporter } from "../server/process/terminal/print-log.ts";
import { printError } from "../server/process/terminal/print-text.ts";
import type { InstanceLock } from "../server/supervisor/instance-lock.ts";
import { startRun, type Run } from "../server/supervisor/run.ts";
import { beside } from "./beside.ts";
import { setApplicationMenu } from "./menus/application-menu.ts";
import { wantsOtherPort } from "./startup/ask-way-on.ts";
import { pathCommandEntry } from "./menus/path-command-entry.ts";
import { typedCommand } from "./startup/command-line.ts";
import { forkUtilityProcess } from "./startup/fork-utility-process.ts";
import { systemDialogs } from "./startup/system-dialogs.ts";
import { createConsoleLinks } from "./window/console-links.ts";
import { createMainWindow } from "./window/main-window.ts";
import { answerPageCalls } from "./window/page-calls.ts";
import { recoverPage } from "./window/recover-page.ts";
import { crashedPage, failedPage, pageLanguage, startingPage } from "./window/start-page.ts";
import { openWindowSession } from "./window/window-session.ts";

/** What a second start asks for. */
export interface Desktop {
  window?: BrowserWindow;
  run?: Run;
}

/** A service's log lines, formatted as in the terminal. */
function readableLines(lines: readonly string[]): string {
  let text = "";
  const printer = createLogPrinter({ json: false, log_level: "trace" }, { write: (line) => (text += line) });
  for (const line of lines) printer.line("app", line);
  return text;
}

export function openDesktop(settings: Settings, version: string, lock: InstanceLock, desktop: Desktop): void {
  const language = pageLanguage(app.getLocale());
  const printer = createLogPrinter(settings, process.stdout);
  const links = createConsoleLinks(() => desktop.run);
  const session = openWindowSession(links.origin);
  const window = createMainWindow({ preload: beside("preload.cjs"), session, ...links });
  desktop.window = window;
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
      show(crashedPage(language, reason, links.isPage(at) ? at : (shown ?? "")));
    },
  });
  show(startingPage(language));
  for (const warning of startWarnings(settings)) printer.say("warn", "hearth", warning);

  const command = typedCommand();
  const run = startRun({
    settings,
    version,
    fork: forkUtilityProcess,
    entries: { app: beside("app.js"), model: beside("model.js"), runner: beside("runner.js") },
    env: { ...process.env, [commandVariable]: command },
    settingsEnv: settingsForChild,
    onLine: printer.line,
    onStatus(status) {
      statusReporter(printer)(status);
      const address = desktop.run?.consoleAddress();
      if (status.name !== "app" || status.state !== "up" || address === undefined || address === shown) return;
      shown = address;
      void links.withCode(address).then(show);
    },
    onReady() {
      const console = desktop.run?.consoleAddress() ?? "";
      if (settings.json) return printer.say("info", "hearth", "ready", { console });
      void announce({
        console,
        login: () => links.withCode(console),
        command: ownCommand(command, settings.data_dir),
      });
    },
    onFatal(reason, takenPort) {
      printError(reason);
      exitCode = 1;
      show(failedPage(language, reason, readableLines(run.recentLines("app").slice(-20))));
      if (takenPort === undefined) return;
      void wantsOtherPort(reason, { dialogs: systemDialogs(window), language }).then((wanted) => {
        if (!wanted) return app.quit();
        exitCode = 0;
        run.leavePort(takenPort);
      });
    },
  });
  desktop.run = run;

  const openDataFolder = () => void shell.openPath(settings.data_dir);
  const openInBrowser = () => links.openOutside(run.consoleAddress() ?? "");
  const showMenu = () => {
    const pathCommand = pathCommandEntry(language, window, showMenu);
    setApplicationMenu({ openDataFolder, openInBrowser, pathCommand });
  };
  showMenu();
  answerPageCalls(
    {
      "open-data-folder": openDataFolder,
      "open-in-browser": openInBrowser,
      "login-code": async () => (await run.loginCode()).code,
      "choose-folder": async () => {
        const { filePaths } = await dialog.showOpenDialog({ properties: ["openDirectory"] });
        return filePaths[0];
      },
    },
    links.isPage,
  );

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
