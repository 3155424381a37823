/** A website answers to a name that this machine has in the network, and then has it mean this machine (DNS rebinding). */
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestText } from "../../support/app/raw-request.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { startRulesService, type ModelService } from "../../support/model/model-service.ts";

const local = `${hostname().toLowerCase().split(".", 1)[0] ?? ""}.local`;
const names = ["host.docker.internal", "host.containers.internal", local];

let app: TestApp;
let model: ModelService;
let open: { app: TestApp; model: ModelService };
beforeAll(async () => {
  app = await startTestApp();
  model = await startRulesService({});
  open = {
    app: await startTestApp({ settings: { allowed_hosts: names } }),
    model: await startRulesService({}, { allowedHosts: names }),
  };
});
afterAll(() => Promise.all([app, model, open.app, open.model].map((one) => one[Symbol.asyncDispose]())));

interface Ports {
  readonly app: TestApp;
  readonly model: ModelService;
}
const providerPort = (of: TestApp) => Number(new URL(of.provider.url).port);
const closed = {
  "the console": (of: Ports) => [of.app.port, "/console/client.js"],
  "the metrics of the application server": (of: Ports) => [of.app.port, "/metrics"],
  "the simulator's control routes": (of: Ports) => [providerPort(of.app), "/sim/settings"],
  "the platform's API": (of: Ports) => [providerPort(of.app), "/cgi-bin/token"],
  "the model service": (of: Ports) => [of.model.port, "/api/version"],
} as const satisfies Record<string, (of: Ports) => [number, string]>;
const forPages = {
  "the application server's API": (of: Ports) => [of.app.port, "/swagger/docs/v1"],
  "the payment page": (of: Ports) => [providerPort(of.app), "/pay/h5?prepay_id=x"],
} as const satisfies Record<string, (of: Ports) => [number, string]>;

async function statusAt([port, path]: readonly [number, string], host: string, ...headers: string[]): Promise<number> {
  const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}:${String(port)}`, ...headers, "Connection: close", "", ""];
  return Number((await requestText(port, lines.join("\r\n"))).split(" ")[1]);
}

const ofBrowsers = [
  "Accept-Language: en",
  "Accept-Language: *\r\nAccept-Encoding: gzip, deflate", // a page can set the languages
  "Accept-Language: *\r\nAccept-Encoding: gzip, deflate, br, zstd",
  "Accept-Language: *\r\nAccept-Encoding: identity\r\nRange: bytes=0-",
  "Accept-Language:",
  "Referer: http://NAME:8080/",
  "Origin: http://NAME:8080",
  "Sec-Fetch-Site: same-origin",
  "Sec-Fetch-Mode: navigate",
  "Sec-Fetch-Dest: empty",
];
/** What the fetch of Node and of Deno sends: the clients that containers run on them have no header of a browser alone. */
const ofPrograms = [
  [],
  ["Accept-Language: *", "Sec-Fetch-Mode: cors", "Accept-Encoding: gzip, deflate"],
  ["Accept-Language: *", "Accept-Encoding: gzip,br"],
  ["Accept-Language: *"],
];

describe.each(Object.keys(closed) as (keyof typeof closed)[])("%s", (place) => {
  it.each(names)("refuses browsers that ask for %s", async (name) => {
    for (const header of ofBrowsers)
      expect(await statusAt(closed[place]({ app, model }), name, header.replace("NAME", name)), header).toBe(403);
  });

  it.each(names)("answers programs that ask for %s", async (name) => {
    for (const headers of ofPrograms)
      expect(await statusAt(closed[place]({ app, model }), name, ...headers)).not.toBe(403);
  });

  it.each(names)("answers browsers that ask for %s once allowed_hosts names it", async (name) => {
    expect(await statusAt(closed[place](open), name, "Accept-Language: en")).not.toBe(403);
  });
});

it.each(Object.keys(forPages) as (keyof typeof forPages)[])("%s is for browsers, too, by each name", async (place) => {
  for (const name of names)
    expect(await statusAt(forPages[place]({ app, model }), name, "Accept-Language: en"), name).not.toBe(403);
});

it("a proxy on this machine that is believed opens no such name to browsers, whether it names it or goes by it", async () => {
  await using behind = await startTestApp({ settings: { trusted_proxies: ["127.0.0.1"] } });
  const browser = ["X-Forwarded-For: 10.0.0.7", "Accept-Language: en"];
  const page = [behind.port, "/console/client.js"] as const;
  expect(await statusAt(page, "localhost", ...browser, `X-Forwarded-Host: ${local}`)).toBe(403);
  expect(await statusAt(page, local, ...browser, "X-Forwarded-Host: localhost")).toBe(403);
  expect(await statusAt(page, "localhost", ...browser)).toBe(200);
});
