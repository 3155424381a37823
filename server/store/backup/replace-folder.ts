/** Replaces a folder by another one: after a crash, one of the two is there, complete. */
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { renameFile } from "../../file-system/rename-file.ts";
import { isMissing } from "../../file-system/is-missing.ts";

/** Prefix of the old folder's name while it is removed. */
const outgoing = ".old-";
/** Prefix of the new folder's name while it is written. */
const incoming = ".new-";

/** Writes a new folder `path`; the old one stays until `write` has ended. */
export async function replaceFolder<Value>(path: string, write: (to: string) => Promise<Value>): Promise<Value> {
  const place = (before: string) => join(dirname(path), `${before}${basename(path)}`);
  try {
    await rm(place(incoming), { recursive: true, force: true });
    const value = await write(place(incoming));
    await renameFile(path, place(outgoing)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await renameFile(place(incoming), path);
    await rm(place(outgoing), { recursive: true, force: true });
    return value;
  } finally {
    await rm(place(incoming), { recursive: true, force: true });
  }
}

/** Completes interrupted replacements in `parent`: an old folder without a successor gets its name back. */
export async function endCutOffReplacements(parent: string): Promise<void> {
  const names: string[] = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(outgoing))) {
    const own = name.slice(outgoing.length);
    if (!names.includes(own)) await renameFile(join(parent, name), join(parent, own));
  }
  for (const name of names.filter((one) => one.startsWith(outgoing) || one.startsWith(incoming)))
    await rm(join(parent, name), { recursive: true, force: true });
}
