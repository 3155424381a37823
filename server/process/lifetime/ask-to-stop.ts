import { spawnSync, type ChildProcess } from "node:child_process";
import { windowsProgram } from "../system-programs.ts";

/** Ends a process and all its descendants at once. */
const endTree = (pid: number) =>
  void spawnSync(windowsProgram("taskkill.exe"), ["/pid", String(pid), "/t", "/f"], {
    stdio: "ignore",
    windowsHide: true,
  });

/**
 * Asks a process to stop, like SIGTERM. Windows has no such signal: there, closing the channel asks a process of
 * Hearth, and any other process is ended with its descendants.
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
