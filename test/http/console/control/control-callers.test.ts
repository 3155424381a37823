/** Who may control Hearth: the console, its API and the simulator's control routes, by Origin, site and address. */
import { mkdir, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portOf } from "../../../../server/contract/own-url.ts";
import { listenFrom } from "../../../support/process/listen-from.ts";
import { requestText } from "../../../support/app/raw-request.ts";
import { consoleToken, startTestApp, type TestApp } from "../../../support/app/test-app.ts";

/** Where callers come from that are not on this machine: a phone in the network, and a container beside ours. */
const [phone, neighbour] = ["192.168.77.20", "172.18.0.3"];

type Door = Awaited<ReturnType<typeof listenFrom>>;
let app: TestApp;
const doors: Record<string, Record<"console" | "sim", Door>> = {};
beforeAll(async () => {
  app = await startTestApp();
  await mkdir(join(app.folder, "renderer", "assets"), { recursive: true });
  await writeFile(join(app.folder, "renderer", "index.html"), "<!doctype html><title>Hearth</title>");
  await writeFile(join(app.folder, "renderer", "assets", "page.js"), "//");
  for (const address of [phone, neighbour, `::ffff:${phone}`, "fe80::1%eth0", "2001:db8::7"])
    doors[address] = {
      console: await listenFrom(app.consoleServer, address),
      sim: await listenFrom(app.provider.server, address),
    };
});
afterAll(async () => {
  const all = Object.values(doors).flatMap((one) => [one.console, one.sim]);
  await Promise.all(all.map((door) => door[Symbol.asyncDispose]()));
  await app[Symbol.asyncDispose]();
});

/** What each answers to whoever is let in; of an order that is not there, that it is not. */
const targets = {
  "the simulator": { service: "sim", method: "GET", path: "/sim/settings", answers: 200 },
  "a payment": { service: "sim", method: "POST", path: "/sim/orders/NONE000001/pay", answers: 404 },
  "the buyer's page": { service: "sim", method: "GET", path: "/sim/pay/wxnone", answers: 404 },
  "the simulator's description": { service: "sim", method: "GET", path: "/sim/swagger", answers: 200 },
  "the console's API": { service: "console", method: "GET", path: "/console/api/overview", answers: 200 },
  "a console page": { service: "console", method: "GET", path: "/console/uploads", answers: 200 },
  "a file of the console": { service: "console", method: "GET", path: "/console/assets/page.js", answers: 200 },
} as const;
type Target = keyof typeof targets;

