/** The folder in which a backup is written, next to its place. Remains of killed processes are removed. */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { lockFile } from "../../process/file-lock.ts";

const partPattern = /\.part-\w{6}$/;
/** Locked while its process lives. It also identifies the folder. */
const lockIn = (folder: string) => join(folder, "hearth-backup.lock");

/** Removes the folders of ended processes, whatever their backups are called. */
async function removeLeft(parent: string): Promise<void> {
  const found = (await readdir(parent)).filter((name) => partPattern.test(name)).map((name) => join(parent, name));
  for (const folder of found.filter((one) => existsSync(lockIn(one)))) {
    const lock = lockFile(lockIn(folder));
    if (typeof lock === "string") continue;
    lock.release(); // Windows removes no file that is open.
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes the folder for the backup `to`; the disposal removes it. @throws the system's error */
export async function makePartFolder(to: string): Promise<{ readonly path: string } & AsyncDisposable> {
  await removeLeft(dirname(to));
  const path = await mkdtemp(`${to}.part-`);
  const lock = lockFile(lockIn(path));
  return {
    path,
    async [Symbol.asyncDispose]() {
      if (typeof lock !== "string") lock.release();
      await rm(path, { recursive: true, force: true });
    },
  };
}
