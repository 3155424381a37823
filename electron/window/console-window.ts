/** The window with the console: it keeps its place, recovers a page that ends, and shows pages on request. */
import { clipboard, dialog, Menu, screen } from "electron";
import type { ConsolePage } from "../../server/contract/console/console-pages.ts";
import { bundledFile } from "../bundled-file.ts";
import type { DesktopStateFile } from "../desktop/desktop-state.ts";
import { contextMenu } from "../menus/context-menu.ts";
import { printError } from "../../server/process/terminal/print-text.ts";
import type { ShellText } from "../texts/shell-text.ts";
import type { ConsoleLinks } from "./console-links.ts";
import { dropFile } from "./drop-file.ts";
import { bringToFront, createMainWindow } from "./main-window.ts";
import { PageInbox } from "./page-inbox.ts";
import { recoverPage } from "./recover-page.ts";
import { crashedPage, startingPage } from "./start-page.ts";
import { keepPlace, placeOnScreens } from "./window-place.ts";
import { openWindowSession } from "./window-session.ts";

/** Chromium's code of a load that another one has replaced. */
const aborted = -3;

interface Options {
  readonly links: ConsoleLinks;
  readonly state: DesktopStateFile;
  readonly text: ShellText;
  readonly isShown: boolean;
}

export function openConsoleWindow({ links, state, text, isShown }: Options) {
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
  const { place } = state.get();
  const window = createMainWindow({
    preload: bundledFile("preload.cjs"),
    session: openWindowSession(links),
    place: placeOnScreens(place, areas),
    isShown,
    ...links,
  });
  if (place?.maximized === true) {
    if (isShown) window.maximize();
    else window.once("show", () => window.maximize());
  }
  const notePlace = keepPlace(window, (kept) => state.change({ place: kept }));
  const { webContents } = window;
  const inbox = new PageInbox(({ page, file }) => {
    // The page is not loaded: that would discard what the user has typed.
    if (page !== undefined) webContents.send("show-page", page);
    if (file === undefined) return;
    dropFile(webContents, file).catch((error: unknown) => printError(`${file} cannot be shown: ${String(error)}`));
  });
  let isLost = false;
  webContents.on("did-fail-load", (_event, code, _text, _url, isMainFrame) => {
    if (!isMainFrame || code === aborted) return;
    isLost = true;
    inbox.stopListening();
  });
  webContents.on("did-navigate", () => {
    isLost = false;
    inbox.stopListening();
  });
  webContents.on("context-menu", (_event, clicked) => {
    const menu = contextMenu(text, clicked, (copied) => void clipboard.writeText(copied));
    if (menu.length > 0) Menu.buildFromTemplate(menu).popup({ window });
  });
  let console: string | undefined;
  const show = (url: string) => {
    // The window may be closed at any time, which aborts the load.
    if (!window.isDestroyed()) window.loadURL(url).catch(() => undefined);
  };
  let last = "";
  recoverPage(webContents, {
    text,
    ask: (question) => dialog.showMessageBox(window, question),
    explain(reason) {
      const at = webContents.getURL();
      last = links.isPage(at) ? at : (console ?? "");
      show(crashedPage(text, reason, last));
    },
    showAgain: () => show(last),
  });
  show(startingPage(text));
  return {
    window,
    show,
    /** Whether its last page could not be loaded, so that nothing would show it again. */
    isLost: () => isLost,
    /** Closes it without a question, and keeps its place. */
    end(): void {
      if (window.isDestroyed()) return;
      notePlace();
      window.destroy();
    },
    /** Shows the console at its address, or at the page that was requested before. */
    showConsole(address: string): void {
      console = address;
      // The request stays in the inbox, because the page may be replaced by another one before it listens.
      const requested = inbox.waiting?.page ?? "/";
      const page = new URL(requested.slice(1), address).href;
      void links.withCode(page).then(show);
    },
    /** Brings the window to the front, at a page if one is given. */
    open(this: void, page?: ConsolePage): void {
      if (window.isDestroyed()) return;
      bringToFront(window);
      if (page !== undefined) inbox.add({ page });
    },
    /** Drops a file on the page. @param file an absolute path */
    drop: (file: string) => inbox.add({ file }),
    /** The page that is shown accepts files, and requests to show another page, from now on. */
    listen: () => inbox.startListening(),
  };
}
