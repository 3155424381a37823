/** Brings the page back when its process has ended, and asks what to do when it hangs. */
import type { MessageBoxOptions, WebContents } from "electron";
import type { ShellText } from "../texts/shell-text.ts";

export interface RecoveryPorts {
  readonly text: ShellText;
  readonly ask: (question: MessageBoxOptions) => Promise<{ response: number }>;
  /** Explains that the page has ended too often to be reloaded at once; `reason` is Chromium's. */
  readonly explain: (reason: string) => void;
  /** Shows the page again. */
  readonly showAgain: () => void;
}

/** A page that ends more often than this within the time is not reloaded at once. */
const maxCrashes = 3;
const crashesWithinMs = 60_000;
/** The pause doubles: a page that keeps ending must not keep a core busy. */
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

type RecoveredContents = Pick<WebContents, "on" | "isDestroyed" | "reload" | "getURL" | "forcefullyCrashRenderer">;

export function recoverPage(contents: RecoveredContents, { text, ask, explain, showAgain }: RecoveryPorts): void {
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

  // The person has loaded the page without waiting.
  contents.on("did-navigate", (_event, url) => {
    if (url.startsWith("data:")) return;
    clearTimeout(returning);
    returning = undefined;
  });

  contents.on("unresponsive", () => {
    if (asking !== undefined) return;
    asking = new AbortController();
    const { signal } = asking;
    const message = text("page.hangs");
    const buttons = [text("page.wait"), text("page.load_again")];
    void ask({ type: "warning", message, buttons, defaultId: 0, cancelId: 0, signal }).then(({ response }) => {
      if (signal.aborted) return;
      asking = undefined;
      // The page is reloaded when its process ends.
      if (response === 1 && !contents.isDestroyed()) contents.forcefullyCrashRenderer();
    });
  });
  contents.on("responsive", endAsking);
}
