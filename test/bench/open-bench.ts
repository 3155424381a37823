/** What a benchmark has for its time: a folder for its files, and the programs that it starts. */
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../support/temporary-folder.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Bench extends AsyncDisposable {
  readonly folder: string;
  /** Starts a program in the checkout; only what it prints as an error is shown. */
  readonly start: (command: string, ...args: string[]) => ChildProcess;
  /** Starts a program that prints one line, and answers that. */
  readonly startTelling: (command: string, ...args: string[]) => Promise<string>;
}

/** Ends every program of it, and removes the folder, by `await using`. */
export function openBench(): Bench {
  const folder = temporaryFolder();
  const children: ChildProcess[] = [];
  function start(command: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
    const child = spawn(command, args, { cwd: root, stdio });
    children.push(child);
    return child;
  }

  return {
    folder: folder.path,
    start: (command, ...args) => start(command, args, ["ignore", "ignore", "inherit"]),
    async startTelling(command, ...args) {
      const { stdout } = start(command, args, ["ignore", "pipe", "inherit"]);
      if (!stdout) throw new Error(`${command} has no output`);
      const [line] = (await once(stdout, "data")) as [Buffer];
      return line.toString();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          child.kill("SIGTERM");
          await once(child, "exit");
        }),
      );
      folder[Symbol.dispose]();
    },
  };
}
