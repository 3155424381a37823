import type { ElectronApplication } from "playwright-core";

/**
 * Runs a script in the page by the main process, which reaches the page also after its process has ended; undefined
 * while it has none, hangs, or ends meanwhile.
 */
export const runInPage = (electron: ElectronApplication, script: string): Promise<unknown> =>
  electron.evaluate(async ({ BrowserWindow }, code) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    const late = new Promise((resolve) => setTimeout(resolve, 1_000));
    return contents?.isCrashed() ? undefined : Promise.race([contents?.executeJavaScript(code, true), late]);
  }, script);
