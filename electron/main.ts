/** The desktop program: reads its arguments, takes the data directory's lock, and opens the window. */
import { app } from "electron";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { keepLoopbackDirect } from "../server/process/direct-loopback.ts";
import { readStart } from "../server/process/lifetime/read-start.ts";
import { opensWindow } from "../server/process/terminal/has-display.ts";
import { outliveOutput, printError, printLine } from "../server/process/terminal/print-text.ts";
import { describeHolder, takeInstanceLock } from "../server/supervisor/data-directory/instance-lock.ts";
import { prepareDataDir } from "../server/supervisor/data-directory/prepare-data-dir.ts";
import { RunError } from "../server/supervisor/run-error.ts";
import { openDesktopState } from "./desktop/desktop-state.ts";
import { minimisedFlag } from "./desktop/login-item.ts";
import { createOpening, openedBy } from "./desktop/opened.ts";
import { DesktopProgram } from "./desktop-program.ts";
import { ownArguments, runCommand } from "./startup/command-line.ts";
import { dropForeignAppImage } from "./startup/foreign-app-image.ts";
import { idleHeapFlags } from "./startup/idle-heap-flags.ts";
import { isCommand, namesCommand, windowFlags, withoutForeignSwitches } from "./startup/own-arguments.ts";
import { refuseStart } from "./startup/refuse-start.ts";
import { reportElectronStarted } from "./startup/report-electron-started.ts";
import { createShellText, languageOfLocale } from "./texts/shell-text.ts";
import { backUpOlderData } from "./updates/data-of-older.ts";
import { noCrashLimit, watchGpu } from "./window/recover-gpu.ts";

/** Replaced by the bundler with the package's version. */
declare const hearthVersion: string;

async function main(): Promise<void> {
  const args = ownArguments();
  if (isCommand(args[0])) return runCommand(args);
  const flags = windowFlags(args);
  if (flags.includes("--help") || flags.includes("--version") || namesCommand(flags)) return runCommand(args);
  const { settings } = await readStart(flags);
  if (!(await opensWindow(settings))) return runCommand(["serve", ...flags]);
  prepareDataDir(settings, hearthVersion);
  // Two windows must not share a profile, so each data directory has its own.
  const profile = join(settings.data_dir, "window");
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath("userData", profile);
  app.setAppLogsPath(join(profile, "logs"));
  let desktop: DesktopProgram | undefined;
  const opened = openedBy(withoutForeignSwitches(process.argv.slice(1)));
  const opening = createOpening(opened, () => desktop?.window);
  const taken = await takeInstanceLock(
    settings.data_dir,
    (request) => {
      if (request !== "ask" && desktop?.isEnding !== true) opening.show(request.slice("show ".length));
      return {
        pid: process.pid,
        console: desktop?.run.consoleAddress(),
        urls: desktop?.run.urls(),
        window: true,
        isEnding: desktop?.isEnding === true,
      };
    },
    { request: opened === undefined ? "show" : `show ${opened}`, onWait: (message) => printLine(message) },
  );
  if (!("lock" in taken)) {
    const other = taken.holder;
    if (other?.window !== true)
      throw new RunError(
        describeHolder(settings.data_dir, other),
        other && { type: "running", dataDir: settings.data_dir },
      );
    printLine(`Hearth is already running (pid ${other.pid}); its window is now in front`);
    return app.exit(0);
  }
  const state = openDesktopState(join(profile, "desktop.json"), (error) =>
    printError(`the window's state cannot be saved: ${String(error)}`),
  );
  const isNew = !existsSync(join(settings.data_dir, "hearth.db"));
  const isMinimised = process.argv.includes(minimisedFlag);
  // The channel to the `hearth` command closes when that command ends, however it ends.
  process.on("disconnect", () => app.quit());
  // Chromium has no sandbox for root and must then start without it; enabling it would end every process.
  if (!app.commandLine.hasSwitch("no-sandbox")) app.enableSandbox();
  app.commandLine.appendSwitch(noCrashLimit);
  // The switch is for pages: the V8 of this process has started already.
  if (!app.commandLine.hasSwitch("js-flags")) app.commandLine.appendSwitch("js-flags", idleHeapFlags.join(" "));
  for (const flag of idleHeapFlags) setFlagsFromString(flag);
  const { electron } = process.versions;
  if (state.get().softwareDrawingOf === electron) app.disableHardwareAcceleration();
  watchGpu(app, () => state.change({ softwareDrawingOf: electron }));
  // Not awaited at the top level: Electron is ready only after its main module has run.
  void app
    .whenReady()
    .then(async () => {
      reportElectronStarted();
      const text = createShellText(() => state.get().language ?? languageOfLocale(app.getLocale()));
      const closeProgress = await backUpOlderData(settings, hearthVersion, text);
      desktop = new DesktopProgram({ settings, version: hearthVersion, lock: taken.lock, state, isNew, isMinimised });
      app.on("window-all-closed", () => app.quit());
      closeProgress();
      opening.showWaiting();
    })
    .catch(refuseStart);
}

app.setName("Hearth");
// By default, Electron would quit with the window that shows the progress of a backup, before the desktop is open.
app.on("window-all-closed", () => undefined);
dropForeignAppImage(process.env, process.execPath);
keepLoopbackDirect(process.env);
outliveOutput();
try {
  await main();
} catch (error) {
  refuseStart(error);
}
