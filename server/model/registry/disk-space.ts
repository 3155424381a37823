import { mkdir, statfs } from "node:fs/promises";

/** Bytes that may still be written below the folder, which is made when it is missing. */
export async function freeBytesIn(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
