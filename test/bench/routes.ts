/**
 * Routes of a project's own code, in turns within one run: what their process costs a request, and what requests to Hearth's
 * own API notice of code that loops, crashes or uses up memory.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startHearth } from "./hearth.ts";
import { openBench } from "./open-bench.ts";
import { ratio, sorted, spread } from "./statistics.ts";

const code = `import { defineRoutes } from "hearthkit/routes";

export default defineRoutes(({ get }) => {
  get("/code", () => ({ ok: true }));
  get("/loop", () => { for (;;) {} });
  get("/hog", () => { const all = []; for (;;) all.push(1); });
  get("/timers", () => { for (let n = 0; n < 10_000; n++) setTimeout(() => { throw new Error("tick"); }, n / 10); });
});
`;
const rounds = 7;
const requests = 400;

await using bench = openBench();
const { folder, start } = bench;
const [codeFile, routesFile] = [join(folder, "hearth.routes.ts"), join(folder, "fixed.json")];
writeFileSync(codeFile, code);
writeFileSync(routesFile, JSON.stringify({ routes: [{ path: "/fixed", body: { ok: true } }] }));
const flags = ["--routes", codeFile, "--routes-file", routesFile];
const { app: url, authorization } = await startHearth(start, { folder, name: "routes", flags });
const response = await fetch(`${url}/console/api/tokens`, { method: "POST", headers: { authorization } });
const { access_token } = (await response.json()) as { access_token: string };
const headers = { authorization: `Bearer ${access_token}` };
const article = { method: "POST", headers: { ...headers, "content-type": "application/json" } };
await fetch(`${url}/api/articles`, { ...article, body: JSON.stringify({ title: "hello", body: "world" }) });

/** The times of requests, one after the other, in ms. */
async function times(path: string): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < requests; n++) {
    const beganAt = performance.now();
    const answer = await fetch(url + path, { headers });
    await answer.arrayBuffer();
    found.push(performance.now() - beganAt);
    if (!answer.ok) throw new Error(`${path}: ${String(answer.status)}`);
  }
  return sorted(found);
}
const at = (values: readonly number[], share: number) => values[Math.floor(values.length * share)] ?? Number.NaN;

/** Calls a route again and again until the work is done. */
async function whileCalling<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const stop = new AbortController();
  const calling = (async () => {
    while (!stop.signal.aborted)
      await fetch(url + path, { signal: stop.signal }).then((answer) => answer.arrayBuffer());
  })().catch(() => undefined);
  try {
    return await work();
  } finally {
    stop.abort();
    await calling;
  }
}

const series: Record<string, number[]> = {};
const keep = (name: string, value: number) => void (series[name] ??= []).push(value);
const own = "/api/articles/1";
/** Waits for a process of the code that has nothing left to do. */
async function settled(): Promise<void> {
  while (!(await fetch(`${url}/code`)).ok) await wait(100);
  await wait(1_000);
}

for (let round = 0; round <= rounds; round++) {
  await settled();
  const measured = {
    fixed: at(await times("/fixed"), 0.5),
    code: at(await times("/code"), 0.5),
    quiet: at(await times(own), 0.95),
    loop: at(await whileCalling("/loop", () => times(own)), 0.95),
    hog: at(await whileCalling("/hog", () => times(own)), 0.95),
    timers: at(await whileCalling("/timers", () => times(own)), 0.95),
  };
  if (round > 0) for (const [name, value] of Object.entries(measured)) keep(name, value); // the first round warms up
}
const of = (name: string) => series[name] ?? [];
for (const name of ["fixed", "code"]) console.log(`/${name}, median in ms: ${spread(of(name), 3)}`);
for (const name of ["quiet", "loop", "hog", "timers"])
  console.log(`${own}, ${name}, 95th percentile in ms: ${spread(of(name), 2)}`);
const bars = ["loop", "hog", "timers"].map((name) =>
  ratio(`95th percentile, ${name} / quiet`, of(name), of("quiet"), 1.2, "at most"),
);
if (!bars.every(Boolean)) process.exitCode = 1;
