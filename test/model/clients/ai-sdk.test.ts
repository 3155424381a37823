import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { EngineError } from "../../../server/model/engine/engine.ts";
import { callsFor, placeSchema, startClientScene, type ClientScene } from "../../support/model/client-scene.ts";
import { collect } from "../../support/model/collect.ts";
import type { Wire } from "../../support/model/model-service.ts";
import { thirdParty } from "../../support/third-party.ts";

let scene: ClientScene;
let ai: Wire;
/** The two providers: Ollama's own routes, and OpenAI's. */
const providers: Record<string, Wire> = {};
beforeAll(async () => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  scene = await startClientScene();
  ai = await thirdParty("ai");
  const { createOllama } = await thirdParty("ollama-ai-provider-v2");
  const { createOpenAICompatible } = await thirdParty("@ai-sdk/openai-compatible");
  const { url } = scene.service;
  providers["ollama-ai-provider-v2"] = createOllama({ baseURL: `${url}/api` });
  providers["@ai-sdk/openai-compatible"] = createOpenAICompatible({
    name: "hearth",
    baseURL: `${url}/v1`,
    includeUsage: true,
    supportsStructuredOutputs: true,
  });
});
afterAll(async () => {
  Reflect.deleteProperty(globalThis, "AI_SDK_LOG_WARNINGS");
  await scene.service[Symbol.asyncDispose]();
});
beforeEach(() => {
  scene.engine.steps = ["Hel", "lo"];
});

const own = "ollama-ai-provider-v2";
const names = [own, "@ai-sdk/openai-compatible"];
const modelOf = (name: string, id: string): Wire => providers[name](id);
const place = () => ai.jsonSchema(placeSchema);

describe.each(names)("npm ai with %s, unmodified,", (name) => {
  it("generates text, and streams it", async () => {
    const model = modelOf(name, "caller");
    const whole = await ai.generateText({ model, prompt: "hi" });
    expect(whole).toMatchObject({ text: "Hello", finishReason: "stop", usage: { outputTokens: 2 } });
    expect(whole.usage.inputTokens).toBeGreaterThan(0);
    const parts = await collect(ai.streamText({ model, prompt: "hi" }).fullStream);
    expect(parts.filter(({ type }) => type === "text-delta").map(({ text }) => text)).toEqual(["Hel", "lo"]);
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: "stop", totalUsage: { outputTokens: 2 } });
  });

  it("calls tools, several at once, and goes on with their results", async () => {
    scene.engine.steps = callsFor("Oslo", "Rome");
    const asked: string[] = [];
    const weather = ai.tool({
      inputSchema: place(),
      execute: ({ city }: { city: string }) => {
        asked.push(city);
        scene.engine.steps = ["It is cold."];
        return `4 degrees in ${city}`;
      },
    });
    const settings = { model: modelOf(name, "caller"), tools: { weather }, stopWhen: ai.stepCountIs(3) };
    const whole = await ai.generateText({ ...settings, prompt: "How is it?" });
    expect(whole.text).toBe("It is cold.");
    expect(asked).toEqual(["Oslo", "Rome"]);
    expect(whole.steps.map(({ finishReason }: Wire) => finishReason)).toEqual(["tool-calls", "stop"]);
    expect(scene.asked()?.prompt).toMatch(/4 degrees in Oslo[^]*4 degrees in Rome/);
    scene.engine.steps = callsFor("Bern", "Riga");
    const stream = ai.streamText({ ...settings, prompt: "And there?" });
    expect(await stream.text).toBe("It is cold.");
    expect(asked.slice(2)).toEqual(["Bern", "Riga"]);
  });

  it("forces a call with toolChoice", async () => {
    scene.engine.steps = callsFor("Oslo");
    const weather = ai.tool({ inputSchema: place() });
    const settings = { model: modelOf(name, "caller"), tools: { weather }, prompt: "hi" };
    const { toolCalls } = await ai.generateText({ ...settings, toolChoice: "required" });
    expect(toolCalls).toMatchObject([{ toolName: "weather", input: { city: "Oslo" } }]);
    expect(scene.asked()?.grammar?.gbnf).toContain("weather");
    scene.engine.steps = ["no"];
    await ai.generateText({ ...settings, toolChoice: "none" });
    expect(scene.asked()?.prompt).not.toContain("weather");
  });

  it("gets structured output, enforced by a grammar", async () => {
    scene.engine.steps = ['{"city":', '"Oslo"}'];
    const output = ai.Output.object({ schema: place() });
    const whole = await ai.generateText({ model: modelOf(name, "caller"), prompt: "Where?", output });
    expect(whole.output).toEqual({ city: "Oslo" });
    expect(scene.asked()?.grammar?.gbnf).toContain("city");
  });

  it("separates thoughts from the answer", async () => {
    scene.engine.steps = ["<think>h", "m</think>", "Hi"];
    const settings = { model: modelOf(name, "thinker"), prompt: "hi", providerOptions: { ollama: { think: true } } };
    expect(await ai.generateText(settings)).toMatchObject({ text: "Hi", reasoningText: "hm" });
    const stream = ai.streamText(settings);
    expect([await stream.text, await stream.reasoningText]).toEqual(["Hi", "hm"]);
  });

  it("embeds", async () => {
    const model = providers[name].embeddingModel("caller");
    const { embeddings, usage } = await ai.embedMany({ model, values: ["a", "bcd"] });
    expect(embeddings).toHaveLength(2);
    for (const vector of embeddings as number[][]) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(usage.tokens).toBeGreaterThan(0);
  });

  it("passes on the settings beside the prompt", async () => {
    const settings = { model: modelOf(name, "caller"), prompt: "hi", temperature: 0.25, topP: 0.5, maxOutputTokens: 6 };
    await ai.generateText(settings);
    expect(scene.asked()).toMatchObject({ num_predict: 6, sampling: { temperature: 0.25, top_p: 0.5 } });
  });

  it("aborts, and the generation stops", async () => {
    scene.engine.steps = ["Hel", { wait: true }];
    const [leaving, before] = [new AbortController(), scene.engine.aborted.length];
    const settings = { model: modelOf(name, "caller"), prompt: "hi", abortSignal: leaving.signal };
    for await (const part of ai.streamText(settings).fullStream as AsyncIterable<Wire>)
      if (part.type === "text-delta") leaving.abort();
    await expect.poll(() => scene.engine.aborted.length).toBe(before + 1);
  });
});

