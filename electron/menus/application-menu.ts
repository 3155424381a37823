/** The window's menu bar. The roles provide each system's own wording and shortcuts. */
import { Menu, type MenuItemConstructorOptions } from "electron";

export interface MenuActions {
  openDataFolder: () => void;
  openInBrowser: () => void;
  /** The entry that changes the command on the path; absent where there is nothing to change. */
  pathCommand: MenuItemConstructorOptions | undefined;
}

export function setApplicationMenu({ openDataFolder, openInBrowser, pathCommand }: MenuActions): void {
  const template: MenuItemConstructorOptions[] = [
    {
      label: "Hearth",
      submenu: [
        { role: "about" },
        { type: "separator" },
        { label: "Open in Browser", accelerator: "CommandOrControl+Shift+O", click: openInBrowser },
        { label: "Open Data Folder", click: openDataFolder },
        ...(pathCommand ? [pathCommand] : []),
        { type: "separator" },
        { role: "quit" },
      ],
    },
    { role: "editMenu" },
    {
      role: "viewMenu",
      submenu: [
        { role: "reload" },
        { role: "toggleDevTools" },
        { type: "separator" },
        { role: "resetZoom" },
        { role: "zoomIn" },
        { role: "zoomOut" },
        { type: "separator" },
        { role: "togglefullscreen" },
      ],
    },
    { role: "windowMenu" },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
