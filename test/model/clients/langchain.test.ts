import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { EngineError } from "../../../server/model/engine/engine.ts";
import { callsFor, placeSchema, startClientScene, type ClientScene } from "../../support/model/client-scene.ts";
import { collect } from "../../support/model/collect.ts";
import type { Wire } from "../../support/model/model-service.ts";
import { gate } from "../../support/model/scripted-engine.ts";
import { thirdParty } from "../../support/third-party.ts";

let scene: ClientScene;
let langchain: Wire;
let messages: Wire;
beforeAll(async () => {
  scene = await startClientScene();
  langchain = await thirdParty("@langchain/ollama");
  messages = await thirdParty("@langchain/core/messages");
});
afterAll(() => scene.service[Symbol.asyncDispose]());
beforeEach(() => {
  scene.engine.steps = ["Hel", "lo"];
});

const chatModel = (options: object = {}) =>
  new langchain.ChatOllama({ baseUrl: scene.service.url, model: "caller", maxRetries: 0, ...options });
const weather = { type: "function", function: { name: "weather", description: "d", parameters: placeSchema } };

describe("npm @langchain/ollama, unmodified,", () => {
  it("chats, at once and streamed, with figures", async () => {
    const reply = await chatModel().invoke("hi");
    expect(reply).toMatchObject({ content: "Hello", usage_metadata: { output_tokens: 2 } });
    expect(reply.response_metadata).toMatchObject({ done: true, done_reason: "stop", eval_duration: 2000 });
    const chunks = await collect(await chatModel().stream("hi"));
    expect(chunks.map(({ content }) => content).filter(Boolean)).toEqual(["Hel", "lo"]);
  });

  it("sends its options, ignored ones too", async () => {
    await chatModel({ temperature: 0.25, topK: 3, numPredict: 9, mirostat: 1, f16Kv: true }).invoke("hi", {
      stop: ["x"],
    });
    expect(scene.asked()).toMatchObject({ num_predict: 9, stop: ["x"], sampling: { temperature: 0.25, top_k: 3 } });
  });

  it("calls tools, and gives back results that name no tool", async () => {
    scene.engine.steps = callsFor("Oslo", "Rome");
    const bound = chatModel().bindTools([weather]);
    const call = await bound.invoke("How is it?");
    expect(call.tool_calls.map(({ name, args }: Wire) => [name, args])).toEqual([
      ["weather", { city: "Oslo" }],
      ["weather", { city: "Rome" }],
    ]);
    scene.engine.steps = ["It is cold."];
    const results = call.tool_calls.map(
      ({ id, args }: Wire) => new messages.ToolMessage({ tool_call_id: id, content: `4 degrees in ${args.city}` }),
    );
    const reply = await bound.invoke([new messages.HumanMessage("How is it?"), call, ...results]);
    expect(reply.content).toBe("It is cold.");
    expect(scene.asked()?.prompt).toMatch(/"city": "Rome"[^]*4 degrees in Oslo[^]*4 degrees in Rome/);
  });

  it.each(["jsonSchema", "jsonMode", "functionCalling"])("gets structured output by %s", async (method) => {
    scene.engine.steps = method === "functionCalling" ? callsFor("Oslo") : ['{"city":', '"Oslo"}'];
    const structured = chatModel().withStructuredOutput(placeSchema, { method, name: "weather" });
    expect(await structured.invoke("Where?")).toEqual({ city: "Oslo" });
    // A tool is offered, not forced.
    expect(scene.asked()?.grammar === undefined).toBe(method === "functionCalling");
  });

  it("separates thoughts from the answer (trap 15)", async () => {
    scene.engine.steps = ["<think>h", "m</think>", "Hi"];
    const reply = await chatModel({ model: "thinker", think: true }).invoke("hi");
    expect(reply).toMatchObject({ content: "Hi", additional_kwargs: { reasoning_content: "hm" } });
  });

  it("completes with the plain model, and embeds", async () => {
    const plain = new langchain.Ollama({ baseUrl: scene.service.url, model: "caller" });
    expect(await plain.invoke("x")).toBe("Hello");
    const embeddings = new langchain.OllamaEmbeddings({ baseUrl: scene.service.url, model: "caller" });
    const vectors: number[][] = await embeddings.embedDocuments(["a", "bcd"]);
    expect(vectors).toHaveLength(2);
    expect(await embeddings.embedQuery("a")).toEqual(vectors[0]);
  });

  it("finds a model by its name without the tag before it would pull it (trap 9)", async () => {
    expect((await chatModel({ checkOrPullModel: true }).invoke("hi")).content).toBe("Hello");
  });

  it("gets the contract's errors, before the answer and in its middle", async () => {
    await expect(chatModel({ model: "nobody" }).invoke("hi")).rejects.toMatchObject({
      status_code: 404,
      message: "model 'nobody' not found",
    });
    scene.engine.steps = ["Hel", { fail: new EngineError("lost", "gone") }];
    const drain = async () => collect(await chatModel().stream("hi"));
    await expect(drain()).rejects.toThrow("model runner has unexpectedly stopped");
  });

  // It looks at its signal only when a piece of the answer comes, and answers what it has.
  it("aborts, and the generation stops", async () => {
    const { opened, open } = gate();
    scene.engine.steps = ["Hel", { until: opened }, "lo", { wait: true }];
    const [leaving, before] = [new AbortController(), scene.engine.aborted.length];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const reply = chatModel().invoke("hi", {
      signal: leaving.signal,
      callbacks: [{ handleLLMNewToken: () => begin() }],
    });
    await begun;
    leaving.abort();
    open();
    expect((await reply).content).toBe("Hel");
    await expect.poll(() => scene.engine.aborted.length).toBe(before + 1);
  });
});
