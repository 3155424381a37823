/**
 * `npm run bench -- AREA… --against DIR`: this checkout and another one, or a commit, on the same work, in 15 pairs of turns or
 * more. An area begins no pair after HEARTH_BENCH_MINUTES (12), and is judged by the pairs that it has then. Exits with 1 when
 * anything costs more CPU time than there, or when that cannot be told. Linux only: it reads /proc.
 */
import { resolve } from "node:path";
import { appWorks } from "./against/app.ts";
import { compare, type Work } from "./against/compare.ts";
import { metricsWorks } from "./against/metrics.ts";
import { modelWorks } from "./against/model.ts";
import { paymentWorks } from "./against/payments.ts";
import { checkoutOf, prepare, type Sides } from "./against/sides.ts";
import { startWorks } from "./against/start.ts";
import { openBench, root, type Bench } from "./open-bench.ts";

const areas: Record<string, (bench: Bench, sides: Sides) => Promise<Work[]>> = {
  app: appWorks,
  metrics: metricsWorks,
  model: modelWorks,
  payments: paymentWorks,
  start: startWorks,
};
const pairs = Math.max(15, Number(process.env["HEARTH_BENCH_PAIRS"] ?? 15));
const withinMs = Number(process.env["HEARTH_BENCH_MINUTES"] ?? 12) * 60_000;

const [directory = "", ...wanted] = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in areas));
if (unknown !== undefined || wanted.length === 0) {
  console.error(`hearth: --against compares ${Object.keys(areas).join(", ")}`);
  process.exit(2);
}
const sides = { ours: resolve(root), theirs: checkoutOf(directory) };
prepare(sides.theirs);
for (const name of wanted) {
  console.log(`${name}, ${String(pairs)} pairs, this checkout / ${sides.theirs}: median of the ratios (95 % interval)`);
  const isUnchanged = await compare({ pairs, withinMs }, async (use) => {
    await using bench = openBench();
    await use((await areas[name]?.(bench, sides)) ?? []);
  });
  if (!isUnchanged) process.exitCode = 1;
}
