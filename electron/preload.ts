/** The calls that the page may make to the window. The main process checks them again. */
import { contextBridge, ipcRenderer, webUtils } from "electron";

let showPage: ((page: string) => void) | undefined;
ipcRenderer.on("show-page", (_event, page: string) => showPage?.(page));

contextBridge.exposeInMainWorld("hearthWindow", {
  electron: process.versions.electron,
  openDataFolder: () => ipcRenderer.invoke("open-data-folder"),
  chooseFolder: () => ipcRenderer.invoke("choose-folder") as Promise<string | undefined>,
  loginCode: () => ipcRenderer.invoke("login-code") as Promise<string>,
  openInBrowser: () => ipcRenderer.invoke("open-in-browser"),
  desktop: () => ipcRenderer.invoke("desktop"),
  changeDesktop: (change: unknown) => ipcRenderer.invoke("change-desktop", change),
  offerWayBack: () => ipcRenderer.invoke("offer-way-back"),
  pathOf: (file: File) => webUtils.getPathForFile(file),
  takeFiles: () => ipcRenderer.invoke("take-files"),
  onShowPage(listen: (page: string) => void) {
    showPage = listen;
  },
  updateState: () => ipcRenderer.invoke("update-state"),
  actOnUpdate: (action: string) => ipcRenderer.invoke("act-on-update", action),
  onUpdate: (listen: (state: unknown) => void) => void ipcRenderer.on("update", (_event, state) => listen(state)),
});
