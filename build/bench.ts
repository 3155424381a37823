/** `npm run bench -- NAME…`: runs test/bench/NAME.ts, after installing what the benchmarks compare with. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensurePackages } from "./install-packages.mjs";
import { root } from "./root.ts";

const folder = join(root, "test/bench");
const known = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3));
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !known.includes(name));
if (wanted.length === 0 || unknown !== undefined) {
  console.error(
    `hearth: ${unknown === undefined ? "name a benchmark" : `no benchmark ${unknown}`}: ${known.join(", ")}`,
  );
  process.exit(2);
}
if (existsSync(join(folder, "package-lock.json"))) await ensurePackages(folder, "what the benchmarks compare with");
for (const name of wanted) {
  const { status } = spawnSync(process.execPath, [join(folder, `${name}.ts`)], { stdio: "inherit", cwd: root });
  if (status !== 0) process.exitCode = 1;
}
