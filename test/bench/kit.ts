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
import { installPackage, megabytesOf } from "../support/process/npm-package.ts";
import { atMost, ratio, spread } from "./statistics.ts";

const rounds = 7;
const sideBySide = 16;
const bars = { installedMb: 60, readyRatio: 15 };

/** @returns how long it takes a Node with these arguments to print something, or to end, in ms */
async function timeOfNode(args: readonly string[], cwd: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  let printedMs: number | undefined;
  child.stdout.on("data", () => (printedMs ??= performance.now() - startedAt));
  await once(child, "close");
  return printedMs ?? performance.now() - startedAt;
}

/** Loads the package and starts an instance, as the first test of a file does. */
const untilReady = `
  const { startHearth } = await import("hearthkit");
  const hearth = await startHearth({ model: false });
  console.log("ready");
  await hearth.stop();
`;

const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
try {
  const project = await installPackage(folder);
  const results = [atMost("installed, in MB", megabytesOf(join(project, "node_modules")), bars.installedMb)];

  const ready: number[] = [];
  const bare: number[] = [];
  // The first one compiles the services' code, which is kept from then on.
  await timeOfNode(["--input-type=module", "-e", untilReady], project);
  for (let round = 0; round < rounds; round++) {
    ready.push(await timeOfNode(["--input-type=module", "-e", untilReady], project));
    bare.push(await timeOfNode(["-e", "0"], project));
  }
  console.log(`an instance without the model is ready after ${spread(ready)} ms; \`node -e 0\`: ${spread(bare)} ms`);
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
