/** The real git, which no setting of this machine changes. */
import { execFileSync, spawnSync } from "node:child_process";

export const hasGit = spawnSync("git", ["--version"]).status === 0;

const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};
const author = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "protocol.file.allow=always"];

/** Git in a folder. @returns what it prints */
export const gitIn =
  (folder: string) =>
  (args: readonly string[], input: string | Buffer = ""): Buffer =>
    execFileSync("git", ["-C", folder, ...author, ...args], {
      env,
      input,
      stdio: ["pipe", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
    });
