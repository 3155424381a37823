/** The desktop program: reads what it is called with, takes the data directory's lock, and opens the window. */
import { app } from "electron";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { helpText } from "../server/process/settings/help-text.ts";
import { readSettings } from "../server/process/settings/read-settings.ts";
import { hasDisplay } from "../server/process/terminal/has-display.ts";
import { outliveOutput, printLine, printLines } from "../server/process/terminal/print-text.ts";
import { describeHolder, takeInstanceLock } from "../server/supervisor/instance-lock.ts";
import { prepareDataDir, RunError } from "../server/supervisor/run.ts";
import { openDesktop, type Desktop } from "./open-desktop.ts";
import { ownArguments, runCommand } from "./startup/command-line.ts";
import { isCommand } from "./startup/own-arguments.ts";
import { refuseStart } from "./startup/refuse-start.ts";
import { bringToFront } from "./window/main-window.ts";
import { adoptOldStorage } from "./window/window-session.ts";

/** Replaced by the bundler with the package's version. */
declare const hearthVersion: string;

async function main(): Promise<void> {
  const args = ownArguments();
  if (isCommand(args[0])) return runCommand(args);
  const flags = args[0] === "start" ? args.slice(1) : args;
  if (flags.includes("--help") || flags.includes("--version")) {
    printLines(flags.includes("--help") ? helpText() : `${hearthVersion}\n`);
    return app.exit(0);
  }
  const settings = readSettings(flags);
  if (settings.headless || settings.open === false || !hasDisplay()) return runCommand(["serve", ...flags]);
  prepareDataDir(settings.data_dir, hearthVersion);
  // Two windows must not share a profile, so each data directory has its own.
  const profile = join(settings.data_dir, "window");
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  app.setPath("userData", profile);
  const desktop: Desktop = {};
  const taken = await takeInstanceLock(settings.data_dir, (request) => {
    if (request === "show" && desktop.window && !desktop.window.isDestroyed()) bringToFront(desktop.window);
    return {
      pid: process.pid,
      console: desktop.run?.consoleAddress(),
      urls: desktop.run?.urls(),
      window: true,
    };
  });
  if (!("lock" in taken)) {
    const other = taken.holder;
    if (other?.window !== true)
      throw new RunError(
        describeHolder(settings.data_dir, other),
        other && { type: "running", dataDir: settings.data_dir },
      );
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
    .then(() => openDesktop(settings, hearthVersion, taken.lock, desktop))
    .catch(refuseStart);
}

app.setName("Hearth");
outliveOutput();
try {
  await main();
} catch (error) {
  refuseStart(error);
}
