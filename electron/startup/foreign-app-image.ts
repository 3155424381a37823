/** AppImages pass their variables to the programs that they start: to an editor's terminal, and from there to Hearth. */
import { realpathSync } from "node:fs";
import { sep } from "node:path";

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Removes the variables of another program's AppImage: a restart or an update would start that one. */
export function dropForeignAppImage(env: NodeJS.ProcessEnv, program: string): void {
  const { APPDIR: folder } = env;
  if (folder !== undefined && program.startsWith(realPathOf(folder) + sep)) return;
  for (const name of ["APPIMAGE", "APPDIR", "ARGV0", "OWD"]) delete env[name];
}
