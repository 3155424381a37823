/**
 * `npm run fuzz`: the fuzzing tests of `npm test` with many more inputs and order lives, and a new seed for each run;
 * `npm run fuzz -- 500000 7` sets the number of inputs and the seed. One order life and one run of the watcher
 * beside inotifywait take place per 100 inputs, and one request to the model service per 200; bodies of the described
 * operations have a number of their own. The end reports the number of inputs and the time.
 */
import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./root.ts";
import { runScript } from "./processes/run-script.ts";

const [inputs = "200000", seed = String(randomInt(2 ** 31))] = process.argv.slice(2);
if (![inputs, seed].every((one) => /^\d+$/.test(one))) {
  console.error("hearth: npm run fuzz -- [INPUTS] [SEED], both whole numbers");
  process.exit(2);
}
const lives = String(Math.ceil(Number(inputs) / 100));
const modelRequests = String(Math.ceil(Number(inputs) / 200));
console.log(
  `${inputs} inputs, ${lives} lives of orders, ${modelRequests} requests to models, ${lives} runs of the watcher, seed ${seed}`,
);

const folder = mkdtempSync(join(tmpdir(), "hearth-fuzz-"));
const tally = join(folder, "tally");
writeFileSync(tally, "");
const began = performance.now();
const tests = [
  "test/fuzz",
  "test/contract/openapi-calls.test.ts",
  "test/http/payments/payment-lives.test.ts",
  "test/model/demanded-answers.test.ts",
  "test/model/soak.test.ts",
  "test/process/watcher/beside-inotifywait.test.ts",
];
process.exitCode = await runScript([join(root, "node_modules/vitest/vitest.mjs"), "run", ...tests], {
  ...process.env,
  HEARTH_FUZZ_REQUESTS: inputs,
  HEARTH_FUZZ_LIVES: lives,
  HEARTH_FUZZ_MODEL_REQUESTS: modelRequests,
  HEARTH_FUZZ_WATCHER_RUNS: lives,
  HEARTH_FUZZ_SEED: seed,
  HEARTH_FUZZ_TALLY: tally,
});
const minutes = (performance.now() - began) / 60_000;
const families = readFileSync(tally, "utf8").trim().split("\n").filter(Boolean);
rmSync(folder, { recursive: true });
for (const line of families) console.log(line.replace(" ", "\t"));
const done = families.reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
console.log(
  `${String(done)} inputs of ${String(families.length)} families in ${minutes.toFixed(1)} minutes, seed ${seed}`,
);
