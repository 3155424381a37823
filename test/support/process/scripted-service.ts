/**
 * A service process for the supervisor's tests: a real listener and a real link to the parent, that misbehaves as the
 * environment says. GET /crash, /hang, /close and /facts make it end, stop answering, stop listening, and tell what it was given.
 */
import { createServer } from "node:http";
import { rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import type { StartMessage } from "../../../server/contract/process/process-messages.ts";
import { firstMessage } from "../../../server/process/lifetime/parent-channel.ts";
import { answerPings, connectParent, stopWithParent } from "../../../server/process/lifetime/parent-link.ts";
import { sendSignal } from "./processes.ts";

const link = connectParent();
const { settings, token, runnerSocket } = (await firstMessage()) as StartMessage;
const behaviour = process.env["SCRIPTED_BEHAVIOUR"] ?? "well";
const name = process.env["SCRIPTED_NAME"] ?? "app";
let services: unknown = [];

const server = createServer((request, response) => {
  if (request.url === "/crash") sendSignal(process.pid, "SIGKILL");
  if (request.url === "/hang") for (;;);
  if (request.url === "/close") server.close();
  if (request.url === "/restart-model") link.send({ type: "restart", service: "model", port: 0 });
  if (request.url === "/facts") {
    const { UV_THREADPOOL_SIZE: workers } = process.env;
    response.end(JSON.stringify({ pid: process.pid, settings, token, workers, socket: runnerSocket, services }));
  } else response.end(JSON.stringify({ status: "ok" }));
});

link.onMessage((message) => {
  if (message.type === "services") services = message.services;
});
let questions = 0;
answerPings(link, () => {
  process.stdout.write("was asked\n");
  if (behaviour === "forgetful" && questions++ === 0) return new Promise<never>(() => undefined);
  return server.listening ? undefined : "does not listen any more";
});
// As a process that has no descriptor left for a connection.
if (behaviour === "deaf") server.on("connection", (socket) => void socket.destroy());

function announce(): void {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const line = { level: "info", time: new Date().toISOString(), service: name, msg: "listening", url };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  const urls = name === "app" ? { app: url, console: url, provider: url } : { [name]: url };
  link.send({ type: "ready", urls, external: behaviour === "external" });
}

if (behaviour === "refuses") {
  link.send({ type: "failed", code: "port_in_use", message: "port 1 is in use; choose another with --app-port" });
  stopWithParent(link, async () => undefined);
} else if (behaviour === "crashes") {
  process.stderr.write("cannot go on\n");
  process.exit(3);
} else if (behaviour === "mute") {
  stopWithParent(link, async () => undefined);
  setInterval(() => undefined, 1000);
} else {
  const socket = name === "runner" ? runnerSocket : undefined;
  if (socket !== undefined) server.listen(socket, () => link.send({ type: "ready", urls: {} }));
  else server.listen(Number(settings[`${name}_port` as "app_port"]), "127.0.0.1", announce);
  // "stubborn" lives on whatever it is told.
  if (behaviour !== "stubborn")
    stopWithParent(link, async () => {
      server.closeAllConnections();
      server.close();
      if (socket !== undefined) rmSync(socket, { force: true });
    });
}
