/** The icon in the system's tray. */
import { Menu, Tray, type MenuItemConstructorOptions } from "electron";
import { bundledFile } from "../bundled-file.ts";

/** `open`: for a click on the icon, where the system does not show the menu then. */
export function createTray(open: () => void) {
  const tray = new Tray(bundledFile("tray.png"));
  tray.setToolTip("Hearth");
  if (process.platform !== "darwin") tray.on("click", open);
  return {
    show: (menu: MenuItemConstructorOptions[]) => tray.setContextMenu(Menu.buildFromTemplate(menu)),
    destroy: () => tray.destroy(),
  };
}
