/** Puts the desktop program together: window, menus, tray and notifications around a run, which ends with them. */
import { app, clipboard, dialog, Menu, shell } from "electron";
import { join } from "node:path";
import type { Settings } from "../server/contract/process/settings.ts";
import { readOrigins } from "../server/process/settings/read-settings.ts";
import { startWarnings } from "../server/process/settings/start-warnings.ts";
import { announce, announceAddresses } from "../server/process/terminal/announce.ts";
import { commandVariable, ownCommand } from "../server/process/terminal/own-command.ts";
import { createLogPrinter, statusReporter } from "../server/process/terminal/print-log.ts";
import { printError } from "../server/process/terminal/print-text.ts";
import { consoleAccess } from "../server/supervisor/console-access.ts";
import type { InstanceLock } from "../server/supervisor/data-directory/instance-lock.ts";
import { startRun, type Run } from "../server/supervisor/run.ts";
import { bundledFile } from "./bundled-file.ts";
import { createConsoleClient, type ConsoleClient } from "./desktop/console-client.ts";
import type { DesktopStateFile } from "./desktop/desktop-state.ts";
import { findTray } from "./desktop/find-tray.ts";
import { keepTray } from "./desktop/keep-tray.ts";
import { openLogFile } from "./desktop/log-file.ts";
import { createNotices } from "./desktop/notices.ts";
import { createPageDesktop } from "./desktop/page-desktop.ts";
import { showNotification } from "./desktop/show-notification.ts";
import { createStatusMenus } from "./desktop/status-menus.ts";
import { describeDesktop } from "./desktop/describe-desktop.ts";
import { languageOfLocale, shellTexts } from "./menus/shell-texts.ts";
import { createTray } from "./menus/tray.ts";
import { pathCommandEntry } from "./menus/path-command-entry.ts";
import { wantsOtherPort } from "./startup/ask-way-on.ts";
import { followProgram, ownLoginItem, relaunch, typedCommand } from "./startup/command-line.ts";
import { endWithSession } from "./startup/end-of-session.ts";
import { forkUtilityProcess } from "./startup/fork-utility-process.ts";
import { systemDialogs } from "./startup/system-dialogs.ts";
import { openDataRestore } from "./updates/data-of-older.ts";
import { openUpdates } from "./updates/open-updates.ts";
import { closeWindow, hideWindow } from "./window/close-window.ts";
import { createConsoleLinks } from "./window/console-links.ts";
import { openConsoleWindow, type ConsoleWindow } from "./window/console-window.ts";
import { answerPageCalls } from "./window/page-calls.ts";
import { failedPage } from "./window/start-page.ts";

/** What a second start asks for. */
export interface DesktopRun {
  window?: ConsoleWindow;
  run?: Run;
  isEnding?: boolean;
}

interface DesktopOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly lock: InstanceLock;
  readonly desktop: DesktopRun;
  readonly state: DesktopStateFile;
  /** The data directory had no data before. */
  readonly isNew: boolean;
  /** Opens in the tray, or where there is none as a minimised window. */
  readonly isMinimised: boolean;
}

