/** Readers that are slow or go away. */
import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runnerStatusSchema } from "../../server/contract/model/runner.ts";
import type { Engine, LoadedModel } from "../../server/model/engine/engine.ts";
import { askRunner } from "../../server/model/engine/runner-client.ts";
import { createRunnerEngine } from "../../server/model/engine/runner-engine.ts";
import { lines, startModelService, textOf, type ModelService } from "../support/model/model-service.ts";
import { startRunner, type RunnerProcess } from "../support/model/runner-process.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const opened: ClientRequest[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.destroy()));

/** Asks, and takes nothing of the answer until it is read. */
async function ask(service: ModelService, path: string, body: object): Promise<IncomingMessage> {
  const sent = request(`${service.url}${path}`, { method: "POST", agent: false });
  opened.push(sent);
  sent.on("error", () => undefined);
  sent.end(JSON.stringify({ model: "tiny", stream: true, ...body }));
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  return reply.pause();
}

const messages = [{ role: "user", content: "x" }];
const routes = [
  ["/api/generate", { prompt: "x" }],
  ["/api/chat", { messages }],
  ["/v1/chat/completions", { messages }],
  ["/v1/completions", { prompt: "x" }],
  ["/v1/responses", { input: "x" }],
  ["/v1/messages", { messages, max_tokens: 10_000 }],
] as const;

describe("a reader that stops reading", () => {
  /** 20 MB: more than the connection holds. */
  const [pieces, piece] = [2000, "x".repeat(10_000)];
  let taken = 0;
  let service: ModelService;
  const engine = createScriptedEngine();
  /** The engine, with what the service takes from it counted. */
  const counting: Engine = {
    ...engine,
    load: async (asked, signal) => {
      const model = await engine.load(asked, signal);
      return {
        ...model,
        async *generate(...call) {
          for await (const chunk of model.generate(...call)) {
            taken++;
            yield chunk;
          }
        },
      };
    },
  };
  beforeAll(async () => {
    service = await startModelService(counting, { files: { "tiny.gguf": {} }, scheduling: { parallel: 2 } });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  it.each(routes)("of %s pauses its own generation, no other, and loses nothing", async (path, body) => {
    taken = 0;
    engine.steps = Array.from({ length: pieces }, () => piece);
    const reply = await ask(service, path, body);
    engine.steps = ["Hel", "lo"];
    // Others go on, and in the end the slow one does not: what waits for it is limited.
    for (let before = -1; taken !== before;) {
      before = taken;
      expect(textOf(await lines(await service.post("/api/generate", { model: "tiny", prompt: "x" })))).toBe("Hello");
      taken -= 3;
    }
    expect(taken).toBeLessThan(pieces);
    expect((await text(reply)).split(piece).length - 1).toBeGreaterThanOrEqual(pieces);
  });
});

describe("a client that goes away from a real generation", () => {
  const sequences = 2;
  let runner: RunnerProcess;
  let service: ModelService;
  let loaded: LoadedModel | undefined;
  beforeAll(async () => {
    runner = await startRunner();
    const engine = createRunnerEngine({ socketPath: runner.socketPath });
    const load: Engine["load"] = async (...call) => (loaded = await engine.load(...call));
    const scheduling = { parallel: sequences };
    service = await startModelService({ ...engine, load }, { files: { "tiny.gguf": {} }, scheduling });
    await (await service.post("/api/generate", { model: "tiny", keep_alive: -1 })).text();
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await runner[Symbol.asyncDispose]();
  });

  const status = async () => {
    const route = ["GET", `/models/${loaded?.id ?? ""}`] as const;
    const { value } = await askRunner(
      runner.socketPath,
      route,
      runnerStatusSchema,
      new AbortController().signal,
    ).next();
    return runnerStatusSchema.parse(value);
  };
  /** Minutes of work, had it to be done. */
  const endless = { max_tokens: 1_000_000, options: { num_predict: 1_000_000 } };

  it.each(routes)("of %s frees its sequence at once", async (path, body) => {
    await ask(service, path, { ...body, ...endless });
    expect(await status()).toMatchObject({ free: sequences - 1 });
    opened.forEach((one) => one.destroy());
    await expect.poll(status).toMatchObject({ free: sequences, waiting: 0 });
  });
});
