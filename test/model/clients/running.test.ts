/** Every client against the real engine: the starter model, and a generated one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { collect } from "../../support/model/collect.ts";
import { startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { startRunner, type RunnerProcess } from "../../support/model/runner-process.ts";
import { thirdParty } from "../../support/third-party.ts";

let runner: RunnerProcess;
let service: ModelService;
let openai: Wire;
let anthropic: Wire;
beforeAll(async () => {
  runner = await startRunner();
  service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath }), {
    files: { "tiny.gguf": {} },
  });
  const [{ default: OpenAI }, { default: Anthropic }] = [
    await thirdParty("openai"),
    await thirdParty("@anthropic-ai/sdk"),
  ];
  openai = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: "unused" });
  anthropic = new Anthropic({ baseURL: service.url, apiKey: "unused" });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await runner[Symbol.asyncDispose]();
});

const question = "What is Hearth?";
const sensible = /Hearth is everything a client app calls/;
const model = "hearth-starter";
const messages = [{ role: "user", content: question }];
/** The starter model's answers are sensible only where it is sure: OpenAI's default temperature is 1. */
const sure = { temperature: 0 };
const place = { type: "object", properties: { city: { type: "string", maxLength: 8 } }, required: ["city"] };

describe("against the running service", () => {
  it("openai chats, completes and gets responses, at once and streamed", async () => {
    const reply = await openai.chat.completions.create({ model, messages, ...sure });
    expect(reply.choices[0].message.content).toMatch(sensible);
    expect(reply.usage.prompt_tokens).toBeGreaterThan(0);
    const chunks = await collect(await openai.chat.completions.create({ model, messages, ...sure, stream: true }));
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
    expect(text).toBe(reply.choices[0].message.content);
    expect((await openai.responses.create({ model, input: question, ...sure })).output_text).toMatch(sensible);
    const short = await openai.completions.create({ model: "tiny", prompt: "once", max_tokens: 4 });
    expect(short).toMatchObject({ choices: [{ finish_reason: "length" }], usage: { completion_tokens: 4 } });
  });

  it("openai repeats an answer by its seed, and gets log probabilities", async () => {
    const ask = async () =>
      openai.chat.completions.create({
        model: "tiny",
        messages,
        seed: 7,
        max_completion_tokens: 6,
        logprobs: true,
        top_logprobs: 2,
      });
    const [first, again] = [await ask(), await ask()];
    expect(again.choices[0].message.content).toBe(first.choices[0].message.content);
    expect(first.choices[0].finish_reason).toBe("length");
    const { content } = first.choices[0].logprobs;
    expect(content).toHaveLength(6);
    for (const { logprob, top_logprobs: top } of content) {
      expect(logprob).toBeLessThanOrEqual(0);
      expect(top).toHaveLength(2);
    }
  });

  it("openai gets structured output from a model that talks nonsense", async () => {
    const format = { type: "json_schema", json_schema: { name: "place", schema: place } };
    const reply = await openai.chat.completions.create({
      model: "tiny",
      messages,
      response_format: format,
      max_tokens: 300,
    });
    expect(Object.keys(JSON.parse(reply.choices[0].message.content))).toEqual(["city"]);
  });

  it("openai embeds as Ollama's own route does, in a length that it chooses", async () => {
    const { data, usage } = await openai.embeddings.create({ model: "tiny", input: ["one", "two"] });
    expect(usage.prompt_tokens).toBeGreaterThan(1);
    const native = (await (await service.post("/api/embed", { model: "tiny", input: ["one", "two"] })).json()) as Wire;
    for (const [at, { embedding }] of data.entries())
      for (const [i, value] of embedding.entries()) expect(value).toBeCloseTo(native.embeddings[at][i], 5);
    const short = await openai.embeddings.create({ model: "tiny", input: "one", dimensions: 8 });
    expect(short.data[0].embedding).toHaveLength(8);
    expect(Math.hypot(...short.data[0].embedding)).toBeCloseTo(1, 4);
  });

  it("embed input too long, truncate:false, is refused by every route for vectors that has the word", async () => {
    const input = "word ".repeat(400);
    const reply = await service.post("/api/embed", { model: "tiny", input, truncate: false, options: { num_ctx: 64 } });
    expect([reply.status, await reply.json()]).toEqual([400, { error: "the input length exceeds the context length" }]);
    const cut = await openai.embeddings.create({ model: "tiny", input, num_ctx: 64 });
    expect(cut.usage.prompt_tokens).toBeLessThanOrEqual(64);
  });

  it("@anthropic-ai/sdk sends messages, at once and streamed, with the prompt's tokens in the first event", async () => {
    const request = { model, messages, max_tokens: 200, ...sure };
    const reply = await anthropic.messages.create(request);
    expect(reply.content[0].text).toMatch(sensible);
    const events = await collect(await anthropic.messages.create({ ...request, stream: true }));
    expect(events[0].message.usage.input_tokens).toBeGreaterThan(0);
    const text = events.map(({ delta }) => delta?.text ?? "").join("");
    expect(text).toBe(reply.content[0].text);
    expect((await anthropic.messages.create({ ...request, max_tokens: 1 })).stop_reason).toBe("max_tokens");
    const word = text.split(" ")[2] as string;
    const stopped = await anthropic.messages.create({ ...request, stop_sequences: [word] });
    expect(stopped).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: word });
    expect(stopped.content[0].text).toBe(text.slice(0, text.indexOf(word)));
  });

  it.each(["hearth-starter", "tiny"])("@anthropic-ai/sdk counts the tokens that %s then gets", async (counted) => {
    const request = { model: counted, system: "Be kind.", messages };
    const { input_tokens: tokens } = await anthropic.messages.countTokens(request);
    const { usage } = await anthropic.messages.create({ ...request, max_tokens: 1 });
    expect(tokens).toBe(usage.input_tokens + usage.cache_read_input_tokens);
  });

  it("@langchain/ollama chats and embeds", async () => {
    const { ChatOllama, OllamaEmbeddings } = await thirdParty("@langchain/ollama");
    const chat = new ChatOllama({ baseUrl: service.url, model, ...sure });
    expect((await chat.invoke(question)).content).toMatch(sensible);
    const embeddings = new OllamaEmbeddings({ baseUrl: service.url, model: "tiny" });
    expect(Math.hypot(...(await embeddings.embedQuery("one")))).toBeCloseTo(1, 4);
  });

  it("ai generates through both providers, and gets structured output", async () => {
    const ai = await thirdParty("ai");
    const { createOllama } = await thirdParty("ollama-ai-provider-v2");
    const { createOpenAICompatible } = await thirdParty("@ai-sdk/openai-compatible");
    const providers = [
      createOllama({ baseURL: `${service.url}/api` }),
      createOpenAICompatible({ name: "hearth", baseURL: `${service.url}/v1`, supportsStructuredOutputs: true }),
    ];
    for (const provider of providers) {
      expect((await ai.generateText({ model: provider(model), prompt: question, ...sure })).text).toMatch(sensible);
      const stream = ai.streamText({ model: provider(model), prompt: question, ...sure });
      expect(await stream.text).toMatch(sensible);
      const output = ai.Output.object({ schema: ai.jsonSchema(place) });
      const whole = await ai.generateText({ model: provider("tiny"), prompt: "x", output, maxOutputTokens: 300 });
      expect(Object.keys(whole.output)).toEqual(["city"]);
    }
  });

  it("each client aborts an endless answer, and the next request is served", async () => {
    const stream = await openai.chat.completions.create({ model: "tiny", messages, stream: true });
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    const endless = anthropic.messages.stream({ model: "tiny", messages, max_tokens: 100_000 });
    endless.on("text", () => endless.abort());
    await expect(endless.finalMessage()).rejects.toThrow(/abort/i);
    const next = await openai.completions.create({ model: "tiny", prompt: "x", max_tokens: 2 });
    expect(next.usage.completion_tokens).toBe(2);
  });
});
