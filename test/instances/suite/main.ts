/**
 * `npm run test:instances` (build/instances.ts): kills and rolls instances of Hearth that share a database, while clients use
 * them through nginx, and holds what is there after each round against what was acknowledged. The same seed draws the same.
 */
import { inspect, parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { createAudit, type Findings } from "../../faults/suite/audit.ts";
import { createDraw } from "../../faults/suite/draw.ts";
import { checkBooks, newBooks, startEveryClient } from "./clients.ts";
import { openCluster } from "./cluster.ts";
import { disturbances, type Disturbance } from "./disturbances.ts";
import { followEvents } from "./follower.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    seconds: { type: "string", default: "300" },
    calm: { type: "boolean", default: false },
  },
});
const { folder, seed, seconds, calm } = values;
const instances = 3;
const followers = 6;
/** Clients are at it for so long before and after each disturbance. */
const calmMs = 500;

const draw = createDraw(Number(seed));
const tried = new Map(disturbances.map(({ name }) => [name, 0]));
const acknowledged = { articles: 0, uploads: 0, orders: 0, draws: 0, sessions: 0 };
const all: Findings = { lost: [], doubled: [], wrong: [] };

/** Each kind once, in an order that is drawn; then all of them again. */
function round(): Disturbance[] {
  const left = [...disturbances];
  return disturbances.flatMap(() => left.splice(draw.between(0, left.length - 1), 1));
}

{
  await using cluster = await openCluster(folder, instances);
  const audit = createAudit(cluster);
  using reading = await followEvents(cluster, followers);
  const began = performance.now();
  for (let done = 0; done === 0 || performance.now() - began < Number(seconds) * 1_000; done++) {
    const books = newBooks(`r${String(done)}`);
    const findings: Findings = { lost: [], doubled: [], wrong: [] };
    const clients = startEveryClient(cluster, books, calm, draw);
    for (const { name, isSilent = false, happen } of round()) {
      await wait(calmMs);
      const at = draw.between(0, instances - 1);
      const from = performance.now();
      try {
        await happen(cluster, draw, at);
        await cluster.allReady();
      } catch (error) {
        findings.wrong.push(`${name}: ${inspect(error)}`);
      }
      await wait(calmMs);
      const failed = cluster.failures.filter(({ beganAt }) => beganAt >= from);
      if (isSilent) findings.wrong.push(...failed.map(({ what }) => `${name}: ${what}`));
      tried.set(name, (tried.get(name) ?? 0) + 1);
      const took = ((performance.now() - from) / 1_000).toFixed(1);
      console.log(`${name.padEnd(38)} instance ${String(at + 1)}  ${took} s  ${String(failed.length)} requests failed`);
    }
    await clients.stop();
    await audit.check(books, findings);
    await checkBooks(cluster, books, findings);
    for (const kind of ["lost", "doubled", "wrong"] as const) {
      for (const one of findings[kind].slice(0, 8)) console.log(`      ${kind}: ${one}`);
      all[kind].push(...findings[kind]);
    }
    acknowledged.articles += books.articles.size;
    acknowledged.uploads += books.uploads.size;
    acknowledged.orders += books.orders.length;
    acknowledged.draws += [...books.raffles.values()].flat().length;
    acknowledged.sessions += books.sessions.size;
  }
  for (const one of await reading.problems()) {
    console.log(`      wrong: ${one}`);
    all.wrong.push(one);
  }
  console.log(
    `events: ${String(reading.received())} read by ${String(followers)} followers over ${String(reading.connections())} connections`,
  );
}
for (const [name, times] of tried) console.log(`| ${name} | ${String(times)} |`);
const sums = Object.entries(acknowledged).map(([name, count]) => `${String(count)} ${name}`);
console.log(`acknowledged: ${sums.join(", ")}`);
const { lost, doubled, wrong } = all;
console.log(
  `${String(lost.length)} lost, ${String(doubled.length)} doubled, ${String(wrong.length)} wrong; seed ${seed}`,
);
process.exit(lost.length + doubled.length + wrong.length > 0 ? 1 : 0);
