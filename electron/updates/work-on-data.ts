/** Works on the data while no service uses them, in a process of its own, with a window that shows the progress. */
import { app, BrowserWindow } from "electron";
import type { Asking } from "../../server/supervisor/processes/ask-worker.ts";
import { bundledFile } from "../bundled-file.ts";
import { forkUtilityProcess } from "../startup/fork-utility-process.ts";
import type { ShellText } from "../texts/shell-text.ts";
import { showPercent, workingPage, type DataWork } from "../window/start-page.ts";

/** Closing the window ends the program, and with it the work, which leaves everything as it was. */
function openWorkWindow(page: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 480,
    height: 200,
    title: "Hearth",
    resizable: false,
    autoHideMenuBar: true,
    webPreferences: { contextIsolation: true, sandbox: true, nodeIntegration: false, spellcheck: false },
  });
  window.on("close", () => app.exit(0));
  window.loadURL(page).catch(() => undefined);
  return window;
}

/**
 * Runs `work`. The window opens with the first progress, since most starts find nothing to do.
 * @returns the result, and a function that closes the window, for when the next one is open
 * @throws the work's error
 */
export async function workOnData<Result>(
  name: DataWork,
  text: ShellText,
  work: (asking: Asking & { readonly entry: string }) => Promise<Result>,
) {
  let window: BrowserWindow | undefined;
  let displayed = -1;
  const close = () => window?.destroy();
  function onProgress(done: number, total: number): void {
    window ??= openWorkWindow(workingPage(text, name));
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    if (percent === displayed || window.isDestroyed()) return;
    displayed = percent;
    window.setProgressBar(percent / 100);
    window.webContents.executeJavaScript(showPercent(percent)).catch(() => undefined);
  }
  try {
    const { signal } = new AbortController();
    const entry = bundledFile("update-backup.js");
    return { result: await work({ entry, fork: forkUtilityProcess, signal, onProgress }), close };
  } catch (error) {
    close();
    throw error;
  }
}
