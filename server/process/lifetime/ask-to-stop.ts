import { spawnSync, type ChildProcess } from "node:child_process";
import { windowsProgram } from "../system-programs.ts";

/** Ends a process with all that it has started, at once. */
const endTree = (pid: number) =>
  void spawnSync(windowsProgram("taskkill.exe"), ["/pid", String(pid), "/t", "/f"], {
    stdio: "ignore",
    windowsHide: true,
  });

/**
 * Asks a process to stop, as SIGTERM does. Windows has no such signal, and Node kills by it: there the end of the channel
 * says it to a process that has one, which all of Hearth's are; any other is ended with all that it has started.
 */
export function askToStop(
  child: Pick<ChildProcess, "pid" | "connected" | "disconnect" | "kill">,
  platform = process.platform,
  end = endTree,
): void {
  if (platform !== "win32") child.kill("SIGTERM");
  else if (child.connected) child.disconnect();
  else if (child.pid !== undefined) end(child.pid);
}
