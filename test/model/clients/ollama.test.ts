import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { patienceMs } from "../../support/eventually.ts";
import { startModelService, textOf, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { thirdParty } from "../../support/third-party.ts";

let runner: RunnerProcess;
let service: ModelService;
let client: Wire;
let newClient: () => Wire;
beforeAll(async () => {
  const { Ollama } = await thirdParty("ollama");
  runner = await startRunner();
  service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath, waitMs: patienceMs }), {
    files: { "Tiny.gguf": {}, "plain.gguf": { chatTemplate: null } },
  });
  newClient = () => new Ollama({ host: service.url });
  client = newClient();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await runner[Symbol.asyncDispose]();
});

const messages = [{ role: "user", content: "What is Hearth?" }];
const collect = async (stream: AsyncIterable<Wire>) => {
  const all: Wire[] = [];
  for await (const chunk of stream) all.push(chunk);
  return all;
};

describe("the npm client ollama, unmodified,", () => {
  it("lists and shows the models", async () => {
    const { models } = await client.list();
    expect(models.map(({ name }: Wire) => name).toSorted()).toEqual([
      "Tiny:latest",
      "hearth-starter:latest",
      "plain:latest",
    ]);
    const shown = await client.show({ model: "tiny" });
    expect(shown).toMatchObject({ details: { family: "llama" }, capabilities: ["completion"] });
    expect((await client.version()).version).toMatch(/^\d+\./);
  });

  it("chats with the starter model, offline, and gets a sensible answer", async () => {
    const reply = await client.chat({ model: "hearth-starter", messages });
    expect(reply.message.content).toMatch(/Hearth is everything a client app calls/);
    expect(reply).toMatchObject({ done: true, done_reason: "stop", message: { role: "assistant" } });
    expect(reply.prompt_eval_count).toBeGreaterThan(0);
    expect(reply.eval_count).toBeGreaterThan(0);
    const chinese = await client.chat({ model: "hearth-starter", messages: [{ role: "user", content: "你好" }] });
    expect(chinese.message.content).toMatch(/Hearth/);
    expect(chinese.message.content).toMatch(/[\u4e00-\u9fff]/);
  });

  it("streams the same text in pieces", async () => {
    const whole = await client.chat({ model: "hearth-starter", messages });
    const chunks = await collect(await client.chat({ model: "hearth-starter", messages, stream: true }));
    expect(chunks.length).toBeGreaterThan(5);
    expect(textOf(chunks)).toBe(whole.message.content);
    expect(chunks.at(-1)).toMatchObject({ done: true, message: { content: "" } });
  });

  it("sends the previous turns, which the model sees", async () => {
    const history = [
      { role: "user", content: "hello" },
      { role: "assistant", content: "Hello!" },
      { role: "user", content: "What is Hearth?" },
    ];
    const first = await client.chat({ model: "tiny", messages: history, options: { num_predict: 4 } });
    const single = await client.chat({ model: "tiny", messages, options: { num_predict: 4 } });
    expect(first.prompt_eval_count).toBeGreaterThan(single.prompt_eval_count);
  });

  it("generates with options, and continues from the context that it got", async () => {
    const options = { num_predict: 8, seed: 7, temperature: 1 };
    const ask = () => client.generate({ model: "tiny", prompt: "once upon", options });
    const [first, again] = [await ask(), await ask()];
    expect(again.response).toBe(first.response);
    expect(first).toMatchObject({ done_reason: "length", eval_count: 8 });
    const more = await client.generate({ model: "tiny", prompt: "a time", context: first.context, options });
    expect(more.prompt_eval_count).toBeGreaterThan(first.context.length);
    const raw = await client.generate({ model: "plain", prompt: "once", raw: true, stream: false, options });
    expect(raw.response.length).toBeGreaterThan(0);
  });

  it("sees what is loaded, and for how long", async () => {
    await client.generate({ model: "tiny", prompt: "", keep_alive: "1h" });
    const model = (await client.ps()).models.find(({ name }: Wire) => name === "Tiny:latest");
    expect(model).toMatchObject({ size_vram: 0, context_length: 2048 });
    const leftMs = new Date(model.expires_at).getTime() - Date.now();
    expect(leftMs).toBeGreaterThan(59 * 60_000);
    await client.generate({ model: "tiny", prompt: "", keep_alive: 0 });
    await expect
      .poll(async () => (await client.ps()).models.map(({ name }: Wire) => name))
      .not.toContain("Tiny:latest");
  });

  it("gets the contract's errors", async () => {
    await expect(client.chat({ model: "nobody", messages })).rejects.toMatchObject({
      status_code: 404,
      message: "model 'nobody' not found",
    });
    await expect(client.chat({ model: "plain", messages, think: true })).rejects.toMatchObject({ status_code: 400 });
    await expect(client.embed({ model: "nobody", input: "x" })).rejects.toMatchObject({
      status_code: 404,
      message: 'model "nobody" not found, try pulling it first',
    });
  });

  it("aborts, and the next request is served", async () => {
    const own = newClient();
    const stream = await own.chat({ model: "tiny", messages, stream: true, options: { num_predict: 100_000 } });
    const reading = collect(stream);
    own.abort();
    await expect(reading).rejects.toThrow(/abort/i);
    const next = await client.chat({ model: "tiny", messages, options: { num_predict: 3 } });
    expect(next.eval_count).toBe(3);
  });

  it("learns of the runner's crash, and chats again as soon as there is another one", async () => {
    const stream = await client.chat({ model: "tiny", messages, stream: true, options: { num_predict: 100_000 } });
    const chunks = stream[Symbol.asyncIterator]();
    await chunks.next();
    await runner.kill();
    const drain = async () => {
      while ((await chunks.next()).done !== true);
    };
    await expect(drain()).rejects.toThrow("model runner has unexpectedly stopped");
    expect((await client.ps()).models).toEqual([]);
    const waiting = client.chat({ model: "hearth-starter", messages });
    await runner.start();
    expect((await waiting).message.content).toContain("Hearth");
  });
});
