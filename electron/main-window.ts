/** The one window. Shows the console and nothing else: no other origin, no new windows, no permissions. */
import { BrowserWindow, shell } from "electron";

export interface MainWindowOptions {
  preload: string;
  /** Origin of the console; undefined until the application server is up. */
  consoleOrigin: () => string | undefined;
}

/** The only thing that pages may ask for: putting text on the clipboard, for the copy buttons. */
const grantedPermission = "clipboard-sanitized-write";

function openOutside(url: string): void {
  // Anything else could start a program.
  if (/^https?:\/\//i.test(url)) void shell.openExternal(url);
}

export function createMainWindow({ preload, consoleOrigin }: MainWindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 860,
    minWidth: 480,
    minHeight: 400,
    title: "Hearth",
    // The spell checker would fetch its dictionaries from the network.
    webPreferences: { preload, contextIsolation: true, sandbox: true, nodeIntegration: false, spellcheck: false },
  });
  const { webContents } = window;
  const isConsole = (url: string) => URL.canParse(url) && new URL(url).origin === consoleOrigin();

  webContents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: "deny" };
  });
  webContents.on("will-navigate", (event) => {
    if (isConsole(event.url) && new URL(event.url).pathname.startsWith("/console")) return;
    event.preventDefault();
    openOutside(event.url);
  });
  // Frames: the API docs, which the application server serves too.
  webContents.on("will-frame-navigate", (event) => {
    if (!event.isMainFrame && !isConsole(event.url)) event.preventDefault();
  });
  webContents.on("will-attach-webview", (event) => event.preventDefault());
  webContents.session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(permission === grantedPermission && isConsole(requestingUrl)),
  );
  webContents.session.setPermissionCheckHandler(
    (_contents, permission, origin) => permission === grantedPermission && isConsole(origin),
  );
  return window;
}

/** Brings a window to the front, also from the task bar. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
