/** The window's menu bar. The roles provide each system's own wording and shortcuts. */
import { Menu, type MenuItemConstructorOptions } from "electron";

export interface MenuActions {
  openDataFolder: () => void;
  openInBrowser: () => void;
}

export function setApplicationMenu({ openDataFolder, openInBrowser }: MenuActions): void {
  const template: MenuItemConstructorOptions[] = [
    {
      label: "Hearth",
      submenu: [
        { role: "about" },
        { type: "separator" },
        { label: "Open in Browser", accelerator: "CommandOrControl+Shift+O", click: openInBrowser },
        { label: "Open Data Folder", click: openDataFolder },
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
