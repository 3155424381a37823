/**
 * Many clients of one instance: 500 that write at the same time, with and without 1,000 that follow the events, in turns within
 * one run. Each write is an event for each follower. Prints ratios and what an idle follower takes; exits with 1 when a bar is
 * missed, or when a request fails or a stream ends.
 */
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { descendants, nameOf, residentMb } from "../support/process/processes.ts";
import { startHearth } from "./hearth.ts";
import { openBench } from "./open-bench.ts";
import { requestsInSeconds } from "./requests-in-seconds.ts";
import { ratio, spread } from "./statistics.ts";
import { measured, type Turn } from "./turn.ts";

const rounds = 5;
const secondsPerTurn = 8;
const writers = 500;
const followers = 1_000;
const script = join(fileURLToPath(new URL(".", import.meta.url)), "crowd-followers.ts");

await using bench = openBench();
const hearth = await startHearth(bench.start, {
  folder: bench.folder,
  name: "crowd",
  flags: ["--metrics", "--models-dir", ""],
});
const { app, authorization } = hearth;
const appPid = descendants(hearth.pid).find((pid) => nameOf(pid) === "app") ?? 0;
const tokens = await fetch(`${app}/console/api/tokens`, { method: "POST", headers: { authorization } });
const { access_token } = (await tokens.json()) as { access_token: string };
const load = {
  url: `${app}/api/articles`,
  method: "POST" as const,
  headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
  body: JSON.stringify({ title: "hello", body: "world ".repeat(20) }),
};
const write = () => measured(appPid, () => requestsInSeconds(load, secondsPerTurn, writers));

/** Connects all, and disconnects them when the work is over. @throws when a stream has ended meanwhile */
async function followed<Value>(work: () => Promise<Value>): Promise<Value> {
  const crowd = bench.start(process.execPath, script, app, authorization, String(followers));
  const over = once(crowd, "exit");
  const failed = over.then(([code]) => {
    throw new Error(`the followers ended with ${String(code)}`);
  });
  try {
    await Promise.race([allFollow(), failed]);
    return await Promise.race([work(), failed]);
  } finally {
    failed.catch(() => undefined);
    crowd.kill("SIGTERM");
    await over;
  }
}

async function allFollow(): Promise<void> {
  const open = async () => {
    const reply = await fetch(`${app}/metrics`, { headers: { authorization } });
    return Number(/^hearth_event_stream_clients (\d+)$/m.exec(await reply.text())?.[1]);
  };
  while ((await open()) < followers) await wait(100);
}

await write();
const idleKb: number[] = [];
const turns: { readonly alone: Turn; readonly beside: Turn }[] = [];
for (let round = 0; round < rounds; round++) {
  const alone = await write();
  const before = residentMb(appPid);
  const beside = await followed(async () => {
    idleKb.push(((residentMb(appPid) - before) * 1_000) / followers);
    return write();
  });
  turns.push({ alone, beside });
}
const perSecond = ({ requests, seconds }: Turn) => requests / seconds;
const perCpuSecond = ({ requests, cpuMs }: Turn) => (requests * 1_000) / cpuMs;
const series = (of: (turn: Turn) => number) =>
  [turns.map(({ beside }) => of(beside)), turns.map(({ alone }) => of(alone))] as const;
const reached = ratio(`writes beside ${String(followers)} followers, against none`, ...series(perSecond), 0.8);
const [beside, alone] = series(perCpuSecond);
console.log(
  `writes for each second of CPU time: ${spread(
    beside.map((one, round) => one / (alone[round] ?? NaN)),
    2,
  )} ×`,
);
console.log(`resident memory for each idle follower: ${spread(idleKb)} kB`);
process.exitCode = reached ? 0 : 1;
