/**
 * The package `hearthkit`: what it takes where npm has installed it, how long an instance without the model takes from its
 * start until it is ready, beside a bare Node in turns, and sixteen instances side by side.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Kit from "../../server/kit/start-hearth.ts";
import { installPackage, installedMb, packTo } from "../support/process/npm-package.ts";
import { threeCommands } from "../support/process/three-commands.ts";
import { atMost, ratio, spread } from "./statistics.ts";

const rounds = 7;
const sideBySide = 16;
const bars = { installedMb: 30, threeCommandsSeconds: 60, readyRatio: 15 };

/** @returns how long a Node with these arguments ran, in ms, and what it printed */
async function runNode(args: readonly string[], cwd: string): Promise<{ ms: number; printed: string }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await once(child, "close");
  return { ms: performance.now() - startedAt, printed };
}

/** Prints how long an instance took, and how long it took to load the package before. */
const untilReady = `
  const began = performance.now();
  const { startHearth } = await import("hearthkit");
  const loaded = performance.now();
  const hearth = await startHearth({ model: false });
  console.log(JSON.stringify([performance.now() - loaded, loaded - began]));
  await hearth.stop();
`;

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
try {
  const project = await installPackage(folder);
  const results = [atMost("installed, in MB", installedMb(join(project, "node_modules")), bars.installedMb)];
  const { seconds } = await threeCommands(await packTo(folder), folder);
  results.push(atMost("empty folder to a green payment test, in s", seconds, bars.threeCommandsSeconds));

  const ready: number[] = [];
  const load: number[] = [];
  const bare: number[] = [];
  // The first one compiles the services' code, which is kept from then on.
  for (let round = -1; round < rounds; round++) {
    const { printed } = await runNode(["--input-type=module", "-e", untilReady], project);
    const [readyMs = Number.NaN, loadMs = Number.NaN] = JSON.parse(printed) as number[];
    const { ms } = await runNode(["-e", "0"], project);
    if (round < 0) continue;
    ready.push(readyMs);
    load.push(loadMs);
    bare.push(ms);
  }
  console.log(
    `the package is loaded after ${spread(load)} ms, an instance without the model ready after ${spread(ready)} ms`,
  );
  console.log(`  bare \`node -e 0\`: ${spread(bare)} ms`);
  results.push(ratio("ready / node -e 0", ready, bare, bars.readyRatio, "at most"));

  const kit = pathToFileURL(join(project, "node_modules/hearthkit/dist/kit.js")).href;
  const { startHearth } = (await import(kit)) as typeof Kit;
  const startedAt = performance.now();
  const instances = await Promise.all(Array.from({ length: sideBySide }, () => startHearth({ model: false })));
  console.log(`${sideBySide} instances side by side are ready after ${Math.round(performance.now() - startedAt)} ms`);
  const answers = await Promise.all(
    instances.map(async (hearth, index) => {
      const phone = await hearth.phone("ada");
      await phone.request("POST", "/api/articles", { title: String(index) });
      const { body } = await phone.request<{ data: { title: string }[] }>("GET", "/api/articles");
      return body.data.map(({ title }) => title).join();
    }),
  );
  await Promise.all(instances.map((hearth) => hearth.stop()));
  const apart = answers.filter((titles, index) => titles === String(index)).length;
  console.log(`${apart === sideBySide ? "ok  " : "MISS"} each holds its own article: ${apart} of ${sideBySide}`);
  if (results.includes(false) || apart < sideBySide) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
