import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceMetrics } from "../../../server/http/metrics/service-metrics.ts";
import { openKeyFile } from "../../../server/process/keys/key-file.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { requestText } from "../../support/app/raw-request.ts";
import { familyTemplates, weatherTool } from "../../support/model/family-templates.ts";
import { startModelService, type ModelService } from "../../support/model/model-service.ts";
import { createScriptedEngine, type ScriptedEngine } from "../../support/model/scripted-engine.ts";

const authorized = { Authorization: `Bearer ${consoleToken}` };
const elsewhere = { "X-Forwarded-For": "203.0.113.9" };
const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text();
/** The value of the series with this beginning. */
const valueOf = (text: string, series: string) => {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
};

let app: TestApp;
let model: ModelService;
let engine: ScriptedEngine;
beforeAll(async () => {
  app = await startTestApp({ settings: { metrics: true } });
  engine = createScriptedEngine();
  model = await startModelService(engine, { files: { "m.gguf": {} }, metrics: createServiceMetrics(true) });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

describe("metrics that are switched off", () => {
  it("are nowhere, and change no header of an answer", async () => {
    await using off = await startTestApp();
    await using quiet = await startModelService(createScriptedEngine());
    for (const url of [off.url, off.provider.url, quiet.url])
      expect(await (await fetch(`${url}/metrics`)).text()).not.toContain("# TYPE");
    const namesAt = async (url: string) => [...(await fetch(`${url}/api/articles`)).headers.keys()];
    expect(await namesAt(off.url)).toEqual(await namesAt(app.url));
  });

  it("add no instrument, no timer and no step to a service", () => {
    const before = process.getActiveResourcesInfo().length;
    expect(createServiceMetrics(false)).toBeUndefined();
    createServiceMetrics(true);
    expect(process.getActiveResourcesInfo()).toHaveLength(before);
  });
});

describe("metrics of HTTP", () => {
  it("name the route as it is defined, not the path that was asked", async () => {
    const headers = await app.loggedIn();
    for (const id of ["101", "102", "103"]) await fetch(`${app.url}/api/articles/${id}`, { headers });
    for (const made of ["/api/made-up-1", "/api/made-up-2"]) await fetch(app.url + made);
    await requestText(app.port, "PURGE /api/articles HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const text = await metricsOf(app.url);
    const series = (method: string, status: number, route: string) =>
      `http_server_request_duration_seconds_count{http_request_method="${method}",http_response_status_code="${String(status)}",http_route="${route}"}`;
    expect(valueOf(text, series("GET", 404, "/api/articles/{id}"))).toBe(3);
    expect(valueOf(text, series("GET", 404, ""))).toBe(2);
    expect(valueOf(text, series("_OTHER", 405, ""))).toBe(1);
    expect(text).not.toMatch(/made-up|\/101/);
    expect(valueOf(text, "http_server_active_requests")).toBe(1);
  });

  it("name the routes of the simulator and of the model service, too", async () => {
    await app.sim("alice", "login");
    await fetch(`${app.provider.url}/cgi-bin/token`);
    await fetch(`${app.provider.url}/pay/unifiedorder`, { method: "POST", body: "<xml/>" });
    await model.get("/api/tags");
    const provider = await metricsOf(app.provider.url);
    for (const route of ["/sim/users/{name}/login", "/cgi-bin/token", "/pay/unifiedorder"])
      expect(provider).toContain(`http_route="${route}"`);
    expect(await metricsOf(model.url)).toContain('http_route="/api/tags"');
  });
});

it("tell events, their readers and orders", async () => {
  await app.login("bob");
  const stream = await fetch(`${app.url}/console/api/events/stream`, { headers: authorized });
  const headers = await app.loggedIn("bob");
  await app.post(`${app.url}/api/orders`, { description: "Tea", amount: 199 }, headers);
  const text = await metricsOf(app.url);
  expect(valueOf(text, 'hearth_events_total{type="session.created"}')).toBeGreaterThanOrEqual(1);
  expect(valueOf(text, "hearth_event_stream_clients")).toBe(1);
  expect(valueOf(text, 'hearth_orders{trade_state="NOTPAY"}')).toBe(1);
  await stream.body?.cancel();
});

it("of models tell queue, tokens, cache hits, times and memory", async () => {
  engine.cached = 3;
  await (await model.post("/api/generate", { model: "m", prompt: "Hello" })).text();
  const { promise: gone, resolve: letGo } = Promise.withResolvers<void>();
  engine.steps = [{ until: gone }, "x"];
  const running = model.post("/api/generate", { model: "m", prompt: "Hello" });
  await expect.poll(async () => valueOf(await metricsOf(model.url), "hearth_model_requests_running")).toBe(1);
  letGo();
  await (await running).text();
  const text = await metricsOf(model.url);
  const labels = '{gen_ai_request_model="m:latest"}';
  expect(valueOf(text, `hearth_model_generated_tokens_total${labels}`)).toBe(3);
  expect(valueOf(text, `hearth_model_prompt_tokens_total${labels}`)).toBeGreaterThan(0);
  expect(valueOf(text, `hearth_model_prompt_cached_tokens_total${labels}`)).toBe(6);
  expect(valueOf(text, `gen_ai_server_time_to_first_token_seconds_count${labels}`)).toBe(2);
  expect(valueOf(text, "hearth_model_requests_waiting")).toBe(0);
  expect(valueOf(text, "hearth_model_loaded")).toBe(1);
  expect(valueOf(text, 'hearth_model_memory_bytes{gen_ai_request_model="m:latest",memory="system"}')).toBe(1000);
});

it("of models count the calls that were read although their markup is wrong", async () => {
  const scripted = createScriptedEngine();
  const files = { "c.gguf": { chatTemplate: familyTemplates.qwenCoder } };
  await using coder = await startModelService(scripted, { files, metrics: createServiceMetrics(true) });
  const tools = [{ type: "function", function: weatherTool }];
  const chat = async (call: string) => {
    scripted.steps = [call];
    const body = { model: "c", messages: [{ role: "user", content: "x" }], tools, stream: false };
    return (await coder.post("/api/chat", body)).json();
  };
  const call = "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>";
  await chat(`<tool_call>\n${call}`);
  const reply = await chat(call);
  expect(reply).toMatchObject({ message: { tool_calls: [{ function: { name: "get_weather" } }] } });
  expect(JSON.stringify(reply)).not.toContain("isRecovered");
  const series = 'hearth_model_recovered_calls_total{gen_ai_request_model="c:latest"}';
  expect(valueOf(await metricsOf(coder.url), series)).toBe(1);
});

describe("whoever asks for metrics", () => {
  it("needs nothing on this machine, elsewhere the console's token or a key with metrics:read", async () => {
    const keys = openKeyFile(app.folder);
    const reader = (await keys.add({ name: "prometheus", scopes: ["metrics:read"], limits: {} })).secret;
    const user = (await keys.add({ name: "phone", scopes: ["model:use"], limits: {} })).secret;
    for (const url of [app.url, app.provider.url]) {
      const ask = async (headers: Record<string, string>) => (await fetch(`${url}/metrics`, { headers })).status;
      expect(await ask({})).toBe(200);
      expect(await ask(elsewhere)).toBe(401);
      expect(await ask({ ...elsewhere, ...authorized })).toBe(200);
      expect(await ask({ ...elsewhere, Authorization: `Bearer ${reader}` })).toBe(200);
      expect(await ask({ ...elsewhere, Authorization: `Bearer ${user}` })).toBe(403);
      expect(await ask({ Origin: "http://evil.example" })).toBe(403);
    }
    const byName = await requestText(
      app.port,
      "GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    expect(byName).toMatch(/^HTTP\/1.1 403 /);
    expect((await model.get("/metrics", { headers: elsewhere })).status).toBe(401);
  });
});

it("pass promtool's check at every service", async () => {
  for (const url of [app.url, app.provider.url, model.url]) {
    const checked = spawnSync("promtool", ["check", "metrics"], { input: await metricsOf(url), encoding: "utf8" });
    expect([checked.status, checked.stdout, checked.stderr]).toEqual([0, "", ""]);
  }
});
