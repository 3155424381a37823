/**
 * Detects the end of the npm that launched this process. npm forwards signals, but not SIGKILL, and a process that it
 * started through a shell would continue unnoticed.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

interface Ancestor {
  parent: number;
  command: string;
}

function lookUp(pid: number): Ancestor | undefined {
  try {
    if (process.platform === "linux") {
      // "pid (command) state parent …"; the command may contain spaces and parentheses.
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const end = stat.lastIndexOf(")");
      return { command: stat.slice(stat.indexOf("(") + 1, end), parent: Number(stat.slice(end + 2).split(" ")[1]) };
    }
    const [parent = "", command = ""] = execFileSync("/bin/ps", ["-o", "ppid=,comm=", "-p", String(pid)], {
      encoding: "utf8",
    })
      .trim()
      .split(/\s+(.*)/s);
    return { command: command.split("/").at(-1) ?? "", parent: Number(parent) };
  } catch {
    return undefined;
  }
}

const isShell = (command: string) => /^-?(sh|dash|bash|zsh|ash|busybox)$/.test(command);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Calls `onEnd` once if npm started this process and has ended.
 */
export function watchLauncher(env: NodeJS.ProcessEnv, onEnd: () => void, everyMs = 500): void {
  if (env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const found = lookUp(parent);
  // npm starts a script through a shell; on some systems the script's process replaces the shell.
  const launcher = found !== undefined && isShell(found.command) ? found.parent : parent;
  const isThere = () => {
    if (process.ppid !== parent) return false;
    // On Linux, reading the shell's parent is cheap and also detects an npm that is dead but not reaped.
    return (
      launcher === parent || (process.platform === "linux" ? lookUp(parent)?.parent === launcher : isAlive(launcher))
    );
  };
  const timer = setInterval(() => {
    if (isThere()) return;
    clearInterval(timer);
    onEnd();
  }, everyMs);
  timer.unref();
}
