/** The folder that a path leads to. A symbolic link in the path may be pointed elsewhere. */
import { realpathSync, statSync } from "node:fs";
import { prefixBelow } from "../../file-system/compare-paths.ts";
import { unlessBelowFile } from "../../file-system/is-missing.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";

/** @throws SettingsError naming the folder when it is missing or is not a folder. */
export function resolveFolder(dir: string): string {
  const folder = unlessBelowFile(() => statSync(dir, { throwIfNoEntry: false }));
  if (!folder) throw new SettingsError(`${dir}: no such folder`);
  if (!folder.isDirectory()) throw new SettingsError(`${dir}: is not a folder; name the folder that contains it`);
  return realpathSync(dir);
}

/** The folder that a path leads to now, if any. */
export function whereTo(dir: string): string | undefined {
  try {
    return resolveFolder(dir);
  } catch {
    return undefined;
  }
}

/** Whether a path leads to another folder than `root` now. One that leads nowhere does not: its folder is gone. */
export function leadsElsewhere(dir: string, root: string): boolean {
  const now = whereTo(dir);
  return now !== undefined && now !== root;
}

/** Puts paths below `root` under the name that the user gave, whatever symbolic links it contains. */
export function viewFrom(dir: string, root: string): (path: string) => string {
  const [named, real] = [prefixBelow(dir), prefixBelow(root)];
  return (path) => (path === root ? dir : named + path.slice(real.length));
}
