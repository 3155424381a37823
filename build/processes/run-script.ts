import { spawn } from "node:child_process";
import { endLeftProcesses, runMark } from "./left-processes.ts";
import { root } from "../root.ts";

/**
 * Runs a script of the checkout with this Node, and ends the processes that it leaves running. Such processes are a
 * failure, which is reported in one line.
 * @param within a command that runs the command after it, such as `unshare`
 * @returns the exit code
 */
export async function runScript(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  within: readonly string[] = [],
): Promise<number> {
  const [command, ...before] = [...within, process.execPath];
  const script = spawn(command, [...before, ...args], { cwd: root, stdio: "inherit", env: { ...env, ...runMark.env } });
  // Ctrl-C also reaches the script, which may be leaving processes at that moment.
  const stay = () => undefined;
  process.on("SIGINT", stay);
  const exitCode = await new Promise<number>((resolve) => script.once("exit", (code) => resolve(code ?? 1)));
  const left = await endLeftProcesses();
  process.off("SIGINT", stay);
  if (left.length > 0) console.error(`hearth: processes were left running: ${left.join("; ")}`);
  return left.length > 0 && exitCode === 0 ? 1 : exitCode;
}
