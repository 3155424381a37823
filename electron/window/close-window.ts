/** Closing the window ends Hearth, or hides the window while Hearth goes on. */
import type { BrowserWindow, MessageBoxOptions } from "electron";
import type { DesktopState } from "../desktop/desktop-state.ts";
import type { ShellText } from "../texts/shell-text.ts";

interface ClosePorts {
  /** Whether the window can be reached again once it is hidden. */
  readonly hasTray: () => Promise<boolean>;
  readonly onClose: () => DesktopState["onClose"];
  readonly remember: (choice: "keep" | "quit") => void;
  readonly ask: (question: MessageBoxOptions) => Promise<{ response: number }>;
  readonly hide: () => void;
  readonly quit: () => void;
  readonly text: ShellText;
}

/** The listener of the window's `close`. */
export function closeWindow(ports: ClosePorts): (event: { preventDefault: () => void }) => void {
  let isClosing = false;
  const act = (choice: "keep" | "quit") => (choice === "keep" ? ports.hide() : ports.quit());

  async function ask(): Promise<void> {
    const { text } = ports;
    const { response } = await ports.ask({
      type: "question",
      message: text("close.title"),
      detail: text("close.detail"),
      buttons: [text("close.keep_running"), text("menu.quit"), text("cancel")],
      defaultId: 0,
      cancelId: 2,
    });
    const choice = (["keep", "quit"] as const)[response];
    if (choice === undefined) return;
    ports.remember(choice);
    act(choice);
  }

  async function close(): Promise<void> {
    const choice = (await ports.hasTray()) ? ports.onClose() : "quit";
    return choice === "ask" ? ask() : act(choice);
  }

  return (event) => {
    if (ports.onClose() === "quit") return ports.quit();
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    void close().finally(() => (isClosing = false));
  };
}

/** Hides the window. On macOS one that fills a screen leaves that first, which would stay black (electron/electron#39572). */
export function hideWindow(window: Pick<BrowserWindow, "hide" | "isFullScreen" | "once" | "setFullScreen">): void {
  if (process.platform !== "darwin" || !window.isFullScreen()) return window.hide();
  window.once("leave-full-screen", () => window.hide());
  window.setFullScreen(false);
}
