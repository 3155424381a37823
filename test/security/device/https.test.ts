/** HTTPS for devices of the local network, at the ports that answer HTTP. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LanService } from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import { createTokenCheck } from "../../../server/http/conventions/bearer-token.ts";
import { createAuthority } from "../../../server/stand-in/certificates.ts";
import { openDeviceHttps } from "../../../server/stand-in/device-https.ts";
import { callFrom, lanAddress, lanControl } from "../../support/app/lan-caller.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { startRulesService, type ModelService } from "../../support/model/model-service.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const everything: LanService[] = ["app", "provider", "model"];
const samplePath = { app: "/api/articles", provider: "/cgi-bin/token", model: "/api/version" };
const folder = temporaryFolder();
const https = openDeviceHttps(folder.path);
let app: TestApp;
let model: ModelService;
beforeAll(async () => {
  app = await startTestApp({ openHttps: () => https });
  model = await startRulesService({}, { isToken: createTokenCheck(consoleToken) });
  app.addresses.model = model.url;
  await control("PATCH", { enabled: true, services: everything });
  await callFrom({ port: app.port, path: "/api/articles" });
  const [device] = (await control("GET")).waiting;
  await lanControl(app.url, "PUT", `/devices/${device?.id ?? ""}`);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const control = async (method: string, body?: unknown) => (await lanControl(app.url, method, "", body)).body;
const portsOf = () => ({ app: app.port, provider: Number(new URL(app.provider.url).port), model: model.port });

/** Calls by HTTPS as the device that was let in, or another one. */
async function secureCall(port: number, path: string, { ca = https.certificate, from = "127.0.0.3" } = {}) {
  const headers = { accept: "text/html, */*;q=0.5" };
  const asked = request({ host: lanAddress, port, path, ca, localAddress: from, agent: false, headers }).end();
  const [reply] = (await once(asked, "response")) as [IncomingMessage];
  return { status: reply.statusCode, text: await text(reply) };
}

describe("a device that believes the installation's authority", () => {
  it.each(everything)("reaches the %s service by HTTPS, and by HTTP at the same port", async (service) => {
    const [port, path] = [portsOf()[service], samplePath[service]];
    const here = await fetch(`http://127.0.0.1:${port}${path}`);
    expect((await secureCall(port, path)).status).toBe(here.status);
    expect((await callFrom({ port, path })).status).toBe(here.status);
  });

  it("waits there until it is let in, as by HTTP, and is never offered a control route", async () => {
    expect((await secureCall(app.port, "/api/articles", { from: "127.0.0.4" })).status).toBe(403);
    expect((await secureCall(app.port, "/console/")).status).toBe(403);
  });

  it("finds on the first page where it gets the certificate, which is there before it is let in", async () => {
    expect((await secureCall(app.port, "/")).text).toContain('href="/hearth-authority.crt"');
    const reply = await callFrom({ port: app.port, path: "/hearth-authority.crt", from: "127.0.0.4" });
    expect([reply.headers["content-type"], reply.text]).toEqual(["application/x-x509-ca-cert", https.certificate]);
  });
});

it("the console is told the addresses by HTTPS, and that of the certificate by HTTP", async () => {
  const { listeners, certificate_url } = await control("GET");
  expect(listeners.map(({ url }) => url)).toEqual(
    Object.values(portsOf()).map((port) => `https://${lanAddress}:${String(port)}`),
  );
  expect(certificate_url).toBe(`http://${lanAddress}:${String(app.port)}/hearth-authority.crt`);
});

it("a device that does not know the authority is told so by its own system", async () => {
  const { certificate } = createAuthority(Date.now());
  await expect(secureCall(app.port, "/", { ca: certificate })).rejects.toThrow(/certificate/);
});

it("a connection that sends nothing, or no whole handshake, does not hold up the end of the access", async () => {
  const sockets = ["", "\x16\x03\x01"].map((sent) => {
    const socket = connect({ host: lanAddress, port: app.port, localAddress: "127.0.0.3" });
    socket.on("error", () => undefined).write(sent, "latin1");
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const ends = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  await control("PATCH", { enabled: false });
  await Promise.all(ends);
  await expect(secureCall(app.port, "/")).rejects.toThrow("ECONNREFUSED");
});
