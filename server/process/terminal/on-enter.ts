import { readFileSync } from "node:fs";

/**
 * Whether this process may read the terminal. The system stops a background process that reads it, with all its
 * services.
 */
function isInForeground(): boolean {
  try {
    // "pid (command) state parent group session terminal group-in-front …"; the command may hold spaces and ")".
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [, , group, , , inFront] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === inFront;
  } catch {
    return false;
  }
}

/** Calls `act` on each Enter in the terminal, while this process is in the foreground. */
export function onEnter(act: () => void): void {
  const { stdin } = process;
  const follow = () => (isInForeground() ? stdin.resume() : stdin.pause());
  stdin.on("data", act);
  // The terminal was closed; the services continue.
  stdin.on("error", () => stdin.destroy());
  follow();
  // The shell moved it to the foreground or background.
  process.on("SIGCONT", follow);
  // The run decides how long the process lives, not the pending input.
  stdin.unref();
}
