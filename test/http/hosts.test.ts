/** By which hosts the three services may be asked: a page of another site must not reach them by a name of its own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portOf } from "../../server/contract/own-url.ts";
import { startRulesService, type ModelService } from "../support/model/model-service.ts";
import { requestText } from "../support/app/raw-request.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";

/** What it says does not change what is checked. */
const settings = { host: "0.0.0.0", allowed_hosts: ["Shop.example", ".corp.example", "dotted.example."] };
let app: TestApp;
let model: ModelService;
beforeAll(async () => {
  app = await startTestApp({ settings });
  mkdirSync(join(app.folder, "renderer"));
  writeFileSync(join(app.folder, "renderer", "index.html"), "<!doctype html><title>Hearth</title>");
  model = await startRulesService({}, { allowedHosts: settings.allowed_hosts });
});
afterAll(() => Promise.all([app[Symbol.asyncDispose](), model[Symbol.asyncDispose]()]));

const places = {
  "the application server": () => ({ port: app.port, path: "/swagger" }),
  "the console": () => ({ port: portOf(app.consoleUrl), path: "/console/" }),
  "the provider's API": () => ({ port: Number(new URL(app.provider.url).port), path: "/cgi-bin/token" }),
  "the simulator's control routes": () => ({ port: Number(new URL(app.provider.url).port), path: "/sim/settings" }),
  "the model service": () => ({ port: model.port, path: "/api/version" }),
};
type Place = keyof typeof places;
const all = Object.keys(places) as Place[];

const closing = "Connection: close\r\n";
function ask(place: Place, head: (path: string) => string): Promise<string> {
  const { port, path } = places[place]();
  return requestText(port, `${head(path)}${closing}\r\n`);
}
const statusOf = (answer: string) => Number(answer.split(" ")[1]);
const askBy = (place: Place, host: string) => ask(place, (path) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n`);

const own = hostname();
const served = [
  "localhost",
  "LOCALHOST:1",
  "localhost.",
  "my.localhost:3080",
  "host.docker.internal:3080",
  "host.containers.internal",
  own,
  `${own.toUpperCase()}:11434`,
  `${own.split(".", 1)[0] ?? ""}.local`,
  "127.0.0.1:11434",
  "0.0.0.0",
  "192.168.1.5:3080",
  "8.8.8.8",
  "[::1]:11434",
  "[2001:db8::1]",
  "::1",
  "",
  "shop.example",
  "SHOP.example.:3080",
  "corp.example",
  "a.b.corp.example",
  "dotted.example",
];
const refused = [
  "evil.example",
  "evil.example:11434",
  "evil.local",
  "printer.local",
  "x.internal",
  "local",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "notlocalhost",
  "evilcorp.example",
  "a.shop.example",
  "0x7f000001",
];
const invalid = [
  "user@localhost",
  "localhost/evil",
  "localhost, evil.example",
  "[::1",
  "[localhost]",
  "localhost:80:80",
];

describe.each(all)("%s", (place) => {
  it.each(served)("answers to %j", async (host) => expect(statusOf(await askBy(place, host))).toBe(200));

  it.each(refused)("refuses %j with 403 and names the setting that would allow it", async (host) => {
    const answer = await askBy(place, host);
    expect(statusOf(answer)).toBe(403);
    expect(answer).toContain("allowed_hosts");
  });

  it.each(invalid)("refuses %j, which is no host, with 400", async (host) => {
    expect(statusOf(await askBy(place, host))).toBe(400);
  });

  it("refuses a request with no Host, or with two, with 400", async () => {
    const hosts = (...names: string[]) => names.map((name) => `Host: ${name}\r\n`).join("");
    for (const names of [[], ["localhost", "localhost"], ["localhost", "evil.example"]])
      expect(statusOf(await ask(place, (path) => `GET ${path} HTTP/1.1\r\n${hosts(...names)}`))).toBe(400);
    expect(statusOf(await ask(place, (path) => `GET ${path} HTTP/1.0\r\n`))).toBe(200);
  });

  it("goes by the host of a whole URL, and still asks for one Host header", async () => {
    const byUrl = (url: string, host: string) => ask(place, (path) => `GET http://${url}${path} HTTP/1.1\r\n${host}`);
    expect(statusOf(await byUrl("localhost", "Host: evil.example\r\n"))).toBe(200);
    expect(statusOf(await byUrl("evil.example", "Host: localhost\r\n"))).toBe(403);
    expect(statusOf(await byUrl("evil.example@localhost", "Host: localhost\r\n"))).toBe(400);
    expect(statusOf(await byUrl("localhost", ""))).toBe(400);
    expect(statusOf(await byUrl("localhost", "Host: localhost\r\nHost: localhost\r\n"))).toBe(400);
  });
});

describe("the hosts that the simulator stands in for", () => {
  const standsIn = ["api.mch.weixin.qq.com", "api2.mch.weixin.qq.com:443", "api.weixin.qq.com", "openapi.alipay.com"];

  it.each(standsIn)("%s serves the provider's API only", async (host) => {
    const statuses = await Promise.all(all.map(async (place) => [place, statusOf(await askBy(place, host))]));
    expect(Object.fromEntries(statuses)).toEqual({
      ...Object.fromEntries(all.map((place) => [place, 403])),
      "the provider's API": 200,
    });
  });

  it("do not serve the control routes, however their path is written", async () => {
    const { port } = places["the provider's API"]();
    for (const path of ["/sim/settings", "/SIM/settings", "/sim", "/sim/orders/H1/pay"]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: api.mch.weixin.qq.com\r\n${closing}\r\n`;
      expect(statusOf(await requestText(port, head)), path).toBe(403);
    }
  });
});

it("the setting * allows every name", async () => {
  await using open = await startRulesService({}, { allowedHosts: ["*"] });
  const head = `GET /api/version HTTP/1.1\r\nHost: evil.example\r\n${closing}\r\n`;
  expect(statusOf(await requestText(open.port, head))).toBe(200);
});
