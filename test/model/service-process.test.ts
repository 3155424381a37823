import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import type { RequestDelivery } from "../../server/contract/console/traffic/request-deliveries.ts";
import { freePort } from "../support/process/free-port.ts";
import { residentMb } from "../support/process/processes.ts";
import { listen } from "../support/process/listen.ts";
import { startModelProcess } from "../support/model/model-process.ts";
import { startRulesService } from "../support/model/model-service.ts";
import { writeRandomGguf } from "../support/model/random-gguf.ts";
import { startRunner } from "../support/model/runner-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const startModel = (env: Readonly<Record<string, string>> = {}) => startModelProcess(folder.path, env);

const holdPort = async (handler: RequestListener) => {
  const holder = createServer(handler);
  holder.listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  return {
    port: String(port),
    [Symbol.asyncDispose]: async () => {
      holder.close();
      holder.closeAllConnections();
    },
  };
};

/** An application server that notes which calls are delivered to it. */
const deliveries =
  (targets: string[]): RequestListener =>
  (req, res) =>
    void json(req).then((message) => {
      for (const { target } of (message as RequestDelivery).exchanges) targets.push(target);
      res.writeHead(202).end();
    });

describe("the model process", () => {
  it("reports its address, serves a chat through the runner, and stops on request", async () => {
    await using runner = await startRunner();
    await using model = await startModel({ HEARTH_RUNNER_SOCKET: runner.socketPath });
    const url = model.url;
    const reply = await fetch(`${url}/api/chat`, {
      method: "POST",
      body: JSON.stringify({
        model: "hearth-starter",
        messages: [{ role: "user", content: "What is Hearth?" }],
        stream: false,
      }),
    });
    expect(await reply.json()).toMatchObject({ message: { content: expect.stringContaining("Hearth") } });
    expect(await model.stop()).toBe(0);
  });

  it.runIf(process.platform === "linux")("gives back the memory of bodies whose clients have left", async () => {
    await using model = await startModel();
    const before = residentMb(model.pid);
    const part = Buffer.alloc(1_048_576, "x");
    const clients = Array.from({ length: 6 }, () => {
      const client = connect(Number(new URL(model.url).port), "127.0.0.1").on("error", () => undefined);
      client.write(`POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${String(60 * part.length)}\r\n\r\n`);
      for (let sent = 0; sent < 40; sent++) client.write(part);
      return client;
    });
    await expect.poll(() => clients.every(({ writableLength }) => writableLength === 0)).toBe(true);
    await expect.poll(() => residentMb(model.pid) - before).toBeGreaterThan(150);
    for (const client of clients) client.destroy();
    await expect.poll(() => residentMb(model.pid) - before).toBeLessThan(100);
  });

  it("serves the file of the setting model", async () => {
    const file = join(folder.path, "named one.gguf");
    writeRandomGguf(file);
    await using model = await startModel({ HEARTH_MODEL: file });
    const reply = await fetch(`${model.url}/api/tags`);
    expect(await reply.text()).toContain('"name":"named-one:latest"');
  });

  it.each([
    ["a missing file", "missing.gguf", "ENOENT"],
    ["a file that is no GGUF", "text.gguf", "not a GGUF file"],
  ])("refuses to start with %s as the setting model, and says so", async (_what, name, why) => {
    writeFileSync(join(folder.path, "text.gguf"), "this is certainly no GGUF file");
    await using model = await startModel({ HEARTH_MODEL: join(folder.path, name) });
    expect(model.message).toMatchObject({ type: "failed", code: "bad_model_file" });
    expect(model.message).toMatchObject({ message: expect.stringMatching(`--model .*${name}.*${why}`) });
    expect((await model.exited)[0]).toBe(1);
  });

  it("leaves a port to the Ollama that holds it and stays alive", async () => {
    await using ollama = await holdPort((_req, res) => res.end("Ollama is running"));
    await using model = await startModel({ HEARTH_MODEL_PORT: ollama.port });
    expect(model.message).toEqual({
      type: "ready",
      external: true,
      urls: { model: `http://127.0.0.1:${ollama.port}` },
    });
    expect(model.isRunning()).toBe(true);
    expect(await model.stop()).toBe(0);
  });

  it("is in order while the Ollama holds its port, and not once that has ended", async () => {
    const ollama = await holdPort((_req, res) => res.end("Ollama is running"));
    await using model = await startModel({ HEARTH_MODEL_PORT: ollama.port });
    expect(await model.problem()).toBeUndefined();
    await ollama[Symbol.asyncDispose]();
    expect(await model.problem()).toBe(`Ollama at http://127.0.0.1:${ollama.port} has stopped`);
  });

  it("takes no other Hearth that holds its port for an Ollama", async () => {
    await using other = await startRulesService({});
    await using model = await startModel({ HEARTH_MODEL_PORT: String(other.port) });
    expect(model.message).toMatchObject({
      type: "failed",
      code: "port_in_use",
      message: expect.stringMatching(`port ${String(other.port)} .* in use by another Hearth; .*--model-port`),
    });
  });

  it("fails when anything else holds its port, and names the port and the setting", async () => {
    await using other = await holdPort((_req, res) => res.end("somebody else"));
    await using model = await startModel({ HEARTH_MODEL_PORT: other.port });
    expect(model.message).toMatchObject({ type: "failed", code: "port_in_use" });
    expect(model.message).toMatchObject({
      message: expect.stringMatching(`port ${other.port} \\(setting model_port\\).*--model-port`),
    });
    expect((await model.exited)[0]).toBe(1);
  });

  it("starts whatever Ollama's variables say that Ollama would start with", async () => {
    const env = { OLLAMA_KV_CACHE_TYPE: "q5_1", OLLAMA_FLASH_ATTENTION: "0", OLLAMA_ORIGINS: "http://a.example/x" };
    await using model = await startModel(env);
    expect((await fetch(`${model.url}/api/version`)).status).toBe(200);
  });

  it("sends an event to the application server when a model is loaded and unloaded", async () => {
    const events: unknown[] = [];
    const tokens = new Set<string | undefined>();
    await using app = await listen((req, res) => {
      tokens.add(req.headers.authorization);
      let text = "";
      req.on("data", (chunk: Buffer) => (text += chunk.toString()));
      req.on("end", () => {
        if (req.url === "/console/api/events") events.push(JSON.parse(text));
        res.end();
      });
    });
    await using runner = await startRunner();
    await using model = await startModel({
      HEARTH_RUNNER_SOCKET: runner.socketPath,
      HEARTH_APP_URL: app.url,
      HEARTH_CONSOLE_TOKEN: "secret",
    });
    const url = `${model.url}/api/generate`;
    for (const more of [{}, { keep_alive: 0 }])
      await fetch(url, { method: "POST", body: JSON.stringify({ model: "hearth-starter", ...more }) });
    const event = (type: string) => ({
      source: "/model",
      type,
      subject: "hearth-starter:latest",
      data: { model: "hearth-starter:latest" },
    });
    await expect.poll(() => events).toEqual([event("model.loaded"), event("model.unloaded")]);
    expect([...tokens]).toEqual(["Bearer secret"]);
  });

  it("delivers to the application server's new address when that has moved", async () => {
    const targets: string[] = [];
    await using moved = await listen(deliveries(targets));
    const gone = `http://127.0.0.1:${String(await freePort())}`;
    await using model = await startModel({ HEARTH_APP_URL: gone, HEARTH_CONSOLE_TOKEN: "secret" });
    await fetch(`${model.url}/api/version`);
    const app = { name: "app", state: "up", urls: { app: moved.url }, restarts: 1, since: "" } as const;
    model.tell({ type: "services", services: [app] });
    await expect.poll(() => targets).toEqual(["/api/version"]);
  });

  it.each([
    ["delivers every call that it has answered, up to its stop, to be recorded", "true", 20],
    ["delivers none while record_requests is off", "false", 0],
  ])("%s", async (_what, record, count) => {
    const targets: string[] = [];
    await using app = await listen(deliveries(targets));
    const env = { HEARTH_APP_URL: app.url, HEARTH_CONSOLE_TOKEN: "secret", HEARTH_RECORD_REQUESTS: record };
    await using model = await startModel(env);
    const call = (index: number) => fetch(`${model.url}/api/version?${String(index)}`);
    await Promise.all(Array.from({ length: 19 }, (_, index) => call(index)));
    if (record === "true") await expect.poll(() => new Set(targets).size).toBe(19);
    await call(19);
    expect(await model.stop()).toBe(0);
    // The last one has been sent, but may still be read.
    await expect.poll(() => new Set(targets).size).toBe(count);
  });
});
