/** Puts the desktop program together: window, menus, tray and notifications around a run, which ends with them. */
import { app, clipboard, dialog, Menu, shell, type BrowserWindow } from "electron";
import type { CloudEvent } from "../server/contract/console/traffic/stored-event.ts";
import type { ServiceStatus } from "../server/contract/process/services.ts";
import type { Settings } from "../server/contract/process/settings.ts";
import { readOrigins } from "../server/process/settings/read-settings.ts";
import { startWarnings } from "../server/process/settings/start-warnings.ts";
import { announceAddresses } from "../server/process/terminal/announce.ts";
import { commandVariable } from "../server/process/terminal/own-command.ts";
import { announceRun } from "../server/supervisor/announce-run.ts";
import { consoleAccess } from "../server/supervisor/console-access.ts";
import type { ReadyFileContent } from "../server/supervisor/ready-file.ts";
import type { InstanceLock } from "../server/supervisor/data-directory/instance-lock.ts";
import { startRun, type Run } from "../server/supervisor/run.ts";
import { bundledFile } from "./bundled-file.ts";
import { createConsoleClient, type ConsoleClient } from "./desktop/console-client.ts";
import { describeDesktop } from "./desktop/describe-desktop.ts";
import { DesktopLog } from "./desktop/desktop-log.ts";
import type { DesktopStateFile } from "./desktop/desktop-state.ts";
import { findTray } from "./desktop/find-tray.ts";
import { keepTray } from "./desktop/keep-tray.ts";
import { createNotices } from "./desktop/notices.ts";
import { createPageDesktop } from "./desktop/page-desktop.ts";
import { showNotification } from "./desktop/show-notification.ts";
import { createStatusMenus } from "./desktop/status-menus.ts";
import { pathCommandEntry } from "./menus/path-command-entry.ts";
import { createTray } from "./menus/tray.ts";
import { wantsOtherPort } from "./startup/ask-way-on.ts";
import { followProgram, ownLoginItem, relaunch, typedCommand } from "./startup/command-line.ts";
import { forkUtilityProcess } from "./startup/fork-utility-process.ts";
import { systemDialogs } from "./startup/system-dialogs.ts";
import { createShellText, languageOfLocale } from "./texts/shell-text.ts";
import { openDataRestore } from "./updates/data-of-older.ts";
import { openUpdates } from "./updates/open-updates.ts";
import { createConsoleLinks } from "./window/console-links.ts";
import { openConsoleWindow } from "./window/console-window.ts";
import { answerPageCalls } from "./window/page-calls.ts";
import { quitWithWindow } from "./window/quit-with-window.ts";
import { failedPage } from "./window/start-page.ts";

interface DesktopOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly lock: InstanceLock;
  readonly state: DesktopStateFile;
  /** The data directory had no data before. */
  readonly isNew: boolean;
  /** Opens in the tray, or where there is none as a minimised window. */
  readonly isMinimised: boolean;
}

/**
 * Runs from its construction until the program quits. The run may fail and start again on another port meanwhile. Quitting
 * stops the run, then puts older data back and installs an update if the user has chosen to, and exits.
 */
export class DesktopProgram {
  readonly window;
  readonly run: Run;
  readonly #options: DesktopOptions;
  readonly #text;
  readonly #log: DesktopLog;
  readonly #command = typedCommand();
  readonly #links = createConsoleLinks(() => this.run);
  readonly #describe;
  readonly #notices;
  readonly #updates;
  readonly #dataRestore;
  readonly #tray;
  readonly #menus;
  readonly #ending = new AbortController();
  #client: ConsoleClient | undefined;
  #token = "";
  /** The console's address that the window shows. */
  #address: string | undefined;
  #exitCode = 0;

