/**
 * The window, beside a bare Electron window of the same version and beside a headless start, in turns: time until there is
 * a window, time until every service answers, memory (PSS) of all processes. Then the CPU time that each page of the
 * console takes while nothing happens. `-- PROGRAM` measures a packaged program instead of this checkout. Prints medians,
 * ranges and ratios; exits with 1 when a bar is missed.
 */
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";
import { setUpDisplay } from "../support/process/set-up-displays.ts";
import { cpuMsByProcess, descendants, proportionalMb } from "../support/process/processes.ts";
import { openBench } from "./open-bench.ts";
import { median, ratio, spread } from "./statistics.ts";

const rounds = 7;
/** Until a window has drawn and the engine's warm-up is over. */
const settleMs = 5_000;
/** Until each process has given back the memory of its start, which V8 does half a minute later. */
const startUpMs = 60_000;
/** Until a page has drawn itself and its garbage is collected. */
const idleAfterMs = 20_000;
const idleMs = 60_000;
const bars = { window: 1.3, ready: 1.5, memory: 2, idlePercent: 0.5 };

const endDisplay = await setUpDisplay();
// It reads where the Electron for tests lies, which the display's set-up has found.
const { bareCommand, headlessReadyMs, hearthCommand, kindOf, runElectron } = await import("./desktop/electron-run.ts");
const [given] = process.argv.slice(2);
const program = given === undefined ? undefined : resolve(given);
await using bench = openBench();

const folderOf = (name: string) => {
  const path = join(bench.folder, name);
  mkdirSync(path);
  return path;
};
const treeOf = (pid: number) => [pid, ...descendants(pid)];

/** Memory by process, in MB. */
function memoryOf(pid: number, names: ReadonlyMap<number, string> = new Map()): Record<string, number> {
  const byName: Record<string, number> = {};
  for (const each of treeOf(pid)) {
    const name = names.get(each) ?? kindOf(each);
    byName[name] = (byName[name] ?? 0) + proportionalMb(each);
  }
  return byName;
}
const sum = (values: Record<string, number>) => Object.values(values).reduce((total, one) => total + one, 0);

const ours: { windowMs: number; readyMs: number; memory: Record<string, number> }[] = [];
const bare: { windowMs: number; memory: number }[] = [];
const headless: number[] = [];
for (let round = 0; round < rounds; round++) {
  {
    await using run = await runElectron(hearthCommand(program), folderOf(`hearth-${String(round)}`));
    const readyMs = await run.readyMs();
    await wait(settleMs);
    ours.push({ windowMs: run.windowMs, readyMs, memory: memoryOf(run.pid, await run.services()) });
  }
  {
    const folder = folderOf(`bare-${String(round)}`);
    await using run = await runElectron(bareCommand(folder), folder);
    await wait(settleMs);
    bare.push({ windowMs: run.windowMs, memory: sum(memoryOf(run.pid)) });
  }
  headless.push(await headlessReadyMs(program, folderOf(`headless-${String(round)}`)));
}

const windowMs = ours.map((one) => one.windowMs);
const bareWindowMs = bare.map((one) => one.windowMs);
const readyMs = ours.map((one) => one.readyMs);
const memory = ours.map((one) => sum(one.memory));
const bareMemory = bare.map((one) => one.memory);
console.log(`window, ms: ${spread(windowMs)}; bare ${spread(bareWindowMs)}`);
console.log(`every service answers, ms: ${spread(readyMs)}; headless ${spread(headless)}`);
console.log(`memory, MB: ${spread(memory)}; bare ${spread(bareMemory)}`);
for (const kind of Object.keys(ours[0]?.memory ?? {}))
  console.log(`  ${kind} ${median(ours.map((one) => one.memory[kind] ?? 0)).toFixed(0)}`);
const met = [
  ratio("window / bare window", windowMs, bareWindowMs, bars.window, "at most"),
  ratio("ready / headless", readyMs, headless, bars.ready, "at most"),
  ratio("memory / bare window", memory, bareMemory, bars.memory, "at most"),
];

{
  await using run = await runElectron(hearthCommand(program), folderOf("idle"));
  await run.readyMs();
  const names = await run.services();
  const browser = await chromium.connectOverCDP(run.devTools);
  const page = browser.contexts()[0]?.pages()[0];
  if (!page) throw new Error("the window has no page");
  const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
  await links.first().waitFor();
  const pages = await links.allTextContents();
  await wait(startUpMs);
  for (const [index, name] of pages.entries()) {
    await links.nth(index).click();
    await page.mouse.move(700, 700);
    await wait(idleAfterMs);
    const before = cpuMsByProcess(run.pid);
    await wait(idleMs);
    const shares: Record<string, number> = {};
    for (const [pid, cpuMs] of cpuMsByProcess(run.pid)) {
      const kind = names.get(pid) ?? kindOf(pid);
      shares[kind] = (shares[kind] ?? 0) + ((cpuMs - (before.get(pid) ?? 0)) / idleMs) * 100;
    }
    const percent = sum(shares);
    met.push(percent <= bars.idlePercent);
    const parts = Object.entries(shares).filter(([, share]) => share > 0.005);
    console.log(
      `${met.at(-1) ? "ok  " : "MISS"} idle, ${name}: ${percent.toFixed(2)} % of a core, at most ${String(bars.idlePercent)}` +
        ` (${parts.map(([kind, share]) => `${kind} ${share.toFixed(2)}`).join(", ")})`,
    );
  }
  await browser.close();
}
await endDisplay?.();
process.exitCode = met.every(Boolean) ? 0 : 1;
