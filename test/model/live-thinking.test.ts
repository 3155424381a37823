/** What is known only when a model really generates: thoughts that end by themselves, and what they count. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunnerEngine } from "../../server/model/engine/runner-engine.ts";
import { familyTemplates, weatherTool } from "../support/model/family-templates.ts";
import { lines, startModelService, textOf, type ModelService, type Wire } from "../support/model/model-service.ts";
import { startRunner, type RunnerProcess } from "../support/model/runner-process.ts";
import { writeThinkingGguf } from "../support/model/thinking-gguf.ts";

let runner: RunnerProcess;
let service: ModelService;
beforeAll(async () => {
  runner = await startRunner();
  service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath }));
  // The token that begins turns is the end of the thoughts in this model.
  const template = familyTemplates.qwen3.replaceAll("<|im_start|>", "<turn>");
  await writeThinkingGguf(`${service.modelsDir}/thinker.gguf`, template);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await runner[Symbol.asyncDispose]();
});

const request = { model: "thinker", messages: [{ role: "user", content: "hi" }] };
const whole = async (path: string, body: object): Promise<Wire> =>
  (await service.post(path, { ...request, ...body })).json();
const options = (seed: number) => ({ options: { temperature: 1, seed, num_predict: 400 } });

const format = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };

describe("a model that ends its thoughts itself", () => {
  it.each([1, 2, 3])("answers in the format behind them, streamed or not (seed %i)", async (seed) => {
    const { message } = await whole("/api/chat", { stream: false, format, ...options(seed) });
    expect(message.thinking).not.toBe("");
    expect(message.thinking).not.toContain("</think>");
    expect(JSON.parse(message.content)).toEqual({ a: expect.any(Number) });
    const streamed = await lines(await service.post("/api/chat", { ...request, format, ...options(seed) }));
    expect(textOf(streamed)).toBe(message.content);
    expect(streamed.map((line) => line.message.thinking ?? "").join("")).toBe(message.thinking);
  });

  it.each([1, 2, 3])("calls a tool behind them when it must, wherever it is cut (seed %i)", async (seed) => {
    const parameters = { type: "object", properties: { city: { enum: ["Oslo", "Paris"] } }, required: ["city"] };
    const tools = [{ type: "function", function: { ...weatherTool, parameters } }];
    const ask = async (max_tokens: number) => {
      const body = { tools, tool_choice: "required", seed, max_tokens };
      const { choices } = await whole("/v1/chat/completions", body);
      return choices[0];
    };
    // As many calls as can be forced, and the thoughts before them.
    const { message, finish_reason: reason } = await ask(4000);
    expect(reason).toBe("tool_calls");
    expect(message.reasoning).not.toBe("");
    expect(message.content).toBe("");
    for (const { function: call } of message.tool_calls) {
      expect(call.name).toBe("get_weather");
      expect(parameters.properties.city.enum).toContain(JSON.parse(call.arguments).city);
    }
    for (let limit = 130; limit < 200; limit += 7) {
      const cut = await ask(limit);
      expect(cut.message.content).toBe("");
      for (const { function: call } of cut.message.tool_calls ?? []) expect(call.name).toBe("get_weather");
      const last = cut.message.tool_calls?.at(-1)?.function.arguments ?? "{}";
      if (cut.finish_reason === "tool_calls") expect(JSON.parse(last)).toHaveProperty("city");
      else expect(cut.finish_reason).toBe("length");
    }
  });

  it("writes control tokens only in markup: none in a raw generation", async () => {
    const raw = { prompt: "hi", raw: true, stream: false, logprobs: true, ...options(1) };
    const { response, logprobs } = await whole("/api/generate", raw);
    expect(logprobs.map(({ token }: Wire) => token)).toContain("</think>");
    expect(response).not.toContain("</think>");
  });
});

describe("usage figures of every API", () => {
  it("include cached prompt tokens and reasoning tokens", async () => {
    // A format lets the thoughts begin at once.
    const jsonSchema = { type: "json_schema", name: "n", schema: format, json_schema: { schema: format } };
    const chat = { seed: 1, max_tokens: 200, response_format: jsonSchema };
    await whole("/v1/chat/completions", chat);
    const { usage } = await whole("/v1/chat/completions", chat);
    expect(usage.prompt_tokens_details.cached_tokens).toBe(usage.prompt_tokens - 1);
    const { reasoning_tokens: thoughts } = usage.completion_tokens_details;
    expect(thoughts).toBeGreaterThan(0);
    expect(thoughts).toBeLessThan(usage.completion_tokens);
    const wanted = { input: "hi", max_output_tokens: 200, text: { format: jsonSchema } };
    const { usage: responses } = await whole("/v1/responses", wanted);
    expect(responses.input_tokens_details.cached_tokens).toBe(usage.prompt_tokens - 1);
    expect(responses.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
    const message = { max_tokens: 200, output_config: { format: jsonSchema } };
    const { usage: anthropic } = await whole("/v1/messages", message);
    expect(anthropic.cache_read_input_tokens).toBe(usage.prompt_tokens - 1);
    expect(anthropic.input_tokens).toBe(1);
  });

  it("count no reasoning tokens where there were none", async () => {
    const { usage } = await whole("/v1/chat/completions", { model: "hearth-starter", max_tokens: 4 });
    expect(usage.completion_tokens_details).toEqual({ reasoning_tokens: 0 });
  });
});

describe("_debug_render_only", () => {
  it("answers a chat with its prompt, in one object, and generates nothing", async () => {
    const reply = await service.post("/api/chat", { ...request, _debug_render_only: true });
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await reply.json()).toEqual({
      model: "thinker",
      created_at: expect.any(String),
      message: { role: "assistant", content: "" },
      done: true,
      _debug_info: {
        rendered_template: "<turn>user\nhi<|im_end|>\n<turn>assistant\n",
        image_count: 0,
      },
    });
  });

  it("shows what thinking, tools and a history that is too long make of it", async () => {
    const rendered = async (body: object): Promise<string> =>
      (await whole("/api/chat", { ...body, _debug_render_only: true }))._debug_info.rendered_template;
    expect(await rendered({ think: false })).toMatch(/<think>\n\n<\/think>\n\n$/);
    expect(await rendered({ format: "json" })).toMatch(/<think>\n$/);
    expect(await rendered({ tools: [{ type: "function", function: weatherTool }] })).toContain("get_weather");
    const history = Array.from({ length: 40 }, (_, i) => ({
      role: i % 2 ? "assistant" : "user",
      content: `word ${i}`,
    }));
    const long = [{ role: "system", content: "rules" }, ...history, { role: "user", content: "now" }];
    const cut = await rendered({ messages: long, options: { num_ctx: 256 } });
    expect(cut).toContain("rules");
    expect(cut).toContain("now");
    expect(cut).not.toContain("word 0<");
  });

  it("answers a generation with its prompt, raw or in the template", async () => {
    const generated = (body: object) => whole("/api/generate", { prompt: "hi", _debug_render_only: true, ...body });
    expect(await generated({ raw: true })).toMatchObject({ response: "", _debug_info: { rendered_template: "hi" } });
    const { _debug_info: info } = await generated({ system: "rules" });
    expect(info.rendered_template).toMatch(/rules[^]*hi[^]*assistant\n$/);
    const refused = await service.post("/api/generate", { model: "nobody", prompt: "x", _debug_render_only: true });
    expect(refused.status).toBe(404);
  });
});
