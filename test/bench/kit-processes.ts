/** A whole Node process with one instance and one request, beside one with `emulate` and a bare one, in turns. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { cpuMsByProcess, descendants, proportionalMb } from "../support/process/processes.ts";
import { atMost, median, ratio, spread } from "./statistics.ts";

const rounds = 15;
const bars = { readyMs: 250, emulateRatio: 3, memoryMb: 90 };

/** Prints how long an instance took, and waits for a line before it stops, if `waits` is in the command line. */
const ours = `
  const { startHearth } = await import("hearthkit");
  const loaded = performance.now();
  const hearth = await startHearth({ model: false });
  console.log(performance.now() - loaded);
  await (await fetch(hearth.urls.app + "/api/articles")).text();
  if (process.argv.includes("waits")) await new Promise((go) => process.stdin.once("data", go));
  await hearth.stop();
  process.stdin.destroy();
`;

const emulate = `
  const { createEmulator } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, "node_modules/emulate/dist/api.js")).href)});
  const emulator = await createEmulator({ service: "stripe", port: 0 });
  await (await fetch(emulator.url + "/v1/customers")).text();
  await emulator.close();
`;

const start = (program: string, cwd: string, ...args: readonly string[]) =>
  spawn(process.execPath, ["--input-type=module", "-e", program, ...args], { cwd, stdio: ["pipe", "pipe", "inherit"] });

/** @returns how long the process ran, in ms, and what it printed */
async function run(program: string, cwd: string): Promise<{ ms: number; printed: string }> {
  const startedAt = performance.now();
  const child = start(program, cwd);
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`a process ended with ${String(code)}`);
  return { ms: performance.now() - startedAt, printed };
}

/** CPU time in ms of the caller's process and of the instance's, and the memory of the latter, once a request was answered. */
async function parts(cwd: string) {
  const child = start(ours, cwd, "waits");
  await once(createInterface(child.stdout), "line");
  const { pid = 0 } = child;
  const cpu = cpuMsByProcess(pid);
  const below = descendants(pid);
  const cpuBelow = below.reduce((sum, one) => sum + (cpu.get(one) ?? 0), 0);
  const memory = below.reduce((sum, one) => sum + proportionalMb(one), 0);
  child.stdin.end("\n");
  await once(child, "close");
  return { cpuCaller: cpu.get(pid) ?? 0, cpuInstance: cpuBelow, memory };
}

/** @throws Error when none is made within a minute */
async function untilSnapshot(project: string): Promise<void> {
  const isMade = () => globSync("node_modules/.cache/hearthkit/*.snapshot", { cwd: project }).length > 0;
  for (let tries = 0; !isMade(); tries++) {
    if (tries > 600) throw new Error("no snapshot is made");
    await wait(100);
  }
}

/** Prints the figures. @param project has the package installed @returns whether each bar is reached */
export async function measureProcesses(project: string): Promise<boolean[]> {
  const taken = { ready: [] as number[], ours: [] as number[], emulate: [] as number[], bare: [] as number[] };
  const apart: Awaited<ReturnType<typeof parts>>[] = [];
  // The first one has the snapshot made, which is kept from then on.
  for (let round = -1; round < rounds; round++) {
    const { ms, printed } = await run(ours, project);
    const others = { emulate: await run(emulate, project), bare: await run("0", project) };
    const part = await parts(project);
    if (round < 0) {
      await untilSnapshot(project);
      continue;
    }
    taken.ready.push(Number(printed));
    taken.ours.push(ms);
    taken.emulate.push(others.emulate.ms);
    taken.bare.push(others.bare.ms);
    apart.push(part);
  }
  console.log(`a whole process with one instance and one request takes ${spread(taken.ours)} ms`);
  console.log(`  with emulate's stripe ${spread(taken.emulate)} ms, bare ${spread(taken.bare)} ms`);
  console.log(`  CPU of the caller's process: ${spread(apart.map((one) => one.cpuCaller))} ms`);
  console.log(`  CPU of the instance's: ${spread(apart.map((one) => one.cpuInstance))} ms`);
  return [
    atMost("an instance without the model is ready, in ms", median(taken.ready), bars.readyMs),
    ratio("whole process / with emulate", taken.ours, taken.emulate, bars.emulateRatio, "at most"),
    atMost("memory of an instance (PSS), in MB", median(apart.map((one) => one.memory)), bars.memoryMb),
  ];
}
