/** Keeps the menu bar and the tray's menu up to date with the services, the watched folders, and the language. */
import type { WatchedFolder } from "../../server/contract/console/data/watched-folders.ts";
import type { ServiceName } from "../../server/contract/process/services.ts";
import type { Run } from "../../server/supervisor/run.ts";
import { applicationMenu, type MenuActions } from "../menus/application-menu.ts";
import type { ShellText } from "../texts/shell-text.ts";
import { trayMenu, type TrayFolder } from "../menus/tray-menu.ts";
import type { ConsoleClient } from "./console-client.ts";
import type { MenuItemConstructorOptions } from "electron";

interface Ports {
  readonly text: ShellText;
  readonly run: () => Run;
  /** Called once for each failure of a watched folder. */
  readonly onFailure: (folder: WatchedFolder) => void;
  /** Undefined until the first start has succeeded. */
  readonly client: () => ConsoleClient | undefined;
  readonly actions: MenuActions;
  readonly open: () => void;
  readonly quit: () => void;
  readonly showMenu: (menu: MenuItemConstructorOptions[]) => void;
  /** Does nothing where there is no tray. */
  readonly showTrayMenu: (menu: MenuItemConstructorOptions[]) => void;
}

export function createStatusMenus(ports: Ports) {
  const { text, run, onFailure, client, actions, open, quit, showMenu, showTrayMenu } = ports;
  let folders: readonly TrayFolder[] = [];
  const failing = new Set<number>();
  let displayed = "";

  function update(): void {
    const services = run().statuses();
    const urls = run().urls();
    // Building menus anew closes those that are open.
    const state = JSON.stringify([text("lang"), urls, services.map(({ state }) => state), folders]);
    if (state === displayed) return;
    displayed = state;
    showMenu(applicationMenu(text, urls, actions));
    const { copy } = actions;
    const restart = (name: ServiceName) => run().restart(name);
    showTrayMenu(trayMenu(text, { services, urls, folders }, { open, copy, restart, setPaused, quit }));
  }

  function follow(folder: WatchedFolder): void {
    const { id, state } = folder;
    if (state === "failed" && !failing.has(id)) onFailure(folder);
    if (state === "failed") failing.add(id);
    // A restart of the application server begins with "starting".
    else if (state !== "starting") failing.delete(id);
  }

  async function refetch(): Promise<void> {
    const found = await client()
      ?.folders()
      .catch(() => undefined);
    found?.forEach(follow);
    if (found) folders = found.map(({ id, path, state }) => ({ id, path, state }));
    update();
  }

  function setPaused(folder: number, paused: boolean): void {
    void client()
      ?.setPaused(folder, paused)
      .catch(() => undefined)
      .then(() => {
        // The system has changed the entry's mark, even if the request failed.
        displayed = "";
        return refetch();
      });
  }

  return {
    update,
    refetch,
    /** Shows the menus even if nothing has changed: for a new tray icon. */
    redraw(): void {
      displayed = "";
      update();
    },
  };
}
