/**
 * `npm run bench -- NAME…`: runs test/bench/NAME.ts, after installing the programs that the benchmarks compare with.
 * Sections may follow `model` (`npm run bench -- start model one-client`), a packaged program `desktop`, folders `schema`.
 * `--against DIR` compares this checkout with another one, or with a commit (test/bench/against.ts).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensurePackages } from "./install/install-packages.mjs";
import { root } from "./root.ts";
import { runScript } from "./processes/run-script.ts";

const folder = join(root, "test/bench");
const known = [
  "app",
  "console",
  "crowd",
  "desktop",
  "kit",
  "model",
  "payments",
  "postgres",
  "routes",
  "schema",
  "start",
];
const { values, positionals: words } = parseArgs({ options: { against: { type: "string" } }, allowPositionals: true });
const { against } = values;
const runs: string[][] = against === undefined ? [] : [["against", against, ...words]];
for (const word of against === undefined ? words : []) {
  const last = runs.at(-1);
  if (known.includes(word)) runs.push([word]);
  else if (["model", "desktop", "schema"].includes(last?.[0] ?? "")) last?.push(word);
  else {
    console.error(`hearth: no benchmark ${word}: ${known.join(", ")}`);
    process.exit(2);
  }
}
if (runs.length === 0) {
  console.error(`hearth: name a benchmark: ${known.join(", ")}`);
  process.exit(2);
}
if (existsSync(join(folder, "package-lock.json"))) await ensurePackages(folder, "what the benchmarks compare with");
for (const [name = "", ...sections] of runs)
  if ((await runScript([join(folder, `${name}.ts`), ...sections])) !== 0) process.exitCode = 1;
