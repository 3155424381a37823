import { spawn } from "node:child_process";
import { parse } from "node:path";
import { programInPath, windowsProgram } from "../process/system-programs.ts";

/** The command that opens an address; undefined where there is none. */
export function openerOf(
  platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): readonly [string, ...string[]] | undefined {
  if (platform === "win32") return [windowsProgram("rundll32.exe", env), "url.dll,FileProtocolHandler"];
  if (platform === "darwin") return ["/usr/bin/open"];
  const opener = programInPath("xdg-open", env);
  return opener === undefined ? undefined : [opener];
}

/** Opens an address in the default browser; false when the system cannot. */
export async function openBrowser(address: string): Promise<boolean> {
  const [command, ...args] = openerOf() ?? [];
  if (command === undefined) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // The opener and the browser search for programs and files in their working directory, which must not be a clone.
  const cwd = parse(process.execPath).root;
  const opener = spawn(command, [...args, address], { cwd, detached: true, stdio: "ignore" });
  opener.once("error", () => resolve(false));
  opener.once("spawn", () => resolve(true));
  opener.unref();
  return promise;
}
