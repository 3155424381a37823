import { mkdir, statfs } from "node:fs/promises";

/** Free bytes for a folder, which is created if it is missing. */
export async function freeBytesIn(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
