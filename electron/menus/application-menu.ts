/** The menu bar, as a template. The roles provide each system's shortcuts; the wording is ours, in the console's language. */
import type { MenuItemConstructorOptions } from "electron";
import type { ShellTexts } from "./shell-texts.ts";

export interface MenuActions {
  readonly openDataFolder: () => void;
  readonly openInBrowser: () => void;
  readonly showPage: (page: "/settings" | "/api-docs") => void;
  readonly copy: (text: string) => void;
  /** Absent in a checkout, where the command that started this program would have to. */
  readonly restart?: (() => void) | undefined;
  readonly openLogs: () => void;
  readonly copyDiagnostics: () => void;
  /** The entry that changes the command on the path; it answers none where there is nothing to change. */
  readonly pathCommand?: () => MenuItemConstructorOptions | undefined;
  /** Absent where no older Hearth's data were backed up. */
  readonly wayBack?: { readonly version: string; readonly offer: () => Promise<void> };
  /** Absent where the program cannot be updated by itself. */
  readonly checkForUpdates?: (() => void) | undefined;
}

/** The addresses of services that answer, each of which can be copied. */
export function addressItems(
  urls: Readonly<Record<string, string>>,
  texts: ShellTexts,
  copy: (text: string) => void,
): MenuItemConstructorOptions[] {
  const { app, provider, standIn, model } = texts;
  const names: Readonly<Record<string, string>> = { app, provider, stand_in: standIn, model };
  return Object.entries(urls).map(([name, url]) => ({
    label: `${names[name] ?? name}: ${url}`,
    click: () => copy(url),
  }));
}

export function applicationMenu(
  texts: ShellTexts,
  urls: Readonly<Record<string, string>>,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const { checkForUpdates, restart, wayBack } = actions;
  const separator: MenuItemConstructorOptions = { type: "separator" };
  const pathCommand = actions.pathCommand?.();
  const addresses = addressItems(urls, texts, actions.copy);
  // macOS expects these of every program; other systems know none of them.
  const ofMac = (...items: MenuItemConstructorOptions[]) => (process.platform === "darwin" ? items : []);
  return [
    {
      label: "Hearth",
      submenu: [
        { role: "about", label: texts.about },
        ...(checkForUpdates ? [{ label: texts.checkForUpdates, click: () => checkForUpdates() }] : []),
        separator,
        { label: texts.settings, accelerator: "CommandOrControl+,", click: () => actions.showPage("/settings") },
        separator,
        { label: texts.openInBrowser, accelerator: "CommandOrControl+Shift+O", click: actions.openInBrowser },
        { label: texts.openDataFolder, click: actions.openDataFolder },
        { label: texts.copyAddress, submenu: addresses, enabled: addresses.length > 0 },
        ...(pathCommand ? [pathCommand] : []),
        separator,
        ...ofMac(
          { role: "services", label: texts.services },
          separator,
          { role: "hide", label: texts.hide },
          { role: "hideOthers", label: texts.hideOthers },
          { role: "unhide", label: texts.showAll },
          separator,
        ),
        ...(restart ? [{ label: texts.restartAll, click: () => restart() }] : []),
        { role: "quit", label: texts.quit },
      ],
    },
    {
      label: texts.edit,
      submenu: [
        { role: "undo", label: texts.undo },
        { role: "redo", label: texts.redo },
        separator,
        { role: "cut", label: texts.cut },
        { role: "copy", label: texts.copy },
        { role: "paste", label: texts.paste },
        { role: "selectAll", label: texts.selectAll },
      ],
    },
    {
      label: texts.view,
      submenu: [
        { role: "reload", label: texts.reload },
        { role: "toggleDevTools", label: texts.developerTools },
        separator,
        { role: "resetZoom", label: texts.actualSize },
        { role: "zoomIn", label: texts.zoomIn },
        { role: "zoomOut", label: texts.zoomOut },
        separator,
        { role: "togglefullscreen", label: texts.fullScreen },
      ],
    },
    {
      label: texts.window,
      submenu: [
        { role: "minimize", label: texts.minimize },
        { role: "close", label: texts.close },
        ...ofMac(separator, { role: "front", label: texts.allToFront }),
      ],
    },
    {
      role: "help",
      label: texts.help,
      submenu: [
        { label: texts.apiDocs, click: () => actions.showPage("/api-docs") },
        { label: texts.openLogs, click: actions.openLogs },
        { label: texts.copyDiagnostics, click: actions.copyDiagnostics },
        ...(wayBack ? [separator, { label: texts.wayBack(wayBack.version), click: () => void wayBack.offer() }] : []),
      ],
    },
  ];
}
