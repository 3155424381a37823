/**
 * `npm run lives -- --count N --seed S`: lives random lives of payments in one process, without sockets, threads or real
 * time, and checks what must always hold. Same seed, same log. The last line is the log's sha256. A violated life is
 * shrunk and printed as a test. `--steps JSON` runs one life with these steps; `--log` prints all of the log. `--planted NAME` plants an
 * error of test/support/lives/planted-errors.ts in the platform, which the run must find; `--planted all` one after another.
 */
import "../test/support/lives/simulated-process.ts";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import type { PlantedError } from "../test/support/lives/life-world.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    steps: { type: "string" },
    planted: { type: "string" },
    log: { type: "boolean", default: false },
  },
});
const { count, seed, steps, planted: plantedName, log } = values;
if (![count, seed].every((one) => /^\d+$/.test(one))) {
  console.error("hearth: npm run lives -- [--count N] [--seed S] [--steps JSON] [--log], N and S whole numbers");
  process.exit(2);
}

// The product's modules are loaded after the process was replaced.
const { asTest, Lives, seedOf } = await import("../test/support/lives/run-lives.ts");
const { plantedErrors } = await import("../test/support/lives/planted-errors.ts");
const named: [string, PlantedError | undefined][] =
  plantedName === "all" ? Object.entries(plantedErrors) : [[plantedName ?? "", plantedErrors[plantedName ?? ""]]];
if (plantedName !== undefined && named.some(([, error]) => !error)) {
  console.error(`hearth: there is no planted error ${plantedName ?? ""}: ${Object.keys(plantedErrors).join(", ")}`);
  process.exit(2);
}
// Work of a process that has lost power fails later than its life.
process.on("unhandledRejection", () => undefined);

const lives = await Lives.open();
const digest = createHash("sha256");
const began = process.hrtime.bigint();
let violated = 0;
let lived = 0;
const total = steps === undefined ? Number(count) : 1;
for (const [name, planted] of named) {
  if (plantedName !== undefined) console.log(`planted: ${name}`);
  for (let number = 0; number < total; number++) {
    const life =
      steps === undefined
        ? await lives.run(seedOf(Number(seed), number), planted)
        : await lives.runSteps(Number(seed), JSON.parse(steps) as never, planted);
    lived++;
    const text = [`life ${String(number)}`, ...life.log, ""].join("\n");
    digest.update(text);
    if (log) console.log(text);
    if (lived % 1000 === 0) console.error(`${String(lived)} lives, ${String(violated)} violated so far`);
    if (life.violations.length === 0) continue;
    violated++;
    const smallest = await lives.shrink(life, planted);
    console.log(`life ${String(number)}: ${life.violations.join("; ")}`);
    console.log(`${String(smallest.steps.length)} steps are enough:\n${smallest.log.join("\n")}\n${asTest(smallest)}`);
    if (plantedName !== undefined) break;
  }
}
lives.close();
const seconds = Number(process.hrtime.bigint() - began) / 1e9;
console.log(`${String(lived)} lives, ${String(violated)} violated, ${(lived / seconds).toFixed(1)} lives/s`);
console.log(`sha256: ${digest.digest("hex")}`);
process.exit(violated === 0 ? 0 : 1);
