/**
 * The paths of the system's programs. A bare name would be searched in the working directory (Windows), or in relative
 * entries of the path, where a clone may contain a program of that name.
 */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, win32 } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder of Windows, which its variable names as an absolute path. */
function windowsFolder(env: Variables): string {
  const named = env["SystemRoot"] ?? "";
  return /^[a-z]:[\\/]/i.test(named) ? named : "C:\\Windows";
}

/** A program of Windows. @param name its path below System32 */
export const windowsProgram = (name: string, env: Variables = process.env): string =>
  win32.join(windowsFolder(env), "System32", name);

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const absoluteEntries = (path = ""): string[] => path.split(delimiter).filter((folder) => isAbsolute(folder));

/** A program of Linux, whose distributions place it differently: the first one that an absolute entry of the path has. */
export const programInPath = (name: string, env: Variables = process.env): string | undefined =>
  absoluteEntries(env["PATH"])
    .map((folder) => join(folder, name))
    .find(isProgram);

/** Prevents packages from starting programs in the working directory by bare names. */
export function leaveOutWorkingDirectory(env: NodeJS.ProcessEnv = process.env): void {
  env["PATH"] = absoluteEntries(env["PATH"]).join(delimiter);
  // The command processor of Windows would search there first.
  env["NoDefaultCurrentDirectoryInExePath"] = "1";
}
