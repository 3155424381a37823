/**
 * Watches the folder that a path leads to, and another one once the path leads there, as when a symbolic link in it is
 * pointed elsewhere. The other folder then differs from the first one by changes, as if they had been made in it.
 */
import { realpathSync, statSync } from "node:fs";
import { unlessBelowFile } from "../file-system/is-missing.ts";
import { SettingsError } from "../process/settings/read-settings.ts";
import { watchFolder, type FolderChanges, type FolderChangesOptions } from "./folder-changes.ts";
import { createTreeReader } from "./tree-notes.ts";

/**
 * How often to look whether another folder is in the place of the watched one (our choice). Nothing tells that a folder
 * above it was replaced or a symbolic link was changed, and some systems do not tell it of the watched folder itself.
 */
const lookEveryMs = 2_000;

/** @throws SettingsError naming the folder when it is missing or is not a folder. */
export function resolveFolder(dir: string): string {
  const folder = unlessBelowFile(() => statSync(dir, { throwIfNoEntry: false }));
  if (!folder) throw new SettingsError(`${dir}: no such folder`);
  if (!folder.isDirectory()) throw new SettingsError(`${dir}: is not a folder; name the folder that holds it`);
  return realpathSync(dir);
}

function whereTo(dir: string): string | undefined {
  try {
    return resolveFolder(dir);
  } catch {
    return undefined;
  }
}

function treeOf(folder: FolderChanges) {
  const reader = createTreeReader();
  reader.read([...folder.picture()]);
  return reader.root();
}

/**
 * Starts watching. Resolves once every later change will be seen.
 * @throws Error naming the folder when it exceeds what the system can watch.
 */
export async function followFolder(options: Omit<FolderChangesOptions, "root">): Promise<Omit<FolderChanges, "look">> {
  const { dir, onError } = options;
  /** Undefined while nothing is watched. */
  let root: string | undefined = resolveFolder(dir);
  let folder = await watchFolder({ ...options, root });
  let moving: Promise<void> | undefined;

  async function moveTo(next: string): Promise<void> {
    if (root !== undefined) await folder.stop();
    root = undefined;
    const tree = treeOf(folder);
    const lastPicture = tree && { root: tree, exclusion: undefined, isElsewhere: true as const };
    folder = await watchFolder({ ...options, root: next, lastPicture });
    root = next;
  }
  const looking = setInterval(() => {
    if (moving) return;
    const next = whereTo(dir);
    if (next !== undefined && next !== root)
      moving = moveTo(next)
        .catch(onError)
        .finally(() => (moving = undefined));
    else if (root !== undefined) folder.look();
  }, lookEveryMs).unref();

  return {
    picture: () => folder.picture(),
    files: () => folder.files(),
    async stop() {
      clearInterval(looking);
      await moving;
      if (root !== undefined) await folder.stop();
    },
  };
}
