/**
 * The application server against a bare Express route, json-server and Mockoon on the same work, in turns within one run.
 * Prints medians, ranges and ratios. Uploads are measured against a raw pipe to disk, file events against inotifywait | curl.
 */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { measureFileEvents } from "./app-file-events.ts";
import { measureUploads } from "./app-uploads.ts";
import { startHearth } from "./hearth.ts";
import { openBench, root } from "./open-bench.ts";
import { requestsPerSecond } from "./requests-per-second.ts";
import { ratio, spread } from "./statistics.ts";

const rounds = 5;
const here = fileURLToPath(new URL(".", import.meta.url));
await using bench = openBench();
const { folder, start } = bench;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
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
  const { app: url, authorization } = await startHearth(start, given);
  const response = await fetch(`${url}/console/api/tokens`, { method: "POST", headers: { authorization } });
  const { access_token } = (await response.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  for (let i = 0; i < 25; i++)
    await fetch(`${url}/api/articles`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ title: "hello", body: "world ".repeat(20) }),
    });
  const removeUploads = async () => {
    const resets = { method: "POST", headers: { authorization, "content-type": "application/json" } };
    const answer = await fetch(`${url}/console/api/resets`, { ...resets, body: '{"parts":["uploads"]}' });
    if (!answer.ok) throw new Error(`the uploads cannot be removed: ${String(answer.status)}`);
  };
  return { url, headers, removeUploads };
}

async function startJsonServer(): Promise<string> {
  const port = await freePort();
  const file = join(folder, "json-server.json");
  const articles = Array.from({ length: 25 }, (_, i) => ({
    id: i + 1,
    title: "hello",
    body: "world ".repeat(20),
    private: false,
  }));
  writeFileSync(file, JSON.stringify({ articles }));
  start(
    process.execPath,
    join(here, "node_modules/json-server/lib/cli/bin.js"),
    file,
    "--port",
    String(port),
    "--host",
    "127.0.0.1",
    "--quiet",
  );
  await answers(`http://127.0.0.1:${String(port)}/articles/1`);
  return `http://127.0.0.1:${String(port)}/articles/1`;
}

async function startMockoon(): Promise<string> {
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
  start(
    process.execPath,
    join(here, "node_modules/@mockoon/cli/bin/run.js"),
    "start",
    "--data",
    file,
    "--disable-log-to-file",
    "--log-transaction",
  );
  await answers(`http://127.0.0.1:${String(port)}/articles/1`);
  return `http://127.0.0.1:${String(port)}/articles/1`;
}

async function measure(): Promise<boolean> {
  const barePort = await freePort();
  const bare = `http://127.0.0.1:${String(barePort)}`;
  const rawUpload = join(folder, "raw-upload");
  start(process.execPath, join(here, "bare-express.ts"), String(barePort), rawUpload);
  await answers(`${bare}/articles/1`);
  const off = await startServer("recording-off", "--no-record-requests");
  const on = await startServer("recording-on");
  const targets = {
    "bare one": { url: `${bare}/articles/1`, headers: {} },
    "bare list": { url: `${bare}/articles`, headers: {} },
    "one, recording off": { url: `${off.url}/api/articles/1`, headers: off.headers },
    "one, recording on": { url: `${on.url}/api/articles/1`, headers: on.headers },
    "list of 20, recording off": { url: `${off.url}/api/articles?page_size=20`, headers: off.headers },
    "json-server one": { url: await startJsonServer(), headers: {} },
    "mockoon one": { url: await startMockoon(), headers: {} },
  };
  const rates: Record<keyof typeof targets, number[]> = Object.fromEntries(
    Object.keys(targets).map((name) => [name, []]),
  ) as never;
  for (let round = 0; round <= rounds; round++)
    for (const [name, target] of Object.entries(targets)) {
      const rate = await requestsPerSecond(target.url, target.headers);
      if (round > 0) rates[name as keyof typeof targets].push(rate); // the first round warms up
    }
  console.log("requests/s, 32 connections: median (range)");
  for (const [name, values] of Object.entries(rates)) console.log(`  ${name.padEnd(28)} ${spread(values)}`);
  const bars = [
    ratio("one / bare Express, recording off", rates["one, recording off"], rates["bare one"], 0.6),
    ratio("one / bare Express, recording on", rates["one, recording on"], rates["bare one"], 0.3),
    ratio("list of 20 / bare Express", rates["list of 20, recording off"], rates["bare list"], 0.5),
    ratio("one / json-server", rates["one, recording off"], rates["json-server one"], 3),
    ratio("one, recording on / Mockoon", rates["one, recording on"], rates["mockoon one"], 4),
  ];
  bars.push(...(await measureUploads({ url: bare, file: rawUpload }, off)));
  bars.push(await measureFileEvents(folder, root));
  return bars.every(Boolean);
}

process.exitCode = (await measure()) ? 0 : 1;
