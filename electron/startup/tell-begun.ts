/** Tells the `hearth` command, where that has started this process, that Electron runs here: it has no need to do without. */
export function tellBegun(): void {
  if (process.connected) process.send?.("begun");
}
