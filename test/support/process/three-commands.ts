/** The way of a stranger from an empty folder to a green payment test, without a network. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { npmEnvironment } from "../../../build/install/install-packages.mjs";
import { addPackages, installedMb } from "./npm-package.ts";
import { offline } from "./offline.ts";

const run = promisify(execFile);

/** @param tarball the package as npm packs it @returns what the commands printed, and their figures */
export async function threeCommands(tarball: string, folder: string) {
  const project = join(folder, "shop");
  mkdirSync(project);
  const env = { ...npmEnvironment(), XDG_DATA_HOME: folder, NO_COLOR: "1" };
  const startedAt = performance.now();
  async function type(...command: readonly string[]): Promise<string> {
    const [program = "", ...args] = [...offline, ...command];
    const { stdout, stderr } = await run(program, args, { cwd: project, env });
    return stdout + stderr;
  }
  const printed = [await type("npm", "i", "-D", tarball, "--omit=optional", "--offline", "--no-audit", "--no-fund")];
  const takenMb = installedMb(join(project, "node_modules"));
  // A stranger's npm has Vitest in its cache, or fetches it.
  addPackages(project, "vitest");
  printed.push(await type("npx", "--no-install", "hearth", "init"));
  printed.push(await type("npx", "--no-install", "vitest", "run"));
  return { printed, takenMb, seconds: (performance.now() - startedAt) / 1000 };
}
