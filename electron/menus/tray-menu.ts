/** The menu of the icon in the system's tray, as a template: what runs, and what is done without the window. */
import type { MenuItemConstructorOptions } from "electron";
import type { WatchedFolder } from "../../server/contract/console/data/watched-folders.ts";
import type { ServiceName, ServiceStatus } from "../../server/contract/process/services.ts";
import { addressItems } from "./application-menu.ts";
import type { ShellTexts } from "./shell-texts.ts";

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

/** A service that hangs or failed can be restarted; an Ollama of the user's own is not ours. */
function serviceItem({ name, state }: ServiceStatus, texts: ShellTexts, actions: TrayActions) {
  return {
    label: `${texts[name]}: ${texts.states[state]}`,
    submenu: [{ label: texts.restart, enabled: state !== "external", click: () => actions.restart(name) }],
  };
}

export function trayMenu(
  texts: ShellTexts,
  { services, urls, folders }: TrayContent,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: "separator" };
  const addresses = addressItems(urls, texts, actions.copy);
  const watched = folders.map(({ id, path, state }) => ({
    label: `${path}: ${texts.states[state]}`,
    type: "checkbox" as const,
    checked: state !== "paused",
    click: () => actions.setPaused(id, state !== "paused"),
  }));
  return [
    { label: texts.open, click: actions.open },
    separator,
    ...services.map((service) => serviceItem(service, texts, actions)),
    { label: texts.watchedFolders, submenu: watched, enabled: watched.length > 0 },
    separator,
    { label: texts.copyAddress, submenu: addresses, enabled: addresses.length > 0 },
    separator,
    { label: texts.quit, click: actions.quit },
  ];
}
