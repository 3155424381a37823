/** Reloads the page when its process has ended, and asks what to do when it hangs. */
import { dialog, type BrowserWindow } from "electron";
import type { Language } from "./start-page.ts";

export interface RecoveryOptions {
  readonly language: Language;
  /** Called if the page ended too often for reloading to help; `reason` is Chromium's reason for the end. */
  readonly onHopeless: (reason: string) => void;
}

/** A page that ends more often than this within the time is not reloaded automatically. */
const maxCrashes = 3;
const crashesWithinMs = 60_000;

const texts = {
  en: { hangs: "The page does not respond.", wait: "Wait", reload: "Load it again" },
  zh: { hangs: "页面没有响应。", wait: "等待", reload: "重新加载" },
} as const;

export function recoverPage(window: BrowserWindow, { language, onHopeless }: RecoveryOptions): void {
  const { webContents } = window;
  let crashes: number[] = [];
  let asking: AbortController | undefined;
  const endAsking = () => {
    asking?.abort();
    asking = undefined;
  };

  webContents.on("render-process-gone", (_event, { reason }) => {
    endAsking();
    if (reason === "clean-exit" || window.isDestroyed()) return;
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < crashesWithinMs), now];
    // Deferred: a load within this event would end Electron itself.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      if (crashes.length <= maxCrashes) webContents.reload();
      // If even the error page ends, nothing can be shown.
      else if (!webContents.getURL().startsWith("data:")) onHopeless(reason);
    });
  });

  webContents.on("unresponsive", () => {
    if (asking !== undefined) return;
    asking = new AbortController();
    const { signal } = asking;
    const { hangs: message, wait, reload } = texts[language];
    const buttons = [wait, reload];
    void dialog
      .showMessageBox(window, { type: "warning", message, buttons, defaultId: 0, cancelId: 0, signal })
      .then(({ response }) => {
        if (signal.aborted) return;
        asking = undefined;
        // The page is reloaded when its process ends.
        if (response === 1 && !window.isDestroyed()) webContents.forcefullyCrashRenderer();
      });
  });
  webContents.on("responsive", endAsking);
}
