import { app, dialog, type BrowserWindow } from "electron";
import type { DesktopStateFile } from "../desktop/desktop-state.ts";
import type { ShellText } from "../texts/shell-text.ts";
import { closeWindow, hideWindow } from "./close-window.ts";

interface Options {
  readonly state: DesktopStateFile;
  readonly hasTray: () => Promise<boolean>;
  readonly text: ShellText;
}

/** Quits when the user closes the window without keeping Hearth, or the user's session ends. */
export function quitWithWindow(window: BrowserWindow, { state, hasTray, text }: Options): void {
  const quit = () => app.quit();
  window.on(
    "close",
    closeWindow({
      hasTray,
      onClose: () => state.get().onClose,
      remember: (onClose) => state.change({ onClose }),
      ask: (question) => dialog.showMessageBox(window, question),
      hide: () => hideWindow(window),
      quit,
      text,
    }),
  );
  // Windows asks its windows before it logs a user off, and waits some seconds for those that need them to end.
  window.on("query-session-end", (event) => {
    event.preventDefault();
    quit();
  });
  window.on("session-end", quit);
}