export function openDesktop(options: DesktopOptions): void {
  const { settings, version, lock, desktop, state, isNew, isMinimised } = options;
  const language = () => state.get().language ?? languageOfLocale(app.getLocale());
  const texts = () => shellTexts[language()];
  const printer = createLogPrinter(settings, process.stdout);
  const logFolder = app.getPath("logs");
  const logFile = openLogFile(join(logFolder, "hearth.log"));
  const filePrinter = createLogPrinter({ json: false, log_level: settings.log_level }, logFile);
  const links = createConsoleLinks(() => desktop.run);
  const consoleWindow = openConsoleWindow({ links, state, language, isShown: !isMinimised });
  const { window, show, open } = consoleWindow;
  desktop.window = consoleWindow;
  let exitCode = 0;
  let shown: string | undefined;
  let client: ConsoleClient | undefined;
  let token = "";
  const ending = new AbortController();
  const printers = [printer, filePrinter];
  const warn = (message: string) => printers.forEach(({ say }) => say("warn", "hearth", message));
  announceAddresses(settings, readOrigins(settings), logFile);
  for (const warning of startWarnings(settings)) warn(warning);

  try {
    if (app.isPackaged) followProgram();
  } catch (error) {
    warn(`what starts Hearth still names a program that is gone: ${String(error)}`);
  }
  const command = typedCommand();
  const reporters = printers.map(statusReporter);
  const run = startRun({
    settings,
    version,
    fork: forkUtilityProcess,
    entries: { app: bundledFile("app.js"), model: bundledFile("model.js"), runner: bundledFile("runner.js") },
    env: { ...process.env, [commandVariable]: command },
    origins: readOrigins(settings),
    onLine(service, line) {
      for (const one of printers) one.line(service, line);
    },
    onStatus(status) {
      for (const report of reporters) report(status);
      if (desktop.run === undefined) return;
      menus.update();
      const address = desktop.run.consoleAddress();
      if (status.name !== "app" || status.state !== "up" || address === undefined) return;
      if (address === shown && !consoleWindow.isLost()) return;
      shown = address;
      consoleWindow.showConsole(address);
    },
    onReady(addresses) {
      token = consoleAccess(addresses.console).token;
      client = createConsoleClient({ origin: links.origin, token });
      void client.follow({ onConnect: () => void menus.refetch(), onEvent }, ending.signal);
      const console = desktop.run?.consoleAddress() ?? "";
      if (settings.json) return printer.say("info", "hearth", "ready", { console });
      void announce({
        console,
        settings,
        login: () => links.withCode(console),
        command: ownCommand(command, settings.data_dir),
      });
    },
    onWarning: warn,
    onFatal(reason, takenPort) {
      printError(reason);
      filePrinter.say("error", "hearth", reason);
      exitCode = 1;
      shown = undefined;
      show(failedPage(language(), reason, describe.readableLines("app").slice(-20).join("\n")));
      if (takenPort === undefined) return;
      void wantsOtherPort(reason, { dialogs: systemDialogs(window), language: language() }).then((wanted) => {
        if (!wanted) return quit();
        exitCode = 0;
        run.leavePort(takenPort);
      });
    },
  });
  desktop.run = run;
  const describe = describeDesktop({ settings, run, secrets: () => [token] });

  const notices = createNotices({
    isOn: (kind) => state.get().notify[kind],
    isWatched: () => !window.isDestroyed() && window.isFocused(),
    texts,
    show: (notice) => showNotification(notice, () => open(notice.page)),
  });

  const copy = (text: string) => void clipboard.writeText(text);
  const openDataFolder = () => void shell.openPath(settings.data_dir);
  const openInBrowser = () => links.openOutside(run.consoleAddress() ?? "");
  const quit = () => app.quit();
  function restart(): void {
    relaunch();
    app.quit();
  }
  // Only an installed program can be replaced by a newer one.
  const updates = openUpdates(app.isPackaged ? settings.update_url : undefined, window);
  function checkForUpdates(): void {
    open();
    updates.check?.();
  }
  const dataRestore = openDataRestore({ settings, version, window, language, quit });
  const tray = keepTray({
    find: () => findTray(process.platform, process.env),
    create: () => createTray(() => open()),
    onIcon: () => menus.redraw(),
    ending: ending.signal,
  });
  const menus = createStatusMenus({
    texts,
    run: () => run,
    onFailure: (folder) => notices({ type: "watch.changed", data: folder }),
    client: () => client,
    actions: {
      openDataFolder,
      openInBrowser,
      showPage: open,
      copy,
      openLogs: () => void shell.openPath(logFolder),
      copyDiagnostics: () => copy(describe.diagnostics()),
      pathCommand: () => pathCommandEntry(language(), window, () => menus.redraw()),
      ...(app.isPackaged && { restart }),
      ...(updates.check && { checkForUpdates }),
      ...(dataRestore && { wayBack: { version: dataRestore.backup.version, offer: dataRestore.offer } }),
    },
    open,
    quit,
    showMenu: (menu) => Menu.setApplicationMenu(Menu.buildFromTemplate(menu)),
    showTrayMenu: (menu) => tray.icon()?.show(menu),
  });
  function onEvent(event: Parameters<typeof notices>[0]): void {
    // What has become of a folder is looked up, as it is after an event that nobody was there to hear.
    if (event.type === "watch.changed") void menus.refetch();
    else notices(event);
  }
  menus.update();
  void tray.look().then((found) => {
    if (!found && isMinimised && !window.isDestroyed()) window.minimize();
    return tray.lookLater().catch(() => undefined);
  });

  const pageDesktop = createPageDesktop({
    state,
    hasTray: () => tray.icon() !== undefined,
    isNew,
    backup: dataRestore?.backup,
    loginItem: app.isPackaged ? ownLoginItem() : undefined,
    onLanguage: menus.update,
  });
  answerPageCalls(
    {
      "open-data-folder": openDataFolder,
      "open-in-browser": openInBrowser,
      "login-code": async () => (await run.loginCode()).code,
      "choose-folder": async () => {
        const { filePaths } = await dialog.showOpenDialog({ properties: ["openDirectory"] });
        return filePaths[0];
      },
      ...updates.calls,
      "offer-way-back": () => dataRestore?.offer(),
      "take-files": consoleWindow.take,
      desktop: () => pageDesktop.read(),
      "change-desktop": (change) => pageDesktop.change(change),
    },
    links.isPage,
  );

  window.on(
    "close",
    closeWindow({
      hasTray: tray.look,
      onClose: () => state.get().onClose,
      remember: (onClose) => state.change({ onClose }),
      ask: (question) => dialog.showMessageBox(window, question),
      hide: () => hideWindow(window),
      quit,
      texts,
    }),
  );
  endWithSession(window, quit);
  // macOS: a click in the Dock. At login the program is activated, too.
  app.on("activate", (_event, hasVisibleWindows) => {
    if (!hasVisibleWindows && client !== undefined) open();
  });
  if (app.runningUnderARM64Translation && !state.get().toldArchitecture) {
    state.change({ toldArchitecture: true });
    const { translatedTitle: message, translatedText: detail } = texts();
    void dialog.showMessageBox(window, { type: "warning", message, detail });
  }

  app.on("before-quit", (event) => {
    event.preventDefault();
    if (desktop.isEnding) return;
    desktop.isEnding = true;
    ending.abort();
    updates.stop();
    consoleWindow.end();
    void run
      .stop()
      .then(() => dataRestore?.finish())
      .then(() => lock.release())
      .then(() => logFile.flush())
      .then(() => updates.finish())
      .finally(() => app.exit(exitCode));
  });
}
