/**
 * The application server against a bare Express route, json-server and Mockoon on the same work, in turns within one run.
 * Prints medians, ranges and ratios. Uploads are measured against a raw pipe to disk, file events against inotifywait | curl.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../support/process/free-port.ts";
import { storeArticles } from "./against/app.ts";
import { measureFileEvents } from "./app-file-events.ts";
import { measureUploads } from "./app-uploads.ts";
import { startHearth } from "./hearth.ts";
import { openBench, root } from "./open-bench.ts";
import { requestsInSeconds } from "./requests-in-seconds.ts";
import { ratio, spread } from "./statistics.ts";
import { measured } from "./turn.ts";

const rounds = 5;
const here = fileURLToPath(new URL(".", import.meta.url));
await using bench = openBench();
const { folder, start } = bench;

async function answers(url: string, headers: Record<string, string> = {}): Promise<void> {
  for (let tries = 0; ; tries++) {
    const ok = await fetch(url, { headers }).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    if (tries > 300) throw new Error(`${url} does not answer`);
    await wait(100);
  }
}

async function startServer(name: string, ...flags: string[]) {
  const given = { folder, name, flags: ["--MaxSizeOfSigleFile_MB", "1000", ...flags] };
  const { app: url, authorization, pid } = await startHearth(start, given);
  const response = await fetch(`${url}/console/api/tokens`, { method: "POST", headers: { authorization } });
  const { access_token } = (await response.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  await storeArticles({ app: url, headers });
  const removeUploads = async () => {
    const resets = { method: "POST", headers: { authorization, "content-type": "application/json" } };
    const answer = await fetch(`${url}/console/api/resets`, { ...resets, body: '{"parts":["uploads"]}' });
    if (!answer.ok) throw new Error(`the uploads cannot be removed: ${String(answer.status)}`);
  };
  return { url, headers, removeUploads, pid };
}

/** What is asked for, and whose work the answer is. */
interface Target {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly pid: number;
}

async function startJsonServer(): Promise<Target> {
  const port = await freePort();
  const file = join(folder, "json-server.json");
  const articles = Array.from({ length: 25 }, (_, i) => ({
    id: i + 1,
    title: "hello",
    body: "world ".repeat(20),
    private: false,
  }));
  writeFileSync(file, JSON.stringify({ articles }));
  const { pid = 0 } = start(
    process.execPath,
    join(here, "node_modules/json-server/lib/cli/bin.js"),
    file,
    "--port",
    String(port),
    "--host",
    "127.0.0.1",
    "--quiet",
  );
  const url = `http://127.0.0.1:${String(port)}/articles/1`;
  await answers(url);
  return { url, headers: {}, pid };
}

async function startMockoon(): Promise<Target> {
  const port = await freePort();
  const file = join(folder, "mockoon.json");
  const body = JSON.stringify({ id: 1, title: "hello", body: "world ".repeat(20), private: false });
  const answer = {
    uuid: "r",
    body,
    latency: 0,
    statusCode: 200,
    label: "",
    headers: [{ key: "Content-Type", value: "application/json" }],
    bodyType: "INLINE",
    filePath: "",
    databucketID: "",
    sendFileAsBody: false,
    rules: [],
    rulesOperator: "OR",
    disableTemplating: true,
    fallbackTo404: false,
    default: true,
    crudKey: "id",
    callbacks: [],
  };
  const route = {
    uuid: "a",
    type: "http",
    documentation: "",
    method: "get",
    endpoint: "articles/:id",
    responses: [answer],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  };
  const environment = {
    uuid: "e",
    lastMigration: 33,
    name: "bench",
    port,
    hostname: "127.0.0.1",
    endpointPrefix: "",
    latency: 0,
    folders: [],
    routes: [route],
    rootChildren: [{ type: "route", uuid: "a" }],
    proxyMode: false,
    proxyHost: "",
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false, type: "CERT", pfxPath: "", certPath: "", keyPath: "", caPath: "", passphrase: "" },
    cors: true,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [],
    callbacks: [],
  };
  writeFileSync(file, JSON.stringify(environment));
  const { pid = 0 } = start(
    process.execPath,
    join(here, "node_modules/@mockoon/cli/bin/run.js"),
    "start",
    "--data",
    file,
    "--disable-log-to-file",
    "--log-transaction",
  );
  const url = `http://127.0.0.1:${String(port)}/articles/1`;
  await answers(url);
  return { url, headers: {}, pid };
}

async function measure(): Promise<boolean> {
  const barePort = await freePort();
  const bare = `http://127.0.0.1:${String(barePort)}`;
  const rawUpload = join(folder, "raw-upload");
  const { pid: barePid = 0 } = start(process.execPath, join(here, "bare-express.ts"), String(barePort), rawUpload);
  await answers(`${bare}/articles/1`);
  const off = await startServer("recording-off", "--no-record-requests");
  const on = await startServer("recording-on");
  const targets = {
    "bare one": { url: `${bare}/articles/1`, headers: {}, pid: barePid },
    "bare list": { url: `${bare}/articles`, headers: {}, pid: barePid },
    "one, recording off": { ...off, url: `${off.url}/api/articles/1` },
    "one, recording on": { ...on, url: `${on.url}/api/articles/1` },
    "list of 20, recording off": { ...off, url: `${off.url}/api/articles?page_size=20` },
    "json-server one": await startJsonServer(),
    "mockoon one": await startMockoon(),
  } satisfies Record<string, Target>;
  type Name = keyof typeof targets;
  const perTarget = () => Object.fromEntries(Object.keys(targets).map((name) => [name, []])) as never;
  const rates: Record<Name, number[]> = perTarget();
  /** Requests for each second of CPU time that the processes take: on a shared machine the truer figure. */
  const cpuRates: Record<Name, number[]> = perTarget();
  for (let round = 0; round <= rounds; round++)
    for (const [name, { url, headers, pid }] of Object.entries(targets) as [Name, Target][]) {
      const turn = await measured(pid, () => requestsInSeconds({ url, headers }, 3));
      if (round === 0) continue; // the first round warms up
      rates[name].push(turn.requests / turn.seconds);
      cpuRates[name].push(turn.requests / (turn.cpuMs / 1000));
    }
  for (const [unit, series] of Object.entries({
    "requests/s": rates,
    "requests for each second of CPU time": cpuRates,
  })) {
    console.log(`${unit}, 32 connections: median (range)`);
    for (const [name, values] of Object.entries(series)) console.log(`  ${name.padEnd(28)} ${spread(values)}`);
  }
  const bars = [
    ratio("one / bare Express, recording off", rates["one, recording off"], rates["bare one"], 0.6),
    ratio("one / bare Express, recording on", rates["one, recording on"], rates["bare one"], 0.3),
    ratio("list of 20 / bare Express", rates["list of 20, recording off"], rates["bare list"], 0.5),
    ratio("one / json-server", rates["one, recording off"], rates["json-server one"], 3),
    ratio("one, recording on / Mockoon", rates["one, recording on"], rates["mockoon one"], 4),
    ratio("one / json-server, by CPU time", cpuRates["one, recording off"], cpuRates["json-server one"], 3),
    ratio("one, recording on / Mockoon, by CPU time", cpuRates["one, recording on"], cpuRates["mockoon one"], 4),
  ];
  bars.push(...(await measureUploads({ url: bare, file: rawUpload }, off)));
  bars.push(await measureFileEvents(folder, root));
  return bars.every(Boolean);
}

process.exitCode = (await measure()) ? 0 : 1;
