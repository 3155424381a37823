import { describe, expect, it } from "vitest";
import { EngineError } from "../../../server/model/engine/engine.ts";
import { OllamaError } from "../../../server/model/ollama-error.ts";
import { compatScene } from "../../support/model/compat-scene.ts";
import type { Wire } from "../../support/model/model-service.ts";
import { calls, ends, eventsOf, says, thinks } from "../../support/model/scripted-completions.ts";

const path = "/v1/chat/completions";
const scene = compatScene(path);
const { asked, whole, streamed } = scene;
const user = [{ role: "user", content: "hi" }];
const chat = { model: "hearth-starter", messages: user };
const tools = [
  { type: "function", function: { name: "weather", description: "d", parameters: { type: "object", properties: {} } } },
  { type: "function", function: { name: "time" } },
];
const chunks = async (body: object): Promise<Wire[]> => (await streamed(body)).map(({ data }) => data);

describe("POST /v1/chat/completions answers", () => {
  it("one object by default, unlike Ollama's own routes (trap 1)", async () => {
    const reply = await scene.service.post(path, chat);
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await reply.json()).toEqual({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion",
      created: expect.any(Number),
      model: "hearth-starter",
      system_fingerprint: "fp_ollama",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
      usage: {
        prompt_tokens: 7,
        completion_tokens: 5,
        total_tokens: 12,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  it("reasoning, and tool calls with arguments as JSON text and an empty content (traps 5 and 6)", async () => {
    scene.service.completions.steps = [
      thinks("hm"),
      calls(0, "weather", { city: "Oslo" }),
      calls(1, "time", {}),
      ends("stop"),
    ];
    const [choice] = (await whole({ ...chat, tools })).choices;
    expect(choice).toEqual({
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: "",
        reasoning: "hm",
        tool_calls: [
          { id: "call_0", index: 0, type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } },
          { id: "call_1", index: 1, type: "function", function: { name: "time", arguments: "{}" } },
        ],
      },
    });
  });

  it("length for an answer that was cut, also with calls", async () => {
    scene.service.completions.steps = [calls(0, "time", {}), ends("length")];
    expect((await whole(chat)).choices[0].finish_reason).toBe("length");
  });

  it("log probabilities where they are asked for", async () => {
    const token = { token: "Hi", bytes: [72, 105], logprob: -0.1 };
    scene.service.completions.steps = [{ type: "content", text: "Hi", logprobs: [{ ...token, top: [token] }] }, ends()];
    const expected = { content: [{ ...token, top_logprobs: [token] }] };
    const reply = await whole({ ...chat, logprobs: true, top_logprobs: 1 });
    expect(reply.choices[0].logprobs).toEqual(expected);
    expect(asked()?.logprobs).toBe(1);
    expect((await chunks({ ...chat, logprobs: true }))[0].choices[0].logprobs).toEqual(expected);
  });

  it("with a sign when the prompt was cut", async () => {
    scene.service.completions.steps = [says("x"), ends("stop", { cutTokens: 3, droppedMessages: 2 })];
    const sign = { context_cut: { cut_tokens: 3, dropped_messages: 2 } };
    expect(await whole(chat)).toMatchObject(sign);
    expect(await chunks(chat)).toContainEqual(expect.objectContaining(sign));
  });
});

describe("POST /v1/chat/completions with stream sends", () => {
  it("chunks of one id, the role first, the reason last, then [DONE]", async () => {
    const reply = await scene.service.post(path, { ...chat, stream: true });
    expect(reply.headers.get("content-type")).toBe("text/event-stream");
    const events = await eventsOf(reply);
    expect(events.map(({ name }) => name)).toEqual(events.map(() => undefined));
    expect(events.at(-1)?.data).toBe("[DONE]");
    const all = events.slice(0, -1).map(({ data }) => data);
    expect(new Set(all.map(({ id, created }) => `${id} ${created}`)).size).toBe(1);
    expect(all.every(({ object }) => object === "chat.completion.chunk")).toBe(true);
    expect(all.map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: "assistant", content: "Hel" }, finish_reason: null }],
      [{ index: 0, delta: { content: "lo" }, finish_reason: null }],
      [{ index: 0, delta: {}, finish_reason: "stop" }],
    ]);
    expect(all.some((chunk) => "usage" in chunk)).toBe(false);
  });

  it("the usage in a chunk of its own where stream_options ask for it", async () => {
    const all = await chunks({ ...chat, stream_options: { include_usage: true } });
    expect(all.at(-2)).toMatchObject({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 } });
    expect(all.filter((chunk) => chunk.usage !== undefined)).toHaveLength(1);
  });

  it("each call whole, with an index of its own (trap 6)", async () => {
    scene.service.completions.steps = [
      thinks("a"),
      says("b"),
      calls(0, "weather", { city: "Oslo" }),
      calls(1, "time", {}),
      ends(),
    ];
    const deltas = (await chunks({ ...chat, tools })).slice(0, -1).map(({ choices }) => choices[0].delta);
    expect(deltas).toMatchObject([
      { role: "assistant", reasoning: "a" },
      { content: "b" },
      { tool_calls: [{ index: 0, function: { name: "weather", arguments: '{"city":"Oslo"}' } }] },
      { tool_calls: [{ index: 1, function: { name: "time" } }] },
      {},
    ]);
    expect((await chunks(chat)).at(-2).choices[0].finish_reason).toBe("tool_calls");
  });

  it("a role even when there is nothing to say", async () => {
    scene.service.completions.steps = [ends()];
    expect((await chunks(chat))[0].choices[0].delta).toEqual({ role: "assistant", content: "" });
  });

  it("an error object when it fails in the middle, and nothing after it", async () => {
    scene.service.completions.steps = [says("Hel"), { fail: new OllamaError(500, "gone") }];
    const events = await streamed(chat);
    expect(events.at(-1)?.data).toEqual({ error: { message: "gone", type: "api_error", param: null, code: null } });
    expect(events).toHaveLength(2);
  });

  it("its status when it fails before the first token (trap 17)", async () => {
    scene.service.completions.steps = [{ fail: new OllamaError(404, "model 'x' not found") }];
    const reply = await scene.service.post(path, { ...chat, stream: true });
    expect(reply.status).toBe(404);
    expect(await reply.json()).toEqual({
      error: { message: "model 'x' not found", type: "not_found_error", param: null, code: null },
    });
  });
});

