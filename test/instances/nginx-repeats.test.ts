/** What the guide's nginx sends to another instance where the first one has ended without an answer. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isCi } from "../../build/is-ci.ts";
import { freePort } from "../support/process/free-port.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { hasNginx, startNginx } from "./suite/nginx.ts";

/** Notes each request, and breaks off the first one as an instance does that is killed after it has carried it out. */
async function startInstance(carriedOut: string[]) {
  const server = createServer((req, res) => {
    if (req.url === "/livez") return res.end();
    carriedOut.push(`${String(req.method)} ${String(req.url)}`);
    return carriedOut.length === 1 ? res.destroy() : res.end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.dispose]: () => void server.close().closeAllConnections() };
}

it.runIf(hasNginx || isCi).each([
  ["GET", "/api/books/1?a=%2F", 200, 2],
  ["PUT", "/api/books/1?a=%2F", 502, 1],
  ["PATCH", "/api/books/1", 502, 1],
  ["DELETE", "/api/books/1", 502, 1],
  ["POST", "/api/books", 502, 1],
  ["GET", "/console/api/clock", 200, 2],
  ["PUT", "/console/api/clock", 502, 1],
  ["GET", "/sim/clock", 200, 2],
  ["DELETE", "/sim/faults/1", 502, 1],
])("%s %s, carried out by an instance that was killed then, is answered %d and asked %d times", async (...given) => {
  const [method, path, status, times] = given;
  using folder = temporaryFolder();
  const carriedOut: string[] = [];
  using one = await startInstance(carriedOut);
  using other = await startInstance(carriedOut);
  using third = await startInstance(carriedOut);
  const ports = [one, other, third].map(({ port }) => ({ app: port, console: port, provider: port }));
  const own = { app: await freePort(), console: await freePort(), provider: await freePort() };
  await using nginx = await startNginx(join(folder.path, "nginx"), own, ports);
  const url = path.startsWith("/sim") ? nginx.providerUrl : nginx.appUrl;
  const body = method === "PUT" || method === "POST" || method === "PATCH" ? "{}" : null;
  expect((await fetch(url + path, { method, body })).status).toBe(status);
  expect(carriedOut).toEqual(Array.from({ length: times }, () => `${method} ${path}`));
});

it.runIf(hasNginx || isCi)("a PUT keeps its path, body and answer", async () => {
  using folder = temporaryFolder();
  const server = createServer((req, res) => {
    if (req.url === "/livez") return void res.end();
    res.statusCode = 418;
    res.write(`${String(req.method)} ${String(req.url)} ${String(req.headers.host)} `);
    req.pipe(res);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const own = { app: await freePort(), console: await freePort(), provider: await freePort() };
  {
    const instance = { app: port, console: port, provider: port };
    await using nginx = await startNginx(join(folder.path, "nginx"), own, [instance, instance, instance]);
    const reply = await fetch(`${nginx.appUrl}/api/a%2Fb%20c?q=%26`, { method: "PUT", body: "what is new" });
    expect([reply.status, await reply.text()]).toEqual([418, "PUT /api/a%2Fb%20c?q=%26 127.0.0.1 what is new"]);
  }
  server.close();
});
