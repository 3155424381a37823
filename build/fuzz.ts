/**
 * `npm run fuzz`: the fuzzing tests of `npm test` with many more requests, and lives of orders, and another seed at each run;
 * `npm run fuzz -- 500000 7` says how many requests and which seed. There is a life for every 50 requests.
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
console.log(`${requests} requests, ${lives} lives of orders, seed ${seed}`);
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/vitest/vitest.mjs"), "run", "test/http/fuzz.test.ts", "test/http/payment-lives.test.ts"],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, HEARTH_FUZZ_REQUESTS: requests, HEARTH_FUZZ_LIVES: lives, HEARTH_FUZZ_SEED: seed },
  },
);
process.exitCode = status ?? 1;
