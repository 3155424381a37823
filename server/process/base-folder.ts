/** The folders that users of Linux may move for all programs (source: XDG Base Directory Specification). */
import { isAbsolute } from "node:path";

type Variable = "XDG_DATA_HOME" | "XDG_CONFIG_HOME";

/** A variable that is empty or relative counts as not set. */
export function baseFolder(variable: Variable, usual: string, env: NodeJS.ProcessEnv = process.env): string {
  const moved = env[variable] ?? "";
  return isAbsolute(moved) ? moved : usual;
}
