/** Starts: what `npm start` costs until every service answers. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { npmEnvironment } from "../../../build/install/install-packages.mjs";
import type { ReadyFileContent } from "../../../server/supervisor/ready-file.ts";
import type { Bench } from "../open-bench.ts";
import { cpuMsOf } from "../../support/process/processes.ts";
import type { Turn } from "../turn.ts";
import type { Work } from "./compare.ts";
import type { Sides } from "./sides.ts";

async function startOnce(checkout: string, folder: string): Promise<Turn> {
  const readyFile = join(folder, "ready.json");
  const flags = ["--headless", "--data-dir", join(folder, "data"), "--ready-file", readyFile];
  const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
  const beganMs = performance.now();
  const npm = spawn("npm", ["start", "--", ...flags, ...ports], {
    cwd: checkout,
    stdio: ["ignore", "ignore", "inherit"],
    env: npmEnvironment(),
  });
  const exited = once(npm, "exit");
  while (!existsSync(readyFile)) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${String(npm.exitCode)}`);
    await wait(5);
  }
  const { app } = JSON.parse(readFileSync(readyFile, "utf8")) as ReadyFileContent;
  if (!(await fetch(`${app}/healthz`)).ok) throw new Error(`${app} does not answer`);
  const pid = npm.pid ?? 0;
  const done = {
    requests: 1,
    seconds: (performance.now() - beganMs) / 1000,
    cpuMs: cpuMsOf(pid),
  };
  npm.kill("SIGTERM");
  await exited;
  while (existsSync(readyFile)) await wait(20);
  rmSync(join(folder, "data"), { recursive: true, force: true, maxRetries: 5 });
  return done;
}

export const startWorks = async ({ folder }: Bench, { ours, theirs }: Sides): Promise<Work[]> => [
  {
    name: "start until every service answers",
    ours: () => startOnce(ours, folder),
    theirs: () => startOnce(theirs, folder),
    warmsUp: false,
  },
];
