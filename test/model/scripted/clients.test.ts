import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collect } from "../../support/model/collect.ts";
import { startRulesService, type ModelService, type Wire } from "../../support/model/model-service.ts";
import { thirdParty } from "../../support/third-party.ts";

const rules = {
  rules: [
    { when: { tool_result: { contains: "rain" } }, text: "Take an umbrella." },
    {
      when: { user: { contains: "weather" }, tools: ["weather"] },
      thinking: "I should look.",
      calls: [{ name: "weather", arguments: { city: "Oslo" } }],
    },
    { when: { format: true }, json: { city: "Oslo" } },
    {
      when: { user: { equals: "count" } },
      text: "one two three",
      usage: { prompt_tokens: 100, cached_tokens: 60, completion_tokens: 7 },
    },
    { thinking: "Hm.", text: "Hello, world" },
  ],
};
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = { type: "function", function: { name: "weather", description: "d", parameters: schema } };
const user = (content: string) => [{ role: "user", content }];

let service: ModelService;
beforeAll(async () => {
  service = await startRulesService({ m: rules });
});
afterAll(() => service[Symbol.asyncDispose]());

describe("a scripted model, to unmodified clients,", () => {
  it("chats with the npm client ollama: streams, thinks, calls tools, keeps a format, and is listed", async () => {
    const { Ollama } = await thirdParty("ollama");
    const client = new Ollama({ host: service.url });
    const parts: Wire[] = await collect(await client.chat({ model: "m", messages: user("hi"), stream: true }));
    expect(parts.map(({ message }) => message.content).join("")).toBe("Hello, world");
    expect(parts.map(({ message }) => message.thinking ?? "").join("")).toBe("Hm.");
    expect(parts.length).toBeGreaterThan(4);
    const quiet = await client.chat({ model: "m", messages: user("hi"), think: false });
    expect([quiet.message.thinking, quiet.message.content]).toEqual([undefined, "Hello, world"]);
    const ask = { model: "m", messages: user("the weather?"), tools: [weather] };
    const { message } = await client.chat(ask);
    expect(message.tool_calls[0].function).toMatchObject({ name: "weather", arguments: { city: "Oslo" } });
    const result = { role: "tool", content: "rain", tool_name: "weather" };
    const last = await client.chat({ ...ask, messages: [...ask.messages, message, result] });
    expect(last.message.content).toBe("Take an umbrella.");
    const formatted = await client.chat({ model: "m", messages: user("where?"), format: schema });
    expect(JSON.parse(formatted.message.content)).toEqual({ city: "Oslo" });
    expect((await client.list()).models.map(({ name }: Wire) => name)).toContain("m:latest");
    expect((await client.ps()).models).toMatchObject([{ name: "m:latest", size: 0, size_vram: 0 }]);
    expect((await client.show({ model: "m" })).details.format).toBe("rules");
  });

  it("streams the responses of the npm client openai, with a call and a parsed format", async () => {
    const { default: OpenAI } = await thirdParty("openai");
    const client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: "unused" });
    const stream = client.responses.stream({ model: "m", input: "hi" });
    const texts: string[] = [];
    stream.on("response.output_text.delta", ({ delta }: Wire) => texts.push(delta));
    expect((await stream.finalResponse()).output_text).toBe("Hello, world");
    expect(texts.length).toBeGreaterThan(2);
    const tools = [{ type: "function", name: "weather", parameters: schema, strict: true }];
    const called = await client.responses.create({ model: "m", input: "the weather?", tools });
    expect(called.output.at(-1)).toMatchObject({ type: "function_call", arguments: '{"city":"Oslo"}' });
    const response_format = { type: "json_schema", json_schema: { name: "place", strict: true, schema } };
    const parsed = await client.chat.completions.parse({ model: "m", messages: user("where?"), response_format });
    expect(parsed.choices[0].message.parsed).toEqual({ city: "Oslo" });
  });

  it("streams a tool use of @anthropic-ai/sdk, and counts tokens", async () => {
    const { default: Anthropic } = await thirdParty("@anthropic-ai/sdk");
    const client = new Anthropic({ baseURL: service.url, apiKey: "unused" });
    const tools = [{ name: "weather", input_schema: schema }];
    const ask = { model: "m", max_tokens: 99, messages: user("the weather?"), tools };
    const message = await client.messages.stream(ask).finalMessage();
    expect(message.stop_reason).toBe("tool_use");
    expect(message.content).toMatchObject([
      { thinking: "I should look." },
      { name: "weather", input: { city: "Oslo" } },
    ]);
    const { input_tokens: counted } = await client.messages.countTokens({ model: "m", messages: user("12345678") });
    expect(counted).toBe(3);
  });

  it("has the figures of its rule in every API", async () => {
    const post = async (path: string, body: object): Promise<Wire> =>
      (await service.post(path, { model: "m", messages: user("count"), stream: false, ...body })).json();
    expect(await post("/api/chat", {})).toMatchObject({ prompt_eval_count: 100, eval_count: 7 });
    expect((await post("/v1/chat/completions", {})).usage).toMatchObject({
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 60 },
    });
    expect((await post("/v1/messages", { max_tokens: 99 })).usage).toMatchObject({
      input_tokens: 40,
      cache_read_input_tokens: 60,
      output_tokens: 7,
    });
  });

  it("ends at a stop text and at the limit, and has log probabilities", async () => {
    const post = async (body: object): Promise<Wire> =>
      (await service.post("/api/generate", { model: "m", prompt: "hi", think: false, stream: false, ...body })).json();
    expect(await post({ options: { stop: [", w"] } })).toMatchObject({ response: "Hello", done_reason: "stop" });
    expect(await post({ options: { num_predict: 2 } })).toMatchObject({ response: "Hello,", done_reason: "length" });
    const { logprobs } = await post({ logprobs: true });
    expect(logprobs.map(({ token }: Wire) => token).join("")).toBe("Hello, world");
  });

  it("answers many at once", async () => {
    const ask = () => service.post("/api/generate", { model: "m", prompt: "hi", stream: false });
    const replies = await Promise.all(Array.from({ length: 50 }, ask));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
