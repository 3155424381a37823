import { open } from "node:fs/promises";

/** Syncs a folder, so that a new name in it survives a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}
