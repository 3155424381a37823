import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { builtCommand, plainEnvironment } from "./launch.ts";

const run = promisify(execFile);

/** Runs a script with node to its end. */
export async function runScript(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
) {
  return run(process.execPath, [script, ...args], { cwd, env: { ...plainEnvironment(), ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

/** Runs a command of the built program to its end. */
export const runCommand = (args: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = process.cwd()) =>
  runScript(builtCommand, args, env, cwd);
