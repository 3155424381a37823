/** The simulator's fault that resets the connection, for clients that reach it through something that passes requests on. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAuthority } from "../../server/stand-in/certificates.ts";
import { openStandIn } from "../../server/stand-in/open-stand-in.ts";
import { consoleToken } from "../support/app/console-token.ts";
import { callFrom, lanControl } from "../support/app/lan-caller.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { startTestProvider, type TestProvider } from "../support/payments/test-provider.ts";

const host = "api.weixin.qq.com";
const at = Date.now();
const authority = createAuthority(at);
const openFor = (provider: string) =>
  openStandIn({ provider, consoleToken, authority, passes: [], port: 0, at, onRefused: () => undefined });

let provider: TestProvider;
let standIn: Awaited<ReturnType<typeof openFor>>;
let app: TestApp;
beforeAll(async () => {
  [provider, app] = await Promise.all([startTestProvider(), startTestApp()]);
  standIn = await openFor(provider.url);
  await provider.control("POST", "/faults", { kind: "identity_reset" });
});
afterAll(async () => {
  await standIn.close();
  await Promise.all([provider[Symbol.asyncDispose](), app[Symbol.asyncDispose]()]);
});

const open = (url: string) => connect(Number(new URL(url).port), "127.0.0.1");
const secured = (socket: Socket) => connectTls({ socket, servername: host, ca: authority.certificate });
async function tunnel(url: string): Promise<Socket> {
  const socket = open(url);
  socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nHost: ${host}:443\r\n\r\n`);
  await once(socket, "data");
  return socket;
}
const ways: [string, (url: string) => Socket | Promise<Socket>, string][] = [
  ["as a proxy", open, `http://${host}`],
  ["as the host", open, ""],
  ["as the host by HTTPS", (url) => secured(open(url)), ""],
  ["by a tunnel", tunnel, ""],
  ["by HTTPS in a tunnel", async (url) => secured(await tunnel(url)), ""],
];

async function ask(socket: Socket | Promise<Socket>, origin: string): Promise<string> {
  const ready = await socket;
  ready.write(`GET ${origin}/cgi-bin/token HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return text(ready);
}

it.each(ways)("a call that reaches the simulator %s is reset", async (_how, reach, origin) => {
  await expect(ask(reach(standIn.url), origin)).rejects.toMatchObject({ code: "ECONNRESET" });
});

it.each(ways)("where nothing answers, a call %s is 502", async (_how, reach, origin) => {
  const deserted = await openFor("http://127.0.0.1:9");
  expect(await ask(reach(deserted.url), origin)).toMatch(/^HTTP\/1.1 502 /);
  await deserted.close();
});

it("so is a device's call", async () => {
  await fetch(`${app.provider.url}/sim/faults`, {
    method: "POST",
    body: JSON.stringify({ kind: "identity_reset" }),
    headers: { "Content-Type": "application/json" },
  });
  await lanControl(app.url, "PATCH", "", { enabled: true, services: ["provider"], everyone: true });
  const port = Number(new URL(app.provider.url).port);
  await expect(callFrom({ port, path: "/cgi-bin/token" })).rejects.toMatchObject({ code: "ECONNRESET" });
});
