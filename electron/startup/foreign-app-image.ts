/** AppImages hand their variables down to whatever is started in them: an editor's terminal, and Hearth from there. */
import { realpathSync } from "node:fs";
import { sep } from "node:path";

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Removes the variables of an AppImage that this program is not in: a restart or an update would meet that one. */
export function dropForeignAppImage(env: NodeJS.ProcessEnv, program: string): void {
  const { APPDIR: folder } = env;
  if (folder !== undefined && program.startsWith(realPathOf(folder) + sep)) return;
  for (const name of ["APPIMAGE", "APPDIR", "ARGV0", "OWD"]) delete env[name];
}
