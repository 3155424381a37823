/** Brings the page back when its process has ended, and asks what to do when it hangs. */
import type { MessageBoxOptions, WebContents } from "electron";
import type { ShellLanguage } from "../menus/shell-texts.ts";

export interface RecoveryPorts {
  readonly language: () => ShellLanguage;
  readonly ask: (question: MessageBoxOptions) => Promise<{ response: number }>;
  /** Explains that the page has ended too often to be reloaded at once; `reason` is Chromium's. */
  readonly explain: (reason: string) => void;
  /** Shows the page again. */
  readonly showAgain: () => void;
}

/** A page that ends more often than this within the time is not reloaded at once. */
const maxCrashes = 3;
const crashesWithinMs = 60_000;
/** Then it is reloaded after a pause that doubles: a page that ends by itself must not keep a core busy. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

const texts = {
  en: { hangs: "The page does not respond.", wait: "Wait", reload: "Load it again" },
  zh: { hangs: "页面没有响应。", wait: "等待", reload: "重新加载" },
} as const;

type RecoveredContents = Pick<WebContents, "on" | "isDestroyed" | "reload" | "getURL" | "forcefullyCrashRenderer">;

export function recoverPage(contents: RecoveredContents, { language, ask, explain, showAgain }: RecoveryPorts): void {
  let crashes: number[] = [];
  let returning: NodeJS.Timeout | undefined;
  let asking: AbortController | undefined;
  const endAsking = () => {
    asking?.abort();
    asking = undefined;
  };

  function comeBackLater(reason: string): void {
    if (returning !== undefined) return;
    // The page that explains may end, too.
    if (!contents.getURL().startsWith("data:")) explain(reason);
    const pauseMs = Math.min(firstPauseMs * 2 ** (crashes.length - maxCrashes - 1), longestPauseMs);
    returning = setTimeout(() => {
      returning = undefined;
      if (!contents.isDestroyed()) showAgain();
    }, pauseMs);
  }

  contents.on("render-process-gone", (_event, { reason }) => {
    endAsking();
    if (reason === "clean-exit" || contents.isDestroyed()) return;
    const now = Date.now();
    crashes = [...crashes.filter((at) => now - at < crashesWithinMs), now];
    // Deferred: a load within this event would end Electron itself.
    setImmediate(() => {
      if (contents.isDestroyed()) return;
      if (crashes.length > maxCrashes) comeBackLater(reason);
      else contents.reload();
    });
  });

  // A person did not want to wait.
  contents.on("did-navigate", (_event, url) => {
    if (url.startsWith("data:")) return;
    clearTimeout(returning);
    returning = undefined;
  });

  contents.on("unresponsive", () => {
    if (asking !== undefined) return;
    asking = new AbortController();
    const { signal } = asking;
    const { hangs: message, wait, reload } = texts[language()];
    const buttons = [wait, reload];
    void ask({ type: "warning", message, buttons, defaultId: 0, cancelId: 0, signal }).then(({ response }) => {
      if (signal.aborted) return;
      asking = undefined;
      // The page is reloaded when its process ends.
      if (response === 1 && !contents.isDestroyed()) contents.forcefullyCrashRenderer();
    });
  });
  contents.on("responsive", endAsking);
}
