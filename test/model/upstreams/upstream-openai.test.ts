import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startModelService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";
import {
  delta,
  event,
  json,
  startScriptedUpstream,
  upstreamsOf,
  type UpstreamAnswer,
} from "../../support/model/scripted-upstream.ts";

type ScriptedUpstream = Awaited<ReturnType<typeof startScriptedUpstream>>;

const user = [{ role: "user", content: "hi" }];

describe("an upstream with OpenAI's API", () => {
  let upstream: ScriptedUpstream;
  let service: ModelService;
  beforeAll(async () => {
    upstream = await startScriptedUpstream(["org/big-model", "/models/file.gguf", "other"]);
    service = await startModelService(createScriptedEngine(), {
      upstreams: {
        ...upstreamsOf([`llm=${upstream.url}/v1?model=org/big-model&model=/models/file.gguf`]),
        keys: new Map([["llm", "sk-secret"]]),
      },
    });
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });
  const chat = (more: object = {}) =>
    service.post("/api/chat", { model: "org/big-model", messages: user, stream: false, ...more });

  it("serves the models of the setting alone, an id that is a path by its last part", async () => {
    const { models } = (await (await service.get("/api/tags")).json()) as Wire;
    const names = models.filter((one: Wire) => one.upstreams).map(({ name }: Wire) => name);
    expect(names.sort()).toEqual(["file:latest", "org/big-model:latest"]);
    upstream.answer = (res) => void res.end(delta({ content: "Hi" }, "stop") + event("[DONE]"));
    await chat({ model: "file" });
    expect(upstream.asked.at(-1)?.body.model).toBe("/models/file.gguf");
  });

  it("has the window in its metadata, where clients look for it, and no number of parameters", async () => {
    const shown = (await (await service.post("/api/show", { model: "file" })).json()) as Wire;
    expect(shown.details).toMatchObject({ parameter_size: "", context_length: 8192 });
    expect(shown.model_info).toEqual({ "general.architecture": "unknown", "unknown.context_length": 8192 });
  });

  it("gets the trace of the request", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    await service.post("/api/chat", { model: "org/big-model", messages: user, stream: false }, { headers });
    expect(upstream.asked.at(-1)?.traceparent).toMatch(new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`));
  });

  it("gets the key, and what the client asked for, in its own words", async () => {
    await chat({ options: { top_k: 3, repeat_penalty: 1.5, num_ctx: 9 }, think: "high", keep_alive: "5m" });
    const { authorization, body } = upstream.asked.at(-1) ?? {};
    expect(authorization).toBe("Bearer sk-secret");
    expect(body).toEqual({
      model: "org/big-model",
      stream: true,
      stream_options: { include_usage: true },
      messages: user,
      top_k: 3,
      repeat_penalty: 1.5,
      repetition_penalty: 1.5,
      reasoning_effort: "high",
    });
  });

  it.each([
    ["/api/chat", { messages: user, stream: false, options: { num_predict: 0 } }],
    ["/api/generate", { prompt: "hi", stream: false, options: { num_predict: 0 } }],
    ["/api/generate", { prompt: "hi", raw: true, stream: false, options: { num_predict: 0 } }],
    ["/v1/chat/completions", { messages: user, max_tokens: 0 }],
    ["/v1/completions", { prompt: "hi", max_tokens: 0 }],
  ])("is asked for one token where %s allows none, and the client gets none: %j", async (path, body) => {
    upstream.answer = (res) =>
      void res.end(
        [
          delta({ reasoning: "h" }),
          delta({ content: "H" }),
          delta({ tool_calls: [{ index: 0, id: "c", function: { name: "f" } }] }, "stop"),
          event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 1 } }),
          event("[DONE]"),
        ].join(""),
      );
    const reply = (await (await service.post(path, { model: "file", ...body })).json()) as Wire;
    expect(upstream.asked.at(-1)?.body.max_tokens).toBe(1);
    const { choices: [choice = reply] = [] } = reply;
    expect(choice.message?.content ?? choice.response ?? choice.text).toBe("");
    expect(choice.message?.tool_calls ?? choice.message?.thinking).toBeUndefined();
    expect(choice.done_reason ?? choice.finish_reason).toBe("length");
    expect([
      reply.usage?.prompt_tokens ?? reply.prompt_eval_count,
      (reply.usage?.completion_tokens ?? reply.eval_count) || 0,
    ]).toEqual([11, 0]);
  });

  it("gets the images of a native chat, those among the parts of a content, too", async () => {
    upstream.answer = (res) => void res.end(delta({ content: "Hi" }, "stop") + event("[DONE]"));
    const part = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    for (const message of [
      { content: "hi", images: ["iVBORw0KGgo="] },
      { content: [{ type: "text", text: "hi" }, part] },
    ]) {
      expect((await chat({ messages: [{ role: "user", ...message }] })).status).toBe(200);
      expect(upstream.asked.at(-1)?.body.messages).toEqual([
        { role: "user", content: [{ type: "text", text: "hi" }, part] },
      ]);
    }
  });

  it("is asked not to think where the client says so, and nothing where a plain completion does not", async () => {
    upstream.answer = (res) => void res.end(delta({ content: "Hi" }, "stop") + event("[DONE]"));
    await service.post("/v1/completions", { model: "file", prompt: "hi" });
    expect(Object.keys(upstream.asked.at(-1)?.body)).toEqual([
      ...["model", "stream", "stream_options", "messages", "temperature", "top_p"],
    ]);
    await service.post("/api/generate", { model: "file", prompt: "hi", think: false });
    expect(upstream.asked.at(-1)?.body).toMatchObject({
      reasoning_effort: "none",
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  it.each<[string, UpstreamAnswer, RegExp]>([
    ["refuses the key", (res) => json(res, 401, { error: { message: "bad key" } }), /refuses the key .*upstream_keys/],
    ["fails in its stream", (res) => void res.end(event({ error: { message: "OOM" } })), /failed: OOM/],
    ["answers with a page", (res) => void res.end("<html></html>"), /not OpenAI's API: its address or kind/],
    ["ends too early", (res) => void res.end(delta({ content: "" })), /stopped in the middle/],
  ])("that %s is named in an error without the key", async (_what, answer, text) => {
    upstream.answer = answer;
    const reply = await chat();
    const { error } = (await reply.json()) as Wire;
    expect([reply.status, error]).toEqual([502, expect.stringMatching(text)]);
    expect(error).toMatch(/^upstream llm \(/);
    expect(error).not.toContain("sk-secret");
  });

  it.each([
    ["vLLM", { tokens: [1, 2], count: 2 }, { prompt: "hi" }],
    ["llama-server", { tokens: [1, 2] }, { content: "hi" }],
  ])("that is %s gives tokens and texts, beside its versioned routes", async (_name, tokenized, text) => {
    upstream.answer = (res, { path }) => json(res, 200, path === "/tokenize" ? tokenized : text);
    const tokens = await service.post("/api/tokenize", { model: "file", text: "hi" });
    expect(await tokens.json()).toEqual({ model: "file", tokens: [1, 2] });
    const { path, body, authorization } = upstream.asked.at(-1) ?? {};
    expect([path, authorization]).toEqual(["/tokenize", "Bearer sk-secret"]);
    expect(body).toEqual({
      ...{ model: "/models/file.gguf", prompt: "hi", add_special_tokens: false },
      ...{ content: "hi", add_special: false, parse_special: true },
    });
    const texts = await service.post("/api/detokenize", { model: "file", tokens: [1, 2] });
    expect(await texts.json()).toEqual({ model: "file", text: "hi" });
    expect(upstream.asked.at(-1)).toMatchObject({ path: "/detokenize", body: { tokens: [1, 2] } });
  });

  it.each([
    [2, [0.6, 0.8]],
    [3, [3 / 13, 4 / 13, 12 / 13]],
    [0, [3 / 13, 4 / 13, 12 / 13]],
    [undefined, [3 / 13, 4 / 13, 12 / 13]],
  ])("gives vectors of %s components, of length 1, though the engine gives all of them", async (dimensions, vector) => {
    upstream.answer = (res) => json(res, 200, { data: [{ index: 0, embedding: [3, 4, 12] }] });
    const reply = await service.post("/api/embed", { model: "file", input: "a", dimensions });
    expect(((await reply.json()) as Wire).embeddings).toEqual([vector]);
    expect(upstream.asked.at(-1)?.body.dimensions).toBe(dimensions === 0 ? undefined : dimensions);
    const asOpenAi = await service.post("/v1/embeddings", { model: "file", input: "a", dimensions });
    expect(((await asOpenAi.json()) as Wire).data[0].embedding).toEqual(vector);
  });

  it("ranks documents, whatever their order in its answer", async () => {
    const results = [1, 0].map((index) => ({ index, relevance_score: index / 2 }));
    upstream.answer = (res) => json(res, 200, { results, usage: { total_tokens: 9 } });
    const rank = () => service.post("/api/rerank", { model: "file", query: "q", documents: ["a", "b"] });
    expect(await (await rank()).json()).toEqual({ model: "file", results, prompt_eval_count: 9 });
    expect(upstream.asked.at(-1)).toMatchObject({ path: "/v1/rerank", body: { query: "q", documents: ["a", "b"] } });
    upstream.answer = (res) => json(res, 200, { results: results.slice(1) });
    expect((await rank()).status).toBe(502);
  });

  it("counts the tokens of a chat, its images and its think level too", async () => {
    upstream.answer = (res) => json(res, 200, { input_tokens: 42 });
    const source = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" };
    const content = [
      { type: "text", text: "see" },
      { type: "image", source },
    ];
    const asked = { model: "file", messages: [{ role: "user", content }], output_config: { effort: "low" } };
    expect(await (await service.post("/v1/messages/count_tokens", asked)).json()).toEqual({ input_tokens: 42 });
    expect(upstream.asked.at(-1)).toMatchObject({
      path: "/v1/messages/count_tokens",
      body: { ...asked, model: "/models/file.gguf" },
    });
  });

  it("that cannot count, tokenize or rank is named by a 501 in the shape of the API that was asked", async () => {
    const count = async () => {
      const reply = await service.post("/v1/messages/count_tokens", { model: "file", messages: user });
      return [reply.status, await reply.json()];
    };
    upstream.answer = (res) => json(res, 404, { detail: "Not Found" });
    const message = `upstream llm (${upstream.url}/v1) lacks /v1/messages/count_tokens, which this request needs`;
    expect(await count()).toEqual([
      501,
      expect.objectContaining({ type: "error", error: expect.objectContaining({ message }) }),
    ]);
    upstream.answer = (res) => json(res, 501, { error: { message: "Start it with `--reranking`" } });
    const rank = await service.post("/api/rerank", { model: "file", query: "q", documents: ["a"] });
    expect([rank.status, await rank.json()]).toEqual([
      501,
      { error: `upstream llm (${upstream.url}/v1) cannot do that: Start it with \`--reranking\`` },
    ]);
    upstream.answer = (res) => json(res, 404, { error: { message: "The model `/models/file.gguf` does not exist." } });
    expect((await count())[0]).toBe(404);
  });

  it("is told what it lacks", async () => {
    const reply = await service.post("/api/generate", { model: "file", prompt: "x", context: [1] });
    expect([reply.status, ((await reply.json()) as Wire).error]).toEqual([
      400,
      expect.stringContaining("neither template nor context"),
    ]);
  });
});
