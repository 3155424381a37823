import { open } from "node:fs/promises";

/** A new name in a folder outlives a power cut once the folder is on the disk, too. Windows has no such thing. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(folder, "r");
  await handle.sync();
}
