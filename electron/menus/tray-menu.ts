/** The menu of the icon in the system's tray, as a template: the services, and actions that need no window. */
import type { MenuItemConstructorOptions } from "electron";
import type { WatchedFolder } from "../../server/contract/console/data/watched-folders.ts";
import type { ServiceName, ServiceStatus } from "../../server/contract/process/services.ts";
import type { ShellText } from "../texts/shell-text.ts";
import { addressItems } from "./application-menu.ts";

interface TrayActions {
  readonly open: () => void;
  readonly copy: (text: string) => void;
  readonly restart: (service: ServiceName) => void;
  readonly setPaused: (folder: number, paused: boolean) => void;
  readonly quit: () => void;
}

export type TrayFolder = Pick<WatchedFolder, "id" | "path" | "state">;

interface TrayContent {
  readonly services: readonly ServiceStatus[];
  readonly urls: Readonly<Record<string, string>>;
  readonly folders: readonly TrayFolder[];
}

/** A service that hangs or failed can be restarted, but not an Ollama of the user's own. */
function serviceItem({ name, state }: ServiceStatus, text: ShellText, actions: TrayActions) {
  return {
    label: `${text(`service.${name}`)}: ${text(`state.${state}`)}`,
    submenu: [{ label: text("tray.restart"), enabled: state !== "external", click: () => actions.restart(name) }],
  };
}

export function trayMenu(
  text: ShellText,
  { services, urls, folders }: TrayContent,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: "separator" };
  const addresses = addressItems(urls, text, actions.copy);
  const watched = folders.map(({ id, path, state }) => ({
    label: `${path}: ${text(`state.${state}`)}`,
    type: "checkbox" as const,
    checked: state !== "paused",
    click: () => actions.setPaused(id, state !== "paused"),
  }));
  return [
    { label: text("tray.open"), click: actions.open },
    separator,
    ...services.map((service) => serviceItem(service, text, actions)),
    { label: text("tray.watched_folders"), submenu: watched, enabled: watched.length > 0 },
    separator,
    { label: text("menu.copy_address"), submenu: addresses, enabled: addresses.length > 0 },
    separator,
    { label: text("menu.quit"), click: actions.quit },
  ];
}
