/** Reports to the `hearth` command, if it has started this process, that Electron runs here. */
export function reportElectronStarted(): void {
  if (process.connected) process.send?.("begun");
}