describe("failures in Vercel's AI SDK", () => {
  it("reach the OpenAI-compatible provider with their text, before the answer and in its middle", async () => {
    const name = "@ai-sdk/openai-compatible";
    const failing = ai.generateText({ model: modelOf(name, "nobody"), prompt: "hi" });
    await expect(failing).rejects.toMatchObject({ statusCode: 404, message: "model 'nobody' not found" });
    scene.engine.steps = ["Hel", { fail: new EngineError("lost", "gone") }];
    const stream = ai.streamText({ model: modelOf(name, "caller"), prompt: "hi", onError: () => undefined });
    const parts = await collect(stream.fullStream);
    const failure = parts.find(({ type }) => type === "error");
    expect(String(failure.error)).toContain("model runner has unexpectedly stopped");
    expect(parts.at(-1)).toMatchObject({ finishReason: "error" });
  });

  // It reads errors as OpenAI has them, and checks each line for the members of an answer.
  it("reach ollama-ai-provider-v2 as a reason phrase, and in the middle not at all (trap 7)", async () => {
    const failing = ai.generateText({ model: modelOf(own, "nobody"), prompt: "hi" });
    await expect(failing).rejects.toMatchObject({ statusCode: 404, message: "Not Found" });
    scene.engine.steps = ["Hel", { fail: new EngineError("lost", "gone") }];
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const parts = await collect(ai.streamText({ model: modelOf(own, "caller"), prompt: "hi" }).fullStream);
    expect(warned).toHaveBeenCalledWith(expect.stringContaining("NDJSON"), expect.anything());
    warned.mockRestore();
    expect(parts.filter(({ type }) => type === "error")).toEqual([]);
    expect(parts.at(-1)).toMatchObject({ finishReason: "other" });
  });

  it("do not occur although ollama-ai-provider-v2 requires figures and context (trap 3)", async () => {
    const whole = await ai.generateText({ model: providers[own].completion("caller"), prompt: "hi" });
    expect(whole.text).toBe("Hello");
    const { embedding } = await ai.embed({ model: providers[own].embeddingModel("caller"), value: "a" });
    expect(embedding).toHaveLength(3);
  });
});
