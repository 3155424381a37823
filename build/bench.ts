/**
 * `npm run bench -- NAME…`: runs test/bench/NAME.ts, after installing what the benchmarks compare with. Behind `model` may be
 * sections of it: `npm run bench -- start model one-client`.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensurePackages } from "./install-packages.mjs";
import { root } from "./root.ts";

const folder = join(root, "test/bench");
const known = ["app", "console", "model", "payments", "start"];
const runs: string[][] = [];
for (const word of process.argv.slice(2)) {
  const last = runs.at(-1);
  if (known.includes(word)) runs.push([word]);
  else if (last?.[0] === "model") last.push(word);
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
for (const [name = "", ...sections] of runs) {
  const script = join(folder, `${name}.ts`);
  const { status } = spawnSync(process.execPath, [script, ...sections], { stdio: "inherit", cwd: root });
  if (status !== 0) process.exitCode = 1;
}
