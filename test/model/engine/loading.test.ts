/** Loads: the window that they are made for, and lines that tell of them. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../../server/model/engine/engine.ts";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { createServiceMetrics } from "../../../server/http/metrics/service-metrics.ts";
import { lines, startModelService, textOf, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { eventsOf } from "../../support/model/scripted-completions.ts";
import { createScriptedEngine, gate } from "../../support/model/scripted-engine.ts";
import { eventually } from "../../support/eventually.ts";
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

describe("the runner's own pace", () => {
  const never = new AbortController().signal;
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const loadedLine = (id: string) =>
    line({
      type: "loaded",
      id,
      context_length: 64,
      size: 1,
      size_vram: 0,
      threads: 1,
      sequences: 1,
      can_infill: false,
      can_rank: false,
      bos_token: "",
      eos_token: "",
    });

  /** A runner that is there, and does what the test says with loads and unloads. */
  async function scriptedRunner(answer: (method: string, res: ServerResponse, body: { id: string }) => void) {
    const folder = temporaryFolder();
    const socketPath = join(folder.path, "r.sock");
    const asked: string[] = [];
    const server = createServer((req, res) => {
      if (req.url === "/presence") return void res.write(line({ type: "hello", pid: 1 }));
      void text(req).then((body) => {
        asked.push(`${req.method ?? ""} ${req.url ?? ""}`);
        answer(req.method ?? "", res, body === "" ? {} : JSON.parse(body));
      });
    }).listen(socketPath);
    await once(server, "listening");
    return {
      socketPath,
      asked,
      [Symbol.dispose]() {
        server.closeAllConnections();
        server.close();
        folder[Symbol.dispose]();
      },
    };
  }

  it("a load that does not go on is given up with the setting's name", async () => {
    using stuck = await scriptedRunner((_method, res) => void res.write(line({ type: "progress", fraction: 0.1 })));
    const real = createRunnerEngine({ socketPath: stuck.socketPath, loadStallMs: 2_000 });
    const load = real.load({ path: "x", num_ctx: 64 }, never, () => undefined);
    await expect(load).rejects.toThrow(/has made no progress for 2 s \(OLLAMA_LOAD_TIMEOUT\)/);
    real.close();
  });

  it("an unload is over when the runner has freed the memory, however long that takes", async () => {
    const waitMs = 50;
    let isFree = false;
    using slow = await scriptedRunner((method, res) => {
      if (method === "POST") return void res.end(loadedLine("one"));
      setTimeout(() => {
        isFree = true;
        res.end(line({}));
      }, 10 * waitMs);
    });
    const real = createRunnerEngine({ socketPath: slow.socketPath, waitMs });
    const model = await eventually(() => real.load({ path: "x", num_ctx: 64 }, never));
    await model.unload();
    expect(isFree).toBe(true);
    real.close();
  });

  it("a load that is cancelled when the runner has just finished it leaves nothing there", async () => {
    const leaving = new AbortController();
    let loaded = "";
    using quick = await scriptedRunner((method, res, { id }) => {
      if (method === "DELETE") return void res.end(line({}));
      leaving.abort();
      loaded = id;
      res.end(loadedLine(id));
    });
    const real = createRunnerEngine({ socketPath: quick.socketPath });
    await expect(real.load({ path: "x", num_ctx: 64 }, leaving.signal)).rejects.toThrow("aborted");
    expect(quick.asked).toEqual(["POST /models", `DELETE /models/${loaded}`]);
    real.close();
  });
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