interface Call {
  /** Where it comes from; this machine unless given. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const withToken = { Authorization: `Bearer ${consoleToken}` };

async function statusOf(target: Target, { from, headers = {} }: Call): Promise<number> {
  const { service, method, path } = targets[target];
  const own = portOf(service === "console" ? app.consoleUrl : app.provider.url);
  const port = from === undefined ? own : (doors[from]?.[service].port ?? 0);
  const sent = { Host: `127.0.0.1:${String(port)}`, Connection: "close", ...headers };
  const head = Object.entries(sent).map(
    ([name, value]) => `${name}: ${value.replaceAll("OWN", `127.0.0.1:${port}`)}\r\n`,
  );
  return Number((await requestText(port, `${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n`)).split(" ")[1]);
}

/** How each target answers: `in` when the call was let in, else the status of its refusal. */
async function outcomes(call: Call): Promise<Record<Target, number | "in">> {
  const results = (Object.keys(targets) as Target[]).map(async (target) => {
    const status = await statusOf(target, call);
    return [target, status === targets[target].answers ? "in" : status];
  });
  return Object.fromEntries(await Promise.all(results)) as Record<Target, number | "in">;
}
const everywhere = (outcome: number | "in") =>
  Object.fromEntries(Object.keys(targets).map((target) => [target, outcome])) as Record<Target, number | "in">;

/** From this machine only the console's API asks for the token. */
const asLocal = { ...everywhere("in"), "the console's API": 401 };
/** The pages hold nothing of a run; whoever signs in begins there. */
const asStranger = { ...everywhere(401), "a console page": "in", "a file of the console": "in" };

/** What programs send of themselves, as it was seen on the wire. */
const programs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  curl: { "User-Agent": "curl/8.14.1", Accept: "*/*" },
  wget: { "User-Agent": "Wget/1.25.0", Accept: "*/*", "Accept-Encoding": "identity" },
  HTTPie: { "User-Agent": "HTTPie/3.2.4", "Accept-Encoding": "gzip, deflate", Accept: "*/*" },
  Postman: {
    "User-Agent": "PostmanRuntime/7.49.1",
    Accept: "*/*",
    "Cache-Control": "no-cache",
    "Postman-Token": "5e0c1bd8-0f49-44a9-8b39-bb2b5f1a1a60",
    "Accept-Encoding": "gzip, deflate, br",
  },
  Insomnia: { "User-Agent": "insomnia/12.0.0", Accept: "*/*" },
  "Node's fetch": {
    accept: "*/*",
    "accept-language": "*",
    "sec-fetch-mode": "cors",
    "user-agent": "node",
    "accept-encoding": "gzip, deflate",
  },
  "Node's http": {},
  axios: {
    Accept: "application/json, text/plain, */*",
    "User-Agent": "axios/1.13.2",
    "Accept-Encoding": "gzip, compress, deflate, br",
  },
  "wechatpay-axios-plugin": {
    Accept: "application/json, text/plain, */*",
    "User-Agent": "wechatpay-axios-plugin/0.9.4 axios/1.13.2 node/24.11.0 linux/x64",
  },
  "wechatpay-node-v3": { Accept: "application/json", "User-Agent": "node-superagent/10.2.3" },
  Bun: { Accept: "*/*", "User-Agent": "Bun/1.3.3", "Accept-Encoding": "gzip, deflate, br, zstd" },
  Deno: { accept: "*/*", "accept-language": "*", "user-agent": "Deno/2.5.6", "accept-encoding": "gzip,br" },
  "Python's requests": { "User-Agent": "python-requests/2.32.5", "Accept-Encoding": "gzip, deflate", Accept: "*/*" },
  "Python's urllib": { "Accept-Encoding": "identity", "User-Agent": "Python-urllib/3.14" },
  "Python's httpx": { Accept: "*/*", "Accept-Encoding": "gzip, deflate", "User-Agent": "python-httpx/0.28.1" },
  "Java's HttpClient": {
    Connection: "Upgrade, HTTP2-Settings",
    "HTTP2-Settings": "AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA",
    Upgrade: "h2c",
    "User-Agent": "Java-http-client/25",
  },
  "Java's HttpURLConnection": { "User-Agent": "Java/25", Accept: "text/html, image/gif, image/jpeg, */*; q=0.2" },
  OkHttp: { "Accept-Encoding": "gzip", "User-Agent": "okhttp/5.3.0" },
  "PHP's streams": {},
  Guzzle: { "User-Agent": "GuzzleHttp/7" },
  Go: { "User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip" },
  Ruby: {
    "Accept-Encoding": "gzip;q=1.0,deflate;q=0.6,identity;q=0.3",
    Accept: "*/*",
    "User-Agent": "Ruby",
  },
  ".NET": {},
  "Rust's reqwest": { accept: "*/*" },
  "a check of a load balancer": { "User-Agent": "kube-probe/1.34", Accept: "*/*" },
};

describe.each(Object.entries(programs))("%s", (_name, headers) => {
  it("is let in from this machine, and asked for the token only by the console's API", async () => {
    expect(await outcomes({ headers })).toEqual(asLocal);
    expect(await outcomes({ headers: { ...headers, ...withToken } })).toEqual(everywhere("in"));
  });

  it("is let in from another machine with the token, and with nothing else", async () => {
    expect(await outcomes({ headers, from: neighbour })).toEqual(asStranger);
    expect(await outcomes({ headers: { ...headers, ...withToken }, from: neighbour })).toEqual(everywhere("in"));
    expect(await outcomes({ headers: { ...headers, Authorization: "Bearer x" }, from: phone })).toEqual(asStranger);
  });
});

