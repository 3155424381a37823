import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { builtCommand, plainEnvironment } from "./launch.ts";

const run = promisify(execFile);

/** Runs a command of the built program to its end. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
) {
  return run(process.execPath, [builtCommand, ...args], { cwd, env: { ...plainEnvironment(), ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}