  constructor(options: DesktopOptions) {
    const { settings, version, state, isMinimised } = options;
    this.#options = options;
    this.#text = createShellText(() => state.get().language ?? languageOfLocale(app.getLocale()));
    this.#log = new DesktopLog(settings);
    this.#warnAtStart();
    this.run = this.#startRun();
    const text = this.#text;
    this.window = openConsoleWindow({ links: this.#links, state, text, isShown: !isMinimised });
    this.#describe = describeDesktop({ settings, run: this.run, secrets: () => [this.#token] });
    this.#notices = createNotices({
      isOn: (kind) => state.get().notify[kind],
      isWatched: () => !this.#browser.isDestroyed() && this.#browser.isFocused(),
      text,
      show: (notice) => showNotification(notice, () => this.window.open(notice.page)),
    });
    // Only an installed program can be replaced by a newer one.
    this.#updates = openUpdates(app.isPackaged ? settings.update_url : undefined, this.#browser);
    this.#dataRestore = openDataRestore({ settings, version, window: this.#browser, text, quit: () => app.quit() });
    this.#tray = keepTray({
      find: () => findTray(process.platform, process.env),
      create: () => createTray(() => this.window.open()),
      onIcon: () => this.#menus.redraw(),
      ending: this.#ending.signal,
    });
    this.#menus = this.#openMenus();
    this.#openTray();
    this.#answerPage();
    quitWithWindow(this.#browser, { state, hasTray: this.#tray.look, text });
    app.on("before-quit", (event) => {
      event.preventDefault();
      if (!this.isEnding) this.#end();
    });
  }

  get isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  get #browser(): BrowserWindow {
    return this.window.window;
  }

  #warnAtStart(): void {
    const { settings } = this.#options;
    announceAddresses(settings, readOrigins(settings), this.#log.file);
    for (const warning of startWarnings(settings)) this.#log.warn(warning);
    try {
      if (app.isPackaged) followProgram();
    } catch (error) {
      this.#log.warn(`the login entry points to a missing program and could not be updated: ${String(error)}`);
    }
  }

  #startRun(): Run {
    const { settings, version } = this.#options;
    return startRun({
      settings,
      version,
      fork: forkUtilityProcess,
      entries: { app: bundledFile("app.js"), model: bundledFile("model.js"), runner: bundledFile("runner.js") },
      env: { ...process.env, [commandVariable]: this.#command },
      origins: readOrigins(settings),
      onLine: (service, line) => this.#log.line(service, line),
      onStatus: (status) => this.#showStatus(status),
      onReady: (addresses) => void this.#startUse(addresses),
      onWarning: (message) => this.#log.warn(message),
      onFatal: (reason, takenPort) => this.#showFailure(reason, takenPort),
    });
  }

  #showStatus(status: ServiceStatus): void {
    this.#log.status(status);
    this.#menus.update();
    const address = this.run.consoleAddress();
    if (status.name !== "app" || status.state !== "up" || address === undefined) return;
    if (address === this.#address && !this.window.isLost()) return;
    this.#address = address;
    this.window.showConsole(address);
  }

  async #startUse(addresses: ReadyFileContent): Promise<void> {
    const { settings, version } = this.#options;
    this.#token = consoleAccess(addresses.console).token;
    this.#client = createConsoleClient({ origin: this.#links.origin, token: this.#token });
    const onConnect = () => void this.#menus.refetch();
    void this.#client.follow({ onConnect, onEvent: (event) => this.#receive(event) }, this.#ending.signal);
    const console = this.run.consoleAddress() ?? "";
    if (settings.json) return this.#log.ready(console);
    const cli = bundledFile("cli.js");
    const login = () => this.#links.withCode(console);
    await announceRun(addresses, { version, settings, console, login, command: this.#command, cli });
  }

  #receive(event: CloudEvent): void {
    // The state of a folder is fetched, because its event may have been missed.
    if (event.type === "watch.changed") void this.#menus.refetch();
    else this.#notices(event);
  }

  #showFailure(reason: string, takenPort: number | undefined): void {
    this.#log.fatal(reason);
    this.#exitCode = 1;
    this.#address = undefined;
    this.window.show(failedPage(this.#text, reason, this.#describe.readableLines("app").slice(-20).join("\n")));
    if (takenPort === undefined) return;
    void wantsOtherPort(reason, { dialogs: systemDialogs(this.#browser), text: this.#text }).then((isWanted) => {
      if (!isWanted) return app.quit();
      this.#exitCode = 0;
      this.run.leavePort(takenPort);
    });
  }

  readonly #openDataFolder = () => void shell.openPath(this.#options.settings.data_dir);
  readonly #openInBrowser = () => this.#links.openOutside(this.run.consoleAddress() ?? "");

  #openMenus() {
    const copy = (copied: string) => void clipboard.writeText(copied);
    const check = this.#updates.check;
    const checkForUpdates = () => {
      this.window.open();
      check?.();
    };
    const restart = () => {
      relaunch();
      app.quit();
    };
    const restore = this.#dataRestore;
    return createStatusMenus({
      text: this.#text,
      run: () => this.run,
      onFailure: (folder) => this.#notices({ type: "watch.changed", data: folder }),
      client: () => this.#client,
      actions: {
        openDataFolder: this.#openDataFolder,
        openInBrowser: this.#openInBrowser,
        showPage: this.window.open,
        copy,
        openLogs: () => void shell.openPath(this.#log.folder),
        copyDiagnostics: () => copy(this.#describe.diagnostics()),
        pathCommand: () => pathCommandEntry(this.#text, this.#browser, () => this.#menus.redraw()),
        restart: app.isPackaged ? restart : undefined,
        checkForUpdates: check && checkForUpdates,
        restoreData: restore && { version: restore.backup.version, offer: restore.offer },
      },
      open: this.window.open,
      quit: () => app.quit(),
      showMenu: (menu) => Menu.setApplicationMenu(Menu.buildFromTemplate(menu)),
      showTrayMenu: (menu) => this.#tray.icon()?.show(menu),
    });
  }

  #openTray(): void {
    this.#menus.update();
    void this.#tray.look().then((isFound) => {
      if (!isFound && this.#options.isMinimised && !this.#browser.isDestroyed()) this.#browser.minimize();
      return this.#tray.lookLater().catch(() => undefined);
    });
  }

  /** Answers the calls of the window's page. */
  #answerPage(): void {
    const { state, isNew } = this.#options;
    const desktop = createPageDesktop({
      state,
      hasTray: () => this.#tray.icon() !== undefined,
      isNew,
      backup: this.#dataRestore?.backup,
      loginItem: app.isPackaged ? ownLoginItem() : undefined,
      onLanguage: this.#menus.update,
    });
    const chooseFolder = async () => (await dialog.showOpenDialog({ properties: ["openDirectory"] })).filePaths[0];
    answerPageCalls(
      {
        "open-data-folder": this.#openDataFolder,
        "open-in-browser": this.#openInBrowser,
        "login-code": async () => (await this.run.loginCode()).code,
        "choose-folder": chooseFolder,
        ...this.#updates.calls,
        "offer-way-back": () => this.#dataRestore?.offer(),
        "take-files": this.window.listen,
        desktop: () => desktop.read(),
        "change-desktop": (change) => desktop.change(change),
      },
      this.#links.isPage,
    );
  }

  #end(): void {
    this.#ending.abort();
    this.#updates.stop();
    this.window.end();
    void this.run
      .stop()
      .then(() => this.#dataRestore?.finish())
      .then(() => this.#options.lock.release())
      .then(() => this.#log.file.flush())
      .then(() => this.#updates.finish())
      .finally(() => app.exit(this.#exitCode));
  }
}