describe("a caller's address", () => {
  it.each([phone, `::ffff:${phone}`, "fe80::1%eth0", "2001:db8::7"])("%s is not this machine's", async (from) => {
    expect(await outcomes({ from })).toEqual(asStranger);
  });

  it("is this machine's where any of its interfaces has it", async () => {
    const own = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
    for (const address of own.map((one) => one.address)) {
      await using door = await listenFrom(app.provider.server, address);
      const reply = await fetch(`${door.url}/sim/settings`);
      expect(reply.status, address).toBe(200);
      await reply.text();
    }
  });

  it("does not count where a request says that it was passed on", async () => {
    for (const headers of [
      { "X-Forwarded-For": "127.0.0.1" },
      { "X-Forwarded-Host": "shop.example" },
      { "X-Forwarded-Proto": "https" },
      { "X-Real-IP": "127.0.0.1" },
      { Forwarded: "for=127.0.0.1" },
      { Via: "1.1 proxy" },
      { "CF-Connecting-IP": "203.0.113.9" },
      { "True-Client-IP": "203.0.113.9" },
    ] as Record<string, string>[]) {
      expect(await outcomes({ headers }), JSON.stringify(headers)).toEqual(asStranger);
      expect(await outcomes({ headers: { ...headers, ...withToken } })).toEqual(everywhere("in"));
    }
  });

  it("without access is answered with the header to send", async () => {
    const reply = await fetch(`${doors[phone]?.sim.url ?? ""}/sim/settings`);
    expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await reply.json()).toMatchObject({
      code: "console_token_required",
      Message: expect.stringMatching(/Authorization: Bearer.*--ready-file/),
    });
  });
});

describe("a browser", () => {
  const site = (of: string, mode = "cors", more: Record<string, string> = {}) => ({
    headers: { "Sec-Fetch-Site": of, "Sec-Fetch-Mode": mode, ...withToken, ...more },
  });
  const pages = {
    "the buyer's page": "in",
    "the simulator's description": "in",
    "a console page": "in",
    "a file of the console": "in",
  } as const;

  it("is let in by the pages of the service itself, and by an address that was typed", async () => {
    expect(await outcomes(site("same-origin"))).toEqual(everywhere("in"));
    expect(await outcomes(site("same-origin", "cors", { Origin: "http://OWN" }))).toEqual(everywhere("in"));
    expect(await outcomes(site("same-origin", "cors", { Origin: "https://OWN" }))).toEqual(everywhere("in"));
    expect(await outcomes(site("none", "navigate"))).toEqual(everywhere("in"));
  });

  it.each(["cross-site", "same-site"])("asks nothing for a %s page, though it sends no Origin", async (of) => {
    expect(await outcomes(site(of, "no-cors"))).toEqual(everywhere(403));
    expect(await outcomes(site(of, "cors"))).toEqual(everywhere(403));
  });

  it.each(["cross-site", "same-site"])(
    "follows a link of a %s page to pages alone, in a tab and no frame",
    async (of) => {
      const inTab = { "Sec-Fetch-Dest": "document" };
      expect(await outcomes(site(of, "navigate", inTab))).toEqual({ ...everywhere(403), ...pages });
      expect(await outcomes(site(of, "navigate", { "Sec-Fetch-Dest": "iframe" }))).toEqual(everywhere(403));
    },
  );

  it("asks nothing for a page of another origin", async () => {
    for (const Origin of ["null", "https://evil.example", "http://localhost:5173", "http://127.0.0.1:1"]) {
      expect(await outcomes({ headers: { Origin, ...withToken } }), Origin).toEqual(everywhere(403));
      expect(await outcomes(site("same-origin", "navigate", { Origin })), Origin).toEqual(everywhere(403));
    }
  });

  it("reaches the console through a port forwarder that serves it at a name of its own, by the token", async () => {
    const forwarded = { "X-Forwarded-Host": "quiet-lake-3080.app.github.dev", "X-Forwarded-Proto": "https" };
    const Origin = "https://quiet-lake-3080.app.github.dev";
    expect(await outcomes(site("same-origin", "cors", { ...forwarded, Origin }))).toEqual(everywhere("in"));
    expect(await outcomes({ headers: { ...forwarded, Origin } })).toEqual(asStranger);
    expect(await outcomes(site("cross-site", "cors", { ...forwarded, Origin }))).toEqual(everywhere(403));
  });
});

it("The console's page drives the simulator from another machine, too, once it has the token", async () => {
  const through = (from: string) => `${doors[from]?.console.url ?? ""}/console/api/provider/sim/users/afar/login`;
  const forwarded = { "X-Forwarded-For": phone };
  const reply = await fetch(through(phone), { method: "POST", headers: { ...withToken, ...forwarded } });
  expect([reply.status, await reply.json()]).toEqual([200, { code: expect.any(String), errMsg: "login:ok" }]);
  expect((await fetch(through(phone), { method: "POST" })).status).toBe(401);
});
