/** The window. It shows only the console's pages: no other origin, no new windows. */
import { BrowserWindow, type Rectangle, type Session } from "electron";
import { isConsolePage, isFramedPage } from "./navigation.ts";

export interface MainWindowOptions {
  readonly place: Partial<Rectangle>;
  /** False for a start that shows nothing yet. */
  readonly isShown: boolean;
  readonly preload: string;
  readonly session: Session;
  /** Origin of the console; undefined until the application server is up. */
  readonly origin: () => string | undefined;
  /** Origin of the application server, whose API description the console shows in a frame. */
  readonly appOrigin: () => string | undefined;
  /** Receives addresses outside the console that a page navigates to. */
  readonly openOutside: (url: string) => void;
}

export function createMainWindow(options: MainWindowOptions): BrowserWindow {
  const { preload, session, origin, appOrigin, openOutside } = options;
  const window = new BrowserWindow({
    ...options.place,
    show: options.isShown,
    minWidth: 480,
    minHeight: 400,
    title: "Hearth",
    // The spell checker would download its dictionaries.
    webPreferences: {
      preload,
      session,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      spellcheck: false,
    },
  });
  const { webContents } = window;
  const mayShow = (url: string, isMainFrame: boolean) =>
    isMainFrame ? isConsolePage(url, origin()) : isFramedPage(url, appOrigin());

  webContents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: "deny" };
  });
  webContents.on("will-frame-navigate", (event) => {
    if (mayShow(event.url, event.isMainFrame)) return;
    event.preventDefault();
    if (event.isMainFrame) openOutside(event.url);
  });
  // A server's redirect is not a user's click: its target is not opened anywhere.
  webContents.on("will-redirect", (event) => {
    if (!mayShow(event.url, event.isMainFrame)) event.preventDefault();
  });
  webContents.on("will-attach-webview", (event) => event.preventDefault());
  return window;
}

/** Brings a window to the front, even if it is minimized. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
