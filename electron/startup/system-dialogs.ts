import { dialog, type BrowserWindow, type MessageBoxOptions } from "electron";
import type { Dialogs } from "./ask-way-on.ts";

/** Asks by the system's dialogs, on top of the window where there is one. The last button is that of the Escape key. */
export const systemDialogs = (window?: BrowserWindow): Dialogs => ({
  async ask({ message, detail, buttons }) {
    const cancelId = buttons.length - 1;
    const options: MessageBoxOptions = {
      type: "error",
      message,
      detail,
      buttons: [...buttons],
      defaultId: 0,
      cancelId,
    };
    const asked = window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);
    return (await asked).response;
  },
  async chooseFolder() {
    const { filePaths } = await dialog.showOpenDialog({ properties: ["openDirectory", "createDirectory"] });
    return filePaths[0];
  },
});
