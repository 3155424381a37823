import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OllamaError } from "../../../server/model/ollama-error.ts";
import { collect } from "../../support/model/collect.ts";
import type { Wire } from "../../support/model/model-service.ts";
import {
  calls,
  ends,
  says,
  startCompatService,
  thinks,
  type CompatService,
} from "../../support/model/scripted-completions.ts";
import { thirdParty } from "../../support/third-party.ts";

let service: CompatService;
let client: Wire;
beforeAll(async () => {
  const { default: OpenAI } = await thirdParty("openai");
  service = await startCompatService();
  client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: "unused" });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.completions.steps = [says("Hel"), says("lo"), ends()];
});

const model = "hearth-starter";
const chat = { model, messages: [{ role: "user", content: "hi" }] };
const weather = {
  type: "function",
  function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
};
const asked = () => service.completions.chats.at(-1);

describe("the npm client openai, unmodified,", () => {
  it("chats, at once and streamed", async () => {
    const reply = await client.chat.completions.create(chat);
    expect(reply.choices[0].message.content).toBe("Hello");
    const stream = client.chat.completions.stream({ ...chat, stream_options: { include_usage: true } });
    const pieces: string[] = [];
    stream.on("content", (delta: string) => pieces.push(delta));
    const final = await stream.finalChatCompletion();
    expect(pieces).toEqual(["Hel", "lo"]);
    expect(final).toMatchObject({
      choices: [{ message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
      usage: { total_tokens: 12 },
    });
  });

  it("puts streamed calls together by their index (trap 6)", async () => {
    service.completions.steps = [calls(0, "weather", { city: "Oslo" }), calls(1, "weather", { city: "Rome" }), ends()];
    const stream = client.chat.completions.stream({ ...chat, tools: [weather], tool_choice: "required" });
    const [choice] = (await stream.finalChatCompletion()).choices;
    expect(choice.finish_reason).toBe("tool_calls");
    expect(choice.message.tool_calls.map((call: Wire) => [call.id, call.function.arguments])).toEqual([
      ["call_0", '{"city":"Oslo"}'],
      ["call_1", '{"city":"Rome"}'],
    ]);
    expect(asked()?.toolChoice).toBe("required");
  });

  it("runs tools and gives their results back", async () => {
    const runner = client.chat.completions.runTools({
      ...chat,
      tools: [
        {
          type: "function",
          function: {
            ...weather.function,
            parse: JSON.parse,
            function: ({ city }: { city: string }) => {
              service.completions.steps = [says("cold"), ends()];
              return `4 degrees in ${city}`;
            },
          },
        },
      ],
    });
    service.completions.steps = [calls(0, "weather", { city: "Oslo" }), ends()];
    expect(await runner.finalContent()).toBe("cold");
    expect(asked()?.messages.slice(1)).toMatchObject([
      { role: "assistant", toolCalls: [{ id: "call_0", name: "weather", arguments: { city: "Oslo" } }] },
      { role: "tool", content: "4 degrees in Oslo", toolCallId: "call_0", toolName: "weather" },
    ]);
  });

  it("parses structured output", async () => {
    service.completions.steps = [says('{"city":'), says('"Oslo"}'), ends()];
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const reply = await client.chat.completions.parse({
      ...chat,
      response_format: { type: "json_schema", json_schema: { name: "place", strict: true, schema } },
    });
    expect(JSON.parse(reply.choices[0].message.content)).toEqual({ city: "Oslo" });
    expect(asked()?.format).toEqual(schema);
  });

  it("completes, and lists and retrieves models", async () => {
    const reply = await client.completions.create({ model, prompt: "once" });
    expect(reply.choices[0].text).toBe("Hello");
    const { data } = await client.models.list();
    expect(data.map(({ id }: Wire) => id)).toEqual(["hearth-starter:latest"]);
    expect((await client.models.retrieve("library/hearth-starter")).id).toBe("library/hearth-starter");
  });

  it("embeds: it asks for base64 and decodes it", async () => {
    const reply = await client.embeddings.create({ model, input: ["a", "b"] });
    expect(reply.data.map(({ embedding }: Wire) => embedding)).toEqual([
      [0.6, 0.8].map(Math.fround),
      [0.6, 0.8].map(Math.fround),
    ]);
  });

  it("gets responses, at once and streamed, with reasoning and calls", async () => {
    const reply = await client.responses.create({ model, input: "hi" });
    expect(reply.output_text).toBe("Hello");
    service.completions.steps = [thinks("hm"), says("Look"), calls(0, "weather", { city: "Oslo" }), ends()];
    const tool = { type: "function", strict: false, ...weather.function };
    const stream = client.responses.stream({ model, input: "hi", tools: [tool] });
    const final = await stream.finalResponse();
    expect(final.output_text).toBe("Look");
    expect(final.output.map(({ type }: Wire) => type)).toEqual(["reasoning", "message", "function_call"]);
    expect(final.output[2]).toMatchObject({ name: "weather", arguments: '{"city":"Oslo"}' });
    await client.responses.create({
      model,
      input: [
        { role: "user", content: "hi" },
        ...final.output,
        { type: "function_call_output", call_id: "call_0", output: "4" },
      ],
    });
    expect(asked()?.messages).toMatchObject([
      { role: "user", content: "hi" },
      { role: "assistant", content: "Look", thinking: "hm", toolCalls: [{ name: "weather" }] },
      { role: "tool", content: "4", toolName: "weather" },
    ]);
  });

  it("retrieves and deletes a response, and lists what it was made from", async () => {
    const reply = await client.responses.create({ model, input: "hi" });
    const again = await client.responses.retrieve(reply.id);
    expect([again.id, again.output_text]).toEqual([reply.id, "Hello"]);
    const listed: Wire[] = [];
    for await (const item of client.responses.inputItems.list(reply.id, { limit: 1 })) listed.push(item);
    expect(listed).toMatchObject([{ role: "user", content: [{ type: "input_text", text: "hi" }] }]);
    await client.responses.create({ model, input: [{ type: "item_reference", id: listed[0].id }] });
    expect(asked()?.messages).toMatchObject([{ role: "user", content: "hi" }]);
    await client.responses.delete(reply.id);
    await expect(client.responses.retrieve(reply.id)).rejects.toMatchObject({ status: 404 });
  });

  it("gets the contract's errors, and repeats only what may pass", async () => {
    const attempts = async (fail: OllamaError) => {
      service.completions.steps = [{ fail }];
      const before = service.completions.chats.length;
      await expect(client.chat.completions.create(chat)).rejects.toMatchObject({ status: fail.status });
      return service.completions.chats.length - before;
    };
    expect(await attempts(new OllamaError(404, "model 'x' not found"))).toBe(1);
    expect(await attempts(new OllamaError(500, 'option "num_ctx" must be of type integer'))).toBe(1);
    expect(await attempts(new OllamaError(503, "server busy"))).toBe(3);
    service.completions.steps = [{ fail: new OllamaError(404, "model 'x' not found") }];
    await expect(client.chat.completions.create(chat)).rejects.toMatchObject({
      name: expect.any(String),
      message: "404 model 'x' not found",
      type: "not_found_error",
    });
  });

  it.each([
    ["a chat", () => client.chat.completions.create({ ...chat, stream: true })],
    ["a completion", () => client.completions.create({ model, prompt: "x", stream: true })],
    ["a response", () => client.responses.create({ model, input: "x", stream: true })],
  ])("throws what goes wrong in the middle of %s", async (_what, begin) => {
    service.completions.steps = [says("Hel"), { fail: new OllamaError(500, "the engine is gone") }];
    const drain = async () => collect((await begin()) as AsyncIterable<unknown>);
    await expect(drain()).rejects.toThrow("the engine is gone");
  });

  it("aborts, and the answer stops", async () => {
    service.completions.steps = [says("Hel"), { wait: true }];
    const before = service.completions.aborted;
    const stream = await client.chat.completions.create({ ...chat, stream: true });
    await stream[Symbol.asyncIterator]().next();
    stream.controller.abort();
    await expect.poll(() => service.completions.aborted).toBe(before + 1);
  });
});
