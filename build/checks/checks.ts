/** The checks that need no running program: types, lint, format, import rules, unused exports, patterns, names, docs, the lockfiles. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { lockfileProblems } from "./check-lockfile.ts";
import { root } from "../root.ts";

export interface CheckResult {
  name: string;
  passed: boolean;
  /** The tool's output. */
  output: string;
  seconds: number;
}

/** `priority` of its process: 0 to 19, the lowest. */
type Check = (priority: number) => Promise<{ passed: boolean; output: string }>;

/** A script run by this Node; its path is relative to the checkout. */
const tool = (script: string, ...args: string[]): Check => {
  return async (priority) => {
    const child = spawn(process.execPath, [join(root, script), ...args], {
      cwd: root,
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    if (child.pid !== undefined) setPriority(child.pid, priority);
    const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { passed: (await exited) === 0, output: out + err };
  };
};

/** The project's own lockfile and those of the packages installed on demand. */
const lockedFolders = ["", "test/clients", "test/bench", "build/packager", "build/container"]
  .map((folder) => join(root, folder))
  .filter((folder) => existsSync(join(folder, "package-lock.json")));

const checkLockfiles: Check = async () => {
  const problems = lockedFolders.flatMap((folder) =>
    lockfileProblems(folder).map((problem) => `${folder}: ${problem}`),
  );
  return { passed: problems.length === 0, output: problems.join("\n") };
};

const checks: Record<string, Check> = {
  "types and lint": tool("node_modules/oxlint/bin/oxlint"),
  // A file that was right is read again only when it, Prettier, Node or an option has changed.
  format: tool(
    "node_modules/prettier/bin/prettier.cjs",
    ...["--check", "--log-level", "warn", "--cache", "--cache-strategy", "content"],
    ...["--cache-location", ".cache/prettier", "."],
  ),
  "import rules": tool(
    "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs",
    ...["--config", ".dependency-cruiser.cjs", "--output-type", "err", "server", "electron", "renderer", "build"],
  ),
  "unused exports": tool("node_modules/knip/bin/knip.js"),
  patterns: tool("build/checks/check-patterns.ts"),
  names: tool("build/checks/check-names.ts"),
  docs: tool("build/checks/check-docs.ts"),
  lockfiles: checkLockfiles,
};

/** Two at a time at full speed, or one at a time with the processors' idle time. */
const paces = { quick: { atOnce: 2, priority: 0 }, behind: { atOnce: 1, priority: constants.priority.PRIORITY_LOW } };

/** Runs all checks, and reports each when it is done. */
export async function runChecks(
  pace: keyof typeof paces,
  report: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  const { atOnce, priority } = paces[pace];
  const results: CheckResult[] = [];
  const waiting = Object.entries(checks);
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, check] = next;
      const startedAt = performance.now();
      const { passed, output } = await check(priority).catch((error: unknown) => ({
        passed: false,
        output: String(error),
      }));
      const result = { name, passed, output, seconds: (performance.now() - startedAt) / 1000 };
      results.push(result);
      report(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** One line for a check that passed; the tool's output for one that failed. */
export function printCheck({ name, passed, output, seconds }: CheckResult): void {
  console.log(`${passed ? "  passed" : "  FAILED"}  ${name} (${seconds.toFixed(1)} s)`);
  if (!passed) console.log(output);
}
