/**
 * The second start (installed and built) and the memory of an idle Hearth, beside a bare Node, run in turns. Prints the
 * median and the range of each; exits with 1 when a bar is missed.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { npmEnvironment } from "../../build/install/install-packages.mjs";
import type { ReadyFileContent } from "../../server/supervisor/ready-file.ts";
import { descendants, nameOf, proportionalMb } from "../support/process/processes.ts";
import { median, spread } from "./statistics.ts";

const rounds = 7;
/** Long enough for the engine's warm-up to be over. */
const settleMs = 4_000;
/** A slower machine may take as long as so many bare Nodes. */
const bars = { startMs: 800, startInBareNodes: 15, idleMb: 300 };
const root = fileURLToPath(new URL("../../", import.meta.url));

interface Round {
  startMs: number;
  idleMb: number;
  byProcess: Record<string, number>;
  bareStartMs: number;
  bareMb: number;
}

async function endOf(child: ChildProcess): Promise<void> {
  const ended = once(child, "close");
  child.kill("SIGTERM");
  await ended;
}

async function measureHearth(): Promise<Pick<Round, "startMs" | "idleMb" | "byProcess">> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  const readyFile = join(folder, "ready.json");
  const flags = ["--headless", "--data-dir", join(folder, "data"), "--ready-file", readyFile];
  const ports = ["--app-port", "0", "--provider-port", "0", "--model-port", "0"];
  const startedAt = performance.now();
  const npm = spawn("npm", ["start", "--", ...flags, ...ports], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: npmEnvironment(),
  });
  let output = "";
  npm.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  while (!existsSync(readyFile)) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}:\n${output}`);
    await wait(5);
  }
  const { app, provider, model, pid } = JSON.parse(readFileSync(readyFile, "utf8")) as ReadyFileContent;
  for (const url of [app, provider, model])
    if (url === null || !(await fetch(`${url}/healthz`)).ok) throw new Error(`${url} does not answer`);
  const startMs = performance.now() - startedAt;
  await wait(settleMs);
  const byProcess = Object.fromEntries([pid, ...descendants(pid)].map((one) => [nameOf(one), proportionalMb(one)]));
  await endOf(npm);
  while (existsSync(readyFile)) await wait(20);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { startMs, byProcess, idleMb: Object.values(byProcess).reduce((sum, mb) => sum + mb, 0) };
}

async function measureBareNode(): Promise<Pick<Round, "bareStartMs" | "bareMb">> {
  const startedAt = performance.now();
  const once0 = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await once(once0, "close");
  const bareStartMs = performance.now() - startedAt;
  const idle = spawn(process.execPath, ["-e", "setInterval(() => 0, 1e6); console.log()"], { stdio: "pipe" });
  await once(idle.stdout, "data");
  const bareMb = proportionalMb(idle.pid ?? 0);
  await endOf(idle);
  return { bareStartMs, bareMb };
}

const measured: Round[] = [];
for (let round = 0; round < rounds; round++) {
  measured.push({ ...(await measureHearth()), ...(await measureBareNode()) });
  console.log(`  round ${round + 1} of ${rounds}`);
}
const startMs = measured.map((round) => round.startMs);
const bareStartMs = measured.map((round) => round.bareStartMs);
const startBarMs = Math.max(bars.startMs, bars.startInBareNodes * median(bareStartMs));
const idleMb = measured.map((round) => round.idleMb);
console.log(
  `second start, npm start to every service answering: ${spread(startMs)} ms; bar ${startBarMs.toFixed(0)} ms`,
);
console.log(`  bare \`node -e 0\`: ${spread(bareStartMs)} ms`);
console.log(`idle memory, all processes, no model loaded: ${spread(idleMb)} MB (PSS); bar ${bars.idleMb} MB`);
for (const name of Object.keys(measured[0]?.byProcess ?? {}))
  console.log(`  ${name}: ${spread(measured.map(({ byProcess }) => byProcess[name] ?? 0))} MB`);
console.log(`  bare idle node: ${spread(measured.map(({ bareMb }) => bareMb))} MB`);
if (median(startMs) > startBarMs || median(idleMb) > bars.idleMb) process.exitCode = 1;
