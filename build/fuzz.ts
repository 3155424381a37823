/**
 * `npm run fuzz`: the fuzzing tests of `npm test` with many more requests, and lives of orders, and another seed at each run;
 * `npm run fuzz -- 500000 7` says how many requests and which seed. There is a life for every 50 requests, and a
 * request to the model service for every 100.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { root } from "./root.ts";

const [requests = "100000", seed = String(randomInt(2 ** 31))] = process.argv.slice(2);
if (![requests, seed].every((one) => /^\d+$/.test(one))) {
  console.error("hearth: npm run fuzz -- [REQUESTS] [SEED], both whole numbers");
  process.exit(2);
}
const lives = String(Math.ceil(Number(requests) / 50));
const modelRequests = String(Math.ceil(Number(requests) / 100));
console.log(`${requests} requests, ${lives} lives of orders, ${modelRequests} requests to models, seed ${seed}`);
const tests = ["test/http/fuzz.test.ts", "test/http/payment-lives.test.ts", "test/model/soak.test.ts"];
const { status } = spawnSync(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", ...tests], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    HEARTH_FUZZ_REQUESTS: requests,
    HEARTH_FUZZ_LIVES: lives,
    HEARTH_FUZZ_MODEL_REQUESTS: modelRequests,
    HEARTH_FUZZ_SEED: seed,
  },
});
process.exitCode = status ?? 1;
