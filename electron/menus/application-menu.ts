/** The menu bar, as a template. The roles provide each system's shortcuts; the texts are in the console's language. */
import type { MenuItemConstructorOptions } from "electron";
import type { ShellText } from "../texts/shell-text.ts";

export interface MenuActions {
  readonly openDataFolder: () => void;
  readonly openInBrowser: () => void;
  readonly showPage: (page: "/settings" | "/api-docs") => void;
  readonly copy: (text: string) => void;
  /** Undefined in a checkout, where only the command that started this program could. */
  readonly restart?: (() => void) | undefined;
  readonly openLogs: () => void;
  readonly copyDiagnostics: () => void;
  /** The entry that changes the command on the path; undefined where there is nothing to change. */
  readonly pathCommand?: () => MenuItemConstructorOptions | undefined;
  /** Undefined where no data of an older Hearth were backed up. */
  readonly restoreData?: { readonly version: string; readonly offer: () => Promise<void> } | undefined;
  /** Undefined where the program cannot update itself. */
  readonly checkForUpdates?: (() => void) | undefined;
}

const serviceNames = ["app", "provider", "stand_in", "model"] as const;

/** The addresses of the services that run. A click copies one. */
export function addressItems(
  urls: Readonly<Record<string, string>>,
  text: ShellText,
  copy: (text: string) => void,
): MenuItemConstructorOptions[] {
  return Object.entries(urls).map(([name, url]) => {
    const known = serviceNames.find((one) => one === name);
    return { label: `${known ? text(`service.${known}`) : name}: ${url}`, click: () => copy(url) };
  });
}

const separator: MenuItemConstructorOptions = { type: "separator" };

/** Entries that macOS expects of every program; other systems have none of them. */
const onMac = (...items: MenuItemConstructorOptions[]) => (process.platform === "darwin" ? items : []);

function programMenu(
  text: ShellText,
  urls: Readonly<Record<string, string>>,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const { checkForUpdates, restart } = actions;
  const pathCommand = actions.pathCommand?.();
  const addresses = addressItems(urls, text, actions.copy);
  return [
    { role: "about", label: text("menu.about") },
    ...(checkForUpdates ? [{ label: text("menu.check_for_updates"), click: () => checkForUpdates() }] : []),
    separator,
    { label: text("menu.settings"), accelerator: "CommandOrControl+,", click: () => actions.showPage("/settings") },
    separator,
    { label: text("menu.open_in_browser"), accelerator: "CommandOrControl+Shift+O", click: actions.openInBrowser },
    { label: text("menu.open_data_folder"), click: actions.openDataFolder },
    { label: text("menu.copy_address"), submenu: addresses, enabled: addresses.length > 0 },
    ...(pathCommand ? [pathCommand] : []),
    separator,
    ...onMac(
      { role: "services", label: text("menu.services") },
      separator,
      { role: "hide", label: text("menu.hide") },
      { role: "hideOthers", label: text("menu.hide_others") },
      { role: "unhide", label: text("menu.show_all") },
      separator,
    ),
    ...(restart ? [{ label: text("menu.restart_all"), click: () => restart() }] : []),
    { role: "quit", label: text("menu.quit") },
  ];
}

const editMenu = (text: ShellText): MenuItemConstructorOptions[] => [
  { role: "undo", label: text("menu.undo") },
  { role: "redo", label: text("menu.redo") },
  separator,
  { role: "cut", label: text("menu.cut") },
  { role: "copy", label: text("menu.copy") },
  { role: "paste", label: text("menu.paste") },
  { role: "selectAll", label: text("menu.select_all") },
];

const viewMenu = (text: ShellText): MenuItemConstructorOptions[] => [
  { role: "reload", label: text("menu.reload") },
  { role: "toggleDevTools", label: text("menu.developer_tools") },
  separator,
  { role: "resetZoom", label: text("menu.actual_size") },
  { role: "zoomIn", label: text("menu.zoom_in") },
  { role: "zoomOut", label: text("menu.zoom_out") },
  separator,
  { role: "togglefullscreen", label: text("menu.full_screen") },
];

const windowMenu = (text: ShellText): MenuItemConstructorOptions[] => [
  { role: "minimize", label: text("menu.minimize") },
  { role: "close", label: text("menu.close") },
  ...onMac(separator, { role: "front", label: text("menu.all_to_front") }),
];

function helpMenu(text: ShellText, actions: MenuActions): MenuItemConstructorOptions[] {
  const { restoreData: restore } = actions;
  const label = restore && text("menu.restore_data", { version: restore.version });
  return [
    { label: text("menu.api_docs"), click: () => actions.showPage("/api-docs") },
    { label: text("menu.open_logs"), click: actions.openLogs },
    { label: text("menu.copy_diagnostics"), click: actions.copyDiagnostics },
    ...(restore && label ? [separator, { label, click: () => void restore.offer() }] : []),
  ];
}

export const applicationMenu = (
  text: ShellText,
  urls: Readonly<Record<string, string>>,
  actions: MenuActions,
): MenuItemConstructorOptions[] => [
  { label: "Hearth", submenu: programMenu(text, urls, actions) },
  { label: text("menu.edit"), submenu: editMenu(text) },
  { label: text("menu.view"), submenu: viewMenu(text) },
  { label: text("menu.window"), submenu: windowMenu(text) },
  { role: "help", label: text("menu.help"), submenu: helpMenu(text, actions) },
];
