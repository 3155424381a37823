/** Loads: the window that they are made for, and lines that tell of them. */
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../../server/model/engine/engine.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { createServiceMetrics } from "../../../server/http/metrics/service-metrics.ts";
import { lines, startModelService, textOf, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { eventsOf } from "../../support/model/scripted-completions.ts";
import { createScriptedEngine, gate } from "../../support/model/scripted-engine.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, {
    files: { "tiny.gguf": {}, "other.gguf": { seed: 2 } },
    scheduling: { contextLength: 512, maxLoaded: 1 },
    metrics: createServiceMetrics(true),
  });
});
afterAll(() => service[Symbol.asyncDispose]());
/** Nothing is loaded when a test begins. */
beforeEach(async () => {
  engine.beforeLoad = () => undefined;
  for (const model of ["tiny", "other"]) await service.post("/api/generate", { model, keep_alive: 0 });
  await expect.poll(async () => ((await (await service.get("/api/ps")).json()) as Wire).models).toEqual([]);
});

const messages = [{ role: "user", content: "hi" }];
const chat = { model: "tiny", messages };

describe("the window of a load", () => {
  it("is set by OLLAMA_CONTEXT_LENGTH, where the request sets none", async () => {
    await service.post("/api/chat", { ...chat, stream: false });
    expect(engine.loads.at(-1)?.num_ctx).toBe(512);
    await service.post("/api/generate", { model: "tiny", prompt: "x", stream: false, options: { num_ctx: 600 } });
    expect(engine.loads.at(-1)?.num_ctx).toBe(600);
    expect(await (await service.post("/api/fit", { model: "other" })).json()).toMatchObject({ num_ctx: 512 });
  });
});

it("a load that does not go on is given up with the setting's name", async () => {
  using folder = temporaryFolder();
  const socketPath = join(folder.path, "r.sock");
  // A runner that is there, begins to load, and says nothing more.
  const stuck = createServer((req, res) => {
    res.write(
      `${JSON.stringify(req.url === "/presence" ? { type: "hello", pid: 1 } : { type: "progress", fraction: 0.1 })}\n`,
    );
  }).listen(socketPath);
  await once(stuck, "listening");
  const real = createRunnerEngine({ socketPath, loadStallMs: 2_000 });
  const load = real.load({ path: "x", num_ctx: 64 }, new AbortController().signal, () => undefined);
  await expect(load).rejects.toThrow(/has not gone on loading for 2 s \(OLLAMA_LOAD_TIMEOUT\)/);
  real.close();
  stuck.closeAllConnections();
  stuck.close();
});

describe("with progress asked for", () => {
  it("a chat and a generation send loading lines with every key first", async () => {
    const [first, ...rest] = await lines(await service.post("/api/chat", { ...chat, progress: true }));
    expect(first).toEqual({
      model: "tiny",
      created_at: expect.any(String),
      message: { role: "assistant", content: "" },
      done: false,
      load_progress: 0.5,
    });
    expect(textOf(rest)).toBe("Hello");
    const [other] = await lines(await service.post("/api/generate", { model: "other", prompt: "x", progress: true }));
    expect(other).toMatchObject({ response: "", done: false, load_progress: 0.5 });
    const again = await lines(await service.post("/api/generate", { model: "other", prompt: "x", progress: true }));
    expect(again.some((line) => "load_progress" in line)).toBe(false);
  });

  it("a plain load sends lines, too; without progress it is one object", async () => {
    const told = await lines(await service.post("/api/generate", { model: "tiny", progress: true }));
    expect(told.map(({ load_progress, done_reason }) => load_progress ?? done_reason)).toEqual([0.5, "load"]);
    const reply = await service.post("/api/generate", { model: "other" });
    expect(reply.headers.get("content-type")).toContain("application/json");
    const whole = await service.post("/api/chat", { model: "tiny", progress: true, stream: false });
    expect(await whole.json()).toMatchObject({ done: true, done_reason: "load", message: { content: "" } });
  });

  it("every client that waits for a load gets its progress", async () => {
    const { opened, open } = gate();
    engine.beforeLoad = () => opened;
    const both = [1, 2].map(async () => lines(await service.post("/api/chat", { ...chat, progress: true })));
    await expect.poll(service.waiting).toBe(2);
    open();
    for (const all of await Promise.all(both)) expect(all[0]).toMatchObject({ load_progress: 0.5 });
  });

  it("a load that fails before its first line keeps its status", async () => {
    engine.beforeLoad = () => {
      throw new EngineError("load_failed", "broken");
    };
    const reply = await service.post("/api/chat", { ...chat, progress: true });
    expect([reply.status, await reply.json()]).toEqual([500, { error: "broken" }]);
  });

  it("a client that leaves during the load does not stop it for others", async () => {
    const { opened, open } = gate();
    engine.beforeLoad = () => opened;
    const [leaving, before] = [new AbortController(), engine.loads.length];
    const gone = service.post("/api/chat", { ...chat, progress: true }, { signal: leaving.signal });
    await expect.poll(() => engine.loads.length).toBe(before + 1);
    leaving.abort();
    await expect(gone).rejects.toThrow();
    open();
    engine.beforeLoad = () => undefined;
    expect((await service.post("/api/chat", { ...chat, stream: false })).status).toBe(200);
  });

  it("POST /v1/messages hides the progress that it asks for internally", async () => {
    const body = { ...chat, max_tokens: 9, stream: true };
    const events = await eventsOf(await service.post("/v1/messages", body));
    expect(events.map(({ name }) => name)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
  });
});
