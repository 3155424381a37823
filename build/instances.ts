/**
 * `npm run test:instances`: kills and rolls three instances of Hearth behind nginx for 5 minutes, while clients use them, and
 * reports what was lost (test/instances/suite). `-- --seconds N` sets the time, `--seed S` repeats a run, and clients pause
 * longer with `--calm`.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./root.ts";
import { runScript } from "./processes/run-script.ts";
import { ensureSystemPackages } from "./install/system-packages.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string" }, seed: { type: "string" }, calm: { type: "boolean", default: false } },
});
const { seconds = "300", seed = String(randomInt(2 ** 31)), calm } = values;
if (![seconds, seed].every((one) => /^\d+$/.test(one))) {
  console.error("hearth: npm run test:instances -- [--seconds N] [--seed S] [--calm], N and S whole numbers");
  process.exit(2);
}
const missing = ensureSystemPackages();
if (missing !== undefined) console.error(missing);
const folder = mkdtempSync(join(tmpdir(), "hearth-instances-"));
const suite = join(root, "test/instances/suite/main.ts");
process.exitCode = await runScript([
  suite,
  "--folder",
  folder,
  "--seconds",
  seconds,
  "--seed",
  seed,
  ...(calm ? ["--calm"] : []),
]);
rmSync(folder, { recursive: true, force: true });
