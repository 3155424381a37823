/** Phones on the local network, over real sockets: who is answered, what is never offered, and how it ends. */
import { once } from "node:events";
import { request } from "node:http";
import { connect, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { LanInterface, LanService } from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import type { RequestPage } from "../../../server/contract/console/traffic/requests.ts";
import { createTokenCheck } from "../../../server/http/conventions/bearer-token.ts";
import { callFrom, lanAddress, lanControl, wifi } from "../../support/app/lan-caller.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { patienceMs } from "../../support/eventually.ts";
import { startRulesService, type ModelService } from "../../support/model/model-service.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const network: { interfaces: LanInterface[] } = { interfaces: [wifi] };
let app: TestApp;
let model: ModelService;
beforeAll(async () => {
  app = await startTestApp({ interfaces: () => network.interfaces });
  model = await startRulesService({}, { isToken: createTokenCheck(consoleToken) });
  app.addresses.model = model.url;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const control = (method: string, path = "", body?: unknown, of = app) => lanControl(of.url, method, path, body);
const view = async () => (await control("GET")).body;
const everything: LanService[] = ["app", "provider", "model"];
const portsOf = () => ({ app: app.port, provider: Number(new URL(app.provider.url).port), model: model.port });
const samplePath = { app: "/api/articles", provider: "/cgi-bin/token", model: "/api/version" };

beforeEach(async () => {
  network.interfaces = [wifi];
  const { devices, waiting } = await view();
  for (const { id } of [...devices, ...waiting]) await control("DELETE", `/devices/${id}`);
  await control("PATCH", "", { enabled: true, services: everything, everyone: false });
});

/** Has one that calls from an address let in; answers its id and its cookie. */
async function letIn(from = "127.0.0.3") {
  const { cookie } = await callFrom({ port: app.port, path: "/api/articles", from });
  const id = (await view()).waiting.find(({ address }) => address === from)?.id ?? "";
  expect((await control("PUT", `/devices/${id}`)).status).toBe(204);
  return { id, cookie: cookie ?? "" };
}

describe("while it is off", () => {
  it.each(everything)("nobody reaches the %s service at the address of the network", async (service) => {
    await control("PATCH", "", { enabled: false });
    await expect(callFrom({ port: portsOf()[service] })).rejects.toThrow("ECONNREFUSED");
  });

  it("is how it begins", async () => {
    await using fresh = await startTestApp({ interfaces: () => [wifi] });
    expect((await control("GET", "", undefined, fresh)).body).toMatchObject({ enabled: false, listeners: [] });
    await expect(callFrom({ port: fresh.port })).rejects.toThrow("ECONNREFUSED");
  });
});

describe("a device that nobody has let in", () => {
  it.each([
    ["app", {}, { code: "device_waiting", Message: expect.stringContaining("is waiting for access") }],
    ["provider", {}, { code: "device_waiting", Message: expect.stringContaining("is waiting for access") }],
    ["model", {}, { error: expect.stringContaining("is waiting for access") }],
    [
      "app",
      { "content-type": "multipart/form-data; boundary=x" },
      { success: false, err_msg: expect.stringContaining("is waiting for access") },
    ],
  ] as const)("is answered 403 by the %s service with words, sending %j", async (service, headers, body) => {
    const call = { port: portsOf()[service], path: samplePath[service], headers };
    const reply = await callFrom({ ...call, method: "content-type" in headers ? "POST" : "GET" });
    expect(reply.status).toBe(403);
    expect(JSON.parse(reply.text)).toMatchObject(body);
  });

  it("reads in a browser what to do, in its language, with the word by which the console shows it", async () => {
    const headers = { accept: "text/html,*/*;q=0.8", "accept-language": "zh-CN" };
    const reply = await callFrom({ port: app.port, headers });
    const [device] = (await view()).waiting;
    expect(reply.status).toBe(403);
    expect(reply.headers["content-type"]).toContain("text/html");
    expect(reply.text).toContain("此设备等待允许");
    expect(reply.text).toContain(device?.id ?? "no device");
    expect(reply.headers["content-security-policy"]).toContain("default-src 'none'");
    const refusal = await callFrom({ port: app.port, path: "/console/", headers });
    expect([refusal.status, refusal.text]).toEqual([403, expect.stringContaining("控制台和控制接口只能在")]);
  });

  it("is not let in by what it says of where it comes from", async () => {
    const headers = { "x-forwarded-for": "127.0.0.1", forwarded: "for=127.0.0.1", "x-real-ip": "127.0.0.1" };
    for (const service of everything) {
      const passedOn = { "x-hearth-passed-on": `${consoleToken} 127.0.0.1 http` };
      const call = { port: portsOf()[service], path: samplePath[service] };
      expect((await callFrom({ ...call, headers: { ...headers, ...passedOn } })).status, service).toBe(403);
    }
  });

  it("is an event and on the list, and is answered by every service once it is let in", async () => {
    const seen: string[] = [];
    const stop = app.bus.subscribe(({ type }) => void seen.push(type));
    const { cookie } = await letIn();
    stop();
    expect(seen).toContain("device.admitted");
    for (const service of everything) {
      const call = { port: portsOf()[service], path: samplePath[service] };
      const here = await fetch(`http://127.0.0.1:${portsOf()[service]}${samplePath[service]}`);
      expect((await callFrom(call)).status, service).toBe(here.status);
    }
    const call = { port: app.port, path: "/api/articles" };
    expect((await callFrom({ ...call, from: "127.0.0.5" })).status).toBe(403);
    expect((await callFrom({ ...call, from: "127.0.0.4", headers: { cookie } })).status).toBe(401);
    expect((await view()).devices).toMatchObject([{ address: "127.0.0.4" }]);
    expect((await callFrom(call)).status).toBe(403);
  });
});

describe("what is never offered", () => {
  const raw = async (port: number, head: string) => {
    const socket = connect({ port, host: lanAddress, localAddress: "127.0.0.3" });
    socket.write(`${head}\r\nAuthorization: Bearer ${consoleToken}\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };

  it.each([
    "/console",
    "/console/",
    `/console/?token=${consoleToken}`,
    "/console/api/overview",
    "/CONSOLE/api/overview",
    "/%63onsole/api/overview",
    "/x/../console/api/overview",
    "/\\console/api/overview",
    "//console/api/overview",
    "/console/api/provider/sim/users",
    "/sim/users",
    "/SIM/users",
    "/%73im/users",
    "/./sim/users",
    `http://${lanAddress}/sim/users`,
  ])("is not there for a device that is let in and has the console's token: %s", async (path) => {
    await letIn();
    for (const port of Object.values(portsOf())) {
      const answer = await raw(port, `GET ${path} HTTP/1.1\r\nHost: ${lanAddress}`);
      expect(answer).toMatch(/^HTTP\/1.1 403 /);
      expect(answer).toContain("only on Hearth's own machine");
    }
  });

  it.each(["evil.example", "localhost", "127.0.0.1", "hearth.local"])(
    "is any other host than the address itself, as %s",
    async (host) => {
      await letIn();
      for (const port of Object.values(portsOf())) {
        const answer = await raw(port, `GET /api/version HTTP/1.1\r\nHost: ${host}`);
        expect(answer).toMatch(/^HTTP\/1.1 403 /);
      }
    },
  );
});

describe("the switch", () => {
  it("opens what is chosen, and nothing else", async () => {
    await control("PATCH", "", { services: ["provider"] });
    await expect(callFrom({ port: app.port })).rejects.toThrow("ECONNREFUSED");
    await expect(callFrom({ port: model.port })).rejects.toThrow("ECONNREFUSED");
    expect((await callFrom({ port: portsOf().provider })).status).toBe(403);
    expect((await view()).listeners).toEqual([
      { service: "provider", url: `http://${lanAddress}:${portsOf().provider}` },
    ]);
  });

  it("refuses an interface that this machine does not have", async () => {
    const { status, body } = await control("PATCH", "", { interface: "wlan9" });
    expect([status, body]).toMatchObject([400, { code: "no_such_interface" }]);
  });

  it("says which port is taken by another program", async () => {
    await control("PATCH", "", { enabled: false });
    const taken = createServer().listen(app.port, lanAddress);
    await once(taken, "listening");
    const { body } = await control("PATCH", "", { enabled: true, services: ["app"] });
    expect(body.listeners).toEqual([
      { service: "app", problem: `Port ${app.port} is used by another program at ${lanAddress}.` },
    ]);
    taken.close();
    await expect.poll(async () => (await view()).listeners[0]?.url).toBeDefined();
  });

  it("is not there while --host has opened Hearth to everybody", async () => {
    await using open = await startTestApp({ settings: { host: "0.0.0.0" }, interfaces: () => [wifi] });
    const { status, body } = await control("PATCH", "", { enabled: true }, open);
    expect([status, body]).toMatchObject([409, { code: "opened_by_host" }]);
    expect((await control("GET", "", undefined, open)).body).toMatchObject({ opened_by_host: true, enabled: false });
    expect((await callFrom({ port: open.port, path: "/api/articles" })).status).toBe(401);
  });
});

describe("a device that is removed", () => {
  it("loses at once what it has under way, and waits when it comes again", async () => {
    const { id } = await letIn();
    const upload = request({
      ...{ host: lanAddress, port: app.port, path: "/api/sessions", method: "POST", localAddress: "127.0.0.3" },
      headers: { "content-type": "application/json", "content-length": 1000, expect: "100-continue" },
    });
    const cut = new Promise((resolve) => upload.once("error", resolve));
    upload.flushHeaders();
    await new Promise((resolve) => upload.once("continue", resolve));
    expect((await control("DELETE", `/devices/${id}`)).status).toBe(204);
    expect(await cut).toMatchObject({ code: "ECONNRESET" });
    expect((await callFrom({ port: app.port, path: "/api/articles" })).status).toBe(403);
    expect((await control("DELETE", `/devices/${id}`)).status).toBe(404);
  });
});

describe("everyone on the network", () => {
  it("is let in while that is said, unless the network is another one", async () => {
    await control("PATCH", "", { everyone: true });
    const call = { port: app.port, path: "/api/articles" };
    expect((await callFrom(call)).status).toBe(401);
    // Beyond the prefix of the interface's address.
    expect((await callFrom({ ...call, from: "127.0.9.9" })).status).toBe(403);
    await control("PATCH", "", { everyone: false });
    expect((await callFrom(call)).status).toBe(403);
  });

  it("is not let in any more once the network has gone, though it comes back; what was let in by itself is", async () => {
    const { cookie } = await letIn();
    await control("PATCH", "", { everyone: true });
    network.interfaces = [];
    await expect
      .poll(async () => (await view()).listeners)
      .toMatchObject(everything.map(() => ({ problem: "The network interface wifi0 has no address." })));
    await expect(callFrom({ port: app.port })).rejects.toThrow("ECONNREFUSED");
    network.interfaces = [wifi];
    await expect.poll(async () => (await view()).listeners.filter(({ url }) => url !== undefined)).toHaveLength(3);
    const call = { port: app.port, path: "/api/articles" };
    expect((await callFrom({ ...call, from: "127.0.0.6" })).status).toBe(403);
    expect((await callFrom({ ...call, headers: { cookie } })).status).toBe(401);
    expect((await view()).everyone).toBe(false);
  });
});

it("the next run listens again, and knows the devices", async () => {
  using folder = temporaryFolder();
  const interfaces = () => [wifi];
  let cookie: string | undefined;
  {
    await using first = await startTestApp({ folder: folder.path, interfaces });
    await control("PATCH", "", { enabled: true }, first);
    ({ cookie } = await callFrom({ port: first.port }));
    const [device] = (await control("GET", "", undefined, first)).body.waiting;
    await control("PUT", `/devices/${device?.id ?? ""}`, undefined, first);
    await callFrom({ port: first.port, path: "/api/articles", headers: { cookie } });
  }
  await using second = await startTestApp({ folder: folder.path, interfaces });
  await expect.poll(async () => (await control("GET", "", undefined, second)).body.listeners[0]?.url).toBeDefined();
  const call = { port: second.port, path: "/api/articles" };
  expect((await callFrom({ ...call, from: "127.0.0.5", headers: { cookie } })).status).toBe(401);
  expect((await callFrom({ ...call, from: "127.0.0.6" })).status).toBe(403);
});

it("a recorded call to the provider names the device, and nothing of how it was passed on", async () => {
  await letIn();
  await callFrom({ port: portsOf().provider, path: "/cgi-bin/token?from=phone" });
  const wait = `${app.url}/console/api/requests/wait?service=provider&path=/cgi-bin/token&timeout_ms=${String(patienceMs)}`;
  const reply = await fetch(wait, { headers: { Authorization: `Bearer ${consoleToken}` } });
  const { requests } = (await reply.json()) as RequestPage;
  expect(requests[0]).toMatchObject({ client: "127.0.0.3" });
  expect(JSON.stringify(requests)).not.toMatch(/passed-on/i);
});
