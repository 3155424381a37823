/**
 * Reading and storing articles in PostgreSQL: Hearth against the same statements on bare Express with `pg`, in turns within
 * one run, by the CPU time of their own processes; the database's is not counted. `node test/bench/postgres.ts SECONDS`
 * says how long a turn is.
 */
import { join } from "node:path";
import { logIn } from "../support/console/console-scene.ts";
import { connectTo, databaseUrl, startPostgres } from "../support/store/postgres-server.ts";
import { startHearth } from "./hearth.ts";
import { openBench, root } from "./open-bench.ts";
import { requestsInSeconds, type Load } from "./requests-in-seconds.ts";
import { ratio, spread } from "./statistics.ts";
import { measured } from "./turn.ts";

const rounds = 5;
const seconds = Number(process.argv[2] ?? 3);
const bar = 0.6;
await using postgres = await startPostgres();
await using bench = openBench();

async function openDatabase(): Promise<string> {
  await using client = await connectTo(postgres.folder);
  await client.query("create database bench");
  return databaseUrl(postgres.folder, "bench");
}

/** With all its members: Hearth reads back what the bare application has stored as it was sent. */
const article = JSON.stringify({ title: "hello", body: "world ".repeat(20), private: false });

async function measure(): Promise<boolean> {
  const url = await openDatabase();
  const flags = ["--database-url", url, "--no-record-requests"];
  const hearth = await startHearth(bench.start, { folder: bench.folder, name: "hearth", flags });
  const headers = { ...(await logIn(hearth.ready, "reader")), "content-type": "application/json" };
  for (let n = 0; n < 25; n++) await fetch(`${hearth.app}/api/articles`, { method: "POST", headers, body: article });
  const script = join(root, "test/bench/bare-postgres.ts");
  const bare = JSON.parse(await bench.startTelling(process.execPath, script, url)) as { url: string; pid: number };
  const sides = {
    hearth: { pid: hearth.pid, url: `${hearth.app}/api` },
    bare: { pid: bare.pid, url: bare.url },
  };
  const works: Record<string, Omit<Load, "headers" | "url"> & { path: string }> = {
    one: { path: "/articles/1" },
    "list of 20": { path: "/articles?page_size=20" },
    stored: { path: "/articles", method: "POST", body: article },
  };
  const rates: Record<string, Record<keyof typeof sides, number[]>> = {};
  for (let round = 0; round <= rounds; round++)
    for (const [name, { path, ...work }] of Object.entries(works)) {
      const of = (rates[name] ??= { hearth: [], bare: [] });
      for (const side of ["hearth", "bare"] as const) {
        const load = { ...work, headers, url: `${sides[side].url}${path}` };
        const { requests, cpuMs } = await measured(sides[side].pid, () => requestsInSeconds(load, seconds));
        if (round > 0) of[side].push(requests / (cpuMs / 1000)); // the first round warms up
      }
    }
  console.log("requests for each second of CPU time, 32 connections: median (range)");
  const reached = Object.entries(rates).map(([name, { hearth: ours, bare: theirs }]) => {
    console.log(`  ${name.padEnd(12)} Hearth ${spread(ours)}, bare ${spread(theirs)}`);
    return ratio(`${name} / bare Express with the same statements`, ours, theirs, bar);
  });
  return reached.every(Boolean);
}

process.exitCode = (await measure()) ? 0 : 1;
