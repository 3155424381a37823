import { mkdir, statfs } from "node:fs/promises";

/** Bytes that may still be written below the folder, which is made when it is missing. */
export async function freeBytesIn(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Bytes as people read them, in decimal units as lists of models have them. */
export function byteText(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, "GB"] : bytes >= 1e6 ? [1e6, "MB"] : [1e3, "KB"];
  return `${(bytes / Number(unit)).toFixed(1)} ${String(name)}`;
}
