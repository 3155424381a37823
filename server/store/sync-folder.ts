import { open } from "node:fs/promises";

/** Syncs a folder, so that a new name in it survives a power cut. Windows has no such operation. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(folder, "r");
  await handle.sync();
}
