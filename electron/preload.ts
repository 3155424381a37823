/** What the page may request from the window besides HTTP: a few named calls, checked again by the main process. */
import { contextBridge, ipcRenderer } from "electron";

contextBridge.exposeInMainWorld("hearthWindow", {
  electron: process.versions.electron,
  openDataFolder: () => ipcRenderer.invoke("open-data-folder"),
  chooseFolder: () => ipcRenderer.invoke("choose-folder") as Promise<string | undefined>,
  loginCode: () => ipcRenderer.invoke("login-code") as Promise<string>,
  openInBrowser: () => ipcRenderer.invoke("open-in-browser"),
});
