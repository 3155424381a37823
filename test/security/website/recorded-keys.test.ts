/** A key that a client has put into the wrong place: who reads records, logs and exports must find no key to use. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CreatedKey } from "../../../server/contract/console/key-endpoints.ts";
import { hideKeys } from "../../../server/contract/process/access-keys.ts";
import { hideCredentials } from "../../../server/contract/process/hide-credentials.ts";
import { createLog } from "../../../server/process/log.ts";
import { createLogPrinter } from "../../../server/process/terminal/print-log.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

const authorized = { Authorization: `Bearer ${consoleToken}` };
let app: TestApp;
let secret: string;
beforeAll(async () => {
  app = await startTestApp();
  const made = await app.post(`${app.url}/console/api/keys`, { name: "ci", scopes: ["model:use"] }, authorized);
  ({ secret } = (await made.json()) as CreatedKey);
});
afterAll(() => app[Symbol.asyncDispose]());

const read = async (path: string) => (await fetch(`${app.url}/console/api/${path}`, { headers: authorized })).text();
const list = async () =>
  (JSON.parse(await read("requests?limit=100")) as { requests: { id: number; path: string }[] }).requests;

/** All that the console shows and exports of the request with this path. */
async function shownOf(path: string): Promise<string> {
  await expect.poll(async () => (await list()).map((one) => one.path)).toContain(path);
  const { id } = (await list()).find((one) => one.path === path) ?? { id: 0 };
  const parts = [`${String(id)}`, `${String(id)}/snippets/curl`, `${String(id)}/snippets/fetch`, "har"];
  return (await Promise.all(["", ...parts.map((part) => `/${part}`)].map((part) => read(`requests${part}`)))).join(
    "\n",
  );
}

const form = (value: string) => {
  const data = new FormData();
  data.append("note", value);
  return data;
};
const places: Record<string, (value: string) => readonly [target: string, init?: RequestInit]> = {
  "a query": (value) => [`?key=${value}`],
  "a header": (value) => ["", { headers: { "X-Note": `it is ${value}.` } }],
  "a request id": (value) => ["", { headers: { "X-Request-Id": value } }],
  "a cookie": (value) => ["", { headers: { Cookie: `note=${value}` } }],
  "a form": (value) => ["", { method: "POST", body: new URLSearchParams({ note: value }) }],
  JSON: (value) => ["", { method: "POST", body: JSON.stringify({ note: [value] }) }],
  "a multipart form": (value) => ["", { method: "POST", body: form(value) }],
  "plain text": (value) => ["", { method: "POST", body: `take ${value}`, headers: { "Content-Type": "text/plain" } }],
};

describe("the records of requests", () => {
  it.each(Object.keys(places))("show no key from %s, nor the console's token", async (place) => {
    for (const [name, value] of [
      ["key", secret],
      ["token", consoleToken],
    ] as const) {
      const path = `/api/${encodeURIComponent(place)}-${name}`;
      const [query, init] = places[place]?.(value) ?? [""];
      await fetch(`${app.url}${path}${query}`, init);
      expect(await shownOf(path)).not.toContain(value);
    }
  });

  it("show none that is percent-encoded", async () => {
    const encoded = secret.replaceAll("_", "%5F").replaceAll("-", "%2d");
    await fetch(`${app.url}/api/encoded?key=${encoded}`);
    const shown = await shownOf("/api/encoded");
    for (const written of [encoded, secret]) expect(shown).not.toContain(written);
  });

  it("show none from a path, nor from the answer that repeats it", async () => {
    await fetch(`${app.url}/api/in-a-path/${secret}`);
    expect(await shownOf("/api/in-a-path/hearth_…")).not.toContain(secret);
  });

  it("show none from the simulator's control routes", async () => {
    await fetch(`${app.provider.url}/sim/no-such-route?key=${secret}`);
    expect(await shownOf("/sim/no-such-route")).not.toContain(secret);
  });
});

it("events hold none", async () => {
  const body = new URLSearchParams({ df: `/srv/${secret}.txt`, ev: "create" });
  expect((await fetch(`${app.url}/api/inotify/`, { method: "POST", body })).status).toBe(202);
  await expect.poll(() => read("events?type=file.changed")).toContain("/srv/hearth_…");
  expect(await read("events")).not.toContain(secret);
});

it("log lines hold none, whoever prints them", () => {
  const lines: string[] = [];
  const out = { write: (line: string) => void lines.push(line) };
  createLog("app", { log_level: "info" }, out).info({ path: `/x?key=${secret}` }, `asked with ${secret}`);
  createLogPrinter({ json: false, log_level: "info" }, out).line("app", `Error: ${secret}`);
  createLogPrinter({ json: true, log_level: "info" }, out).say("info", "hearth", secret);
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).not.toContain(secret.slice(0, 20));
});

it("a refusal that quotes what was given holds none", () => {
  expect(hideCredentials(`--to: "${secret}" is not valid`)).toBe('--to: "hearth_…" is not valid');
});

it("a text that is cut within a key shows nothing of it, and other names are left as they are", () => {
  expect(hideKeys(`a=1&key=${secret.slice(0, 40)}`, true)).toBe("a=1&key=hearth_…");
  const others = "hearth_console_3080=abc hearth_requests_total hearth_model_prompt_tokens_total";
  expect(hideKeys(others)).toBe(others);
});
