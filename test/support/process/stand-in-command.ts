/** A command that runs under `hearth exec --stand-in` for as long as a test needs its environment. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { builtCommand, plainEnvironment } from "./launch.ts";

/** Tells its environment, and ends with its input. */
const keptOpen = "console.log(JSON.stringify(process.env)); process.stdin.resume();";

/** @param temporary its folder for temporary files @param flags of `hearth exec` @param env what its environment has besides */
export async function startStandIn(
  temporary: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const args = [builtCommand, "exec", "--stand-in", ...flags, "--", process.execPath, "-e", keptOpen];
  const child = spawn(process.execPath, args, {
    env: { ...plainEnvironment(), TMPDIR: temporary, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const closed = once(child, "close");
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), "line"),
    closed.then(() => {
      throw new Error(`hearth exec ended: ${errors}`);
    }),
  ])) as [string];
  return {
    /** What the command finds there. */
    env: JSON.parse(line) as Record<string, string>,
    errors: () => errors,
    async end(): Promise<void> {
      child.stdin.end();
      await closed;
    },
  };
}
export type StandInCommand = Awaited<ReturnType<typeof startStandIn>>;
