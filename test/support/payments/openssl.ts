/** The command openssl, which knows nothing of this project. */
import { spawnSync } from "node:child_process";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** What the command prints. @throws with what it complains of */
export function openssl(args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync("openssl", args, { input, encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}
