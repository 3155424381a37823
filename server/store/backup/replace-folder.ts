/** A folder takes the place of another one of its name: after a crash one of the two is there, whole. */
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { renameFile } from "../../file-system/rename-file.ts";

/** Before the name of what is on its way out. */
const outgoing = ".old-";
/** Before the name of what is being written. */
const incoming = ".new-";

/** Writes the folder `path` anew, beside the one that is there until `write` has ended. */
export async function replaceFolder<Value>(path: string, write: (to: string) => Promise<Value>): Promise<Value> {
  const place = (before: string) => join(dirname(path), `${before}${basename(path)}`);
  try {
    await rm(place(incoming), { recursive: true, force: true });
    const value = await write(place(incoming));
    await renameFile(path, place(outgoing)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    });
    await renameFile(place(incoming), path);
    await rm(place(outgoing), { recursive: true, force: true });
    return value;
  } finally {
    await rm(place(incoming), { recursive: true, force: true });
  }
}

/** Ends what a crash has cut off among the folders in `parent`: what had no successor yet gets its name back. */
export async function endCutOffReplacements(parent: string): Promise<void> {
  const names: string[] = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(outgoing))) {
    const own = name.slice(outgoing.length);
    if (!names.includes(own)) await renameFile(join(parent, name), join(parent, own));
  }
  for (const name of names.filter((one) => one.startsWith(outgoing) || one.startsWith(incoming)))
    await rm(join(parent, name), { recursive: true, force: true });
}