describe("POST /v1/chat/completions advises", () => {
  it.each([
    ["not to repeat what cannot be helped", new OllamaError(500, 'option "x" must be of type integer'), "false"],
    ["not to repeat a bad request", new OllamaError(400, "no"), "false"],
    ["nothing when the queue is full", new OllamaError(503, "server busy"), null],
    ["nothing when the engine has just died", new OllamaError(500, "died", new EngineError("lost", "x")), null],
  ])("%s", async (_what, fail, header) => {
    scene.service.completions.steps = [{ fail }];
    expect((await scene.service.post(path, chat)).headers.get("x-should-retry")).toBe(header);
  });
});

it("POST /v1/chat/completions stops the answer when the client goes away", async () => {
  for (const stream of [true, false]) {
    scene.service.completions.steps = [...(stream ? [says("x")] : []), { wait: true }];
    const [leaving, before] = [new AbortController(), scene.service.completions.aborted];
    const count = scene.service.completions.chats.length;
    const request = scene.service.post(path, { ...chat, stream }, { signal: leaving.signal });
    await expect.poll(() => scene.service.completions.chats.length).toBe(count + 1);
    if (stream) await (await request).body?.getReader().read();
    leaving.abort();
    if (!stream) await expect(request).rejects.toThrow();
    await expect.poll(() => scene.service.completions.aborted).toBe(before + 1);
  }
});
