import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * Whether the terminal's keys are this process's. A process in the background that reads them is stopped by the system, with
 * all that it serves.
 */
function isInForeground(): boolean {
  if (process.platform === "win32") return true;
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "stat=", "-p", String(process.pid)], { encoding: "utf8" }).includes("+");
    // "pid (command) state parent group session terminal group-in-front …"; the command may hold spaces and parentheses.
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , group, , , inFront] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === inFront;
  } catch {
    return false;
  }
}

/** Calls `act` at each Enter in the terminal, while this process is the one that it is for. */
export function onEnter(act: () => void): void {
  const { stdin } = process;
  const follow = () => (isInForeground() ? stdin.resume() : stdin.pause());
  stdin.on("data", act);
  // The terminal is gone; what serves others goes on.
  stdin.on("error", () => stdin.destroy());
  follow();
  // The shell has moved it to the front or to the back.
  if (process.platform !== "win32") process.on("SIGCONT", follow);
  // The run decides how long the process lives, not what might still be typed.
  stdin.unref();
}
