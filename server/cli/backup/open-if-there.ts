import { open, type FileHandle } from "node:fs/promises";

/** Opens a file for reading; undefined for a missing one. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
