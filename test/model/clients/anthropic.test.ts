import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OllamaError } from "../../../server/model/ollama-error.ts";
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
  const { default: Anthropic } = await thirdParty("@anthropic-ai/sdk");
  service = await startCompatService();
  client = new Anthropic({ baseURL: service.url, apiKey: "unused" });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.completions.steps = [says("Hel"), says("lo"), ends()];
});

const request = { model: "hearth-starter", max_tokens: 16, messages: [{ role: "user", content: "hi" }] };
const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const tools = [{ name: "weather", input_schema: schema }];
const asked = () => service.completions.chats.at(-1);

describe("the npm client @anthropic-ai/sdk, unmodified,", () => {
  it("sends messages, at once and streamed", async () => {
    const reply = await client.messages.create({ ...request, system: "be kind" });
    expect(reply).toMatchObject({ content: [{ type: "text", text: "Hello" }], stop_reason: "end_turn" });
    const stream = client.messages.stream(request);
    const pieces: string[] = [];
    stream.on("text", (delta: string) => pieces.push(delta));
    const final = await stream.finalMessage();
    expect(pieces).toEqual(["Hel", "lo"]);
    expect(final).toMatchObject({
      content: [{ type: "text", text: "Hello" }],
      usage: { input_tokens: 4, cache_read_input_tokens: 3, output_tokens: 5 },
    });
  });

  it("puts streamed thoughts and calls together", async () => {
    service.completions.steps = [
      thinks("h"),
      thinks("m"),
      says("Look"),
      calls(0, "weather", { city: "Oslo" }),
      calls(1, "weather", { city: "Rome" }),
      ends(),
    ];
    const choice = { type: "any" };
    const final = await client.messages.stream({ ...request, tools, tool_choice: choice }).finalMessage();
    expect(final).toMatchObject({
      stop_reason: "tool_use",
      content: [
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "Look" },
        { type: "tool_use", id: "call_0", name: "weather", input: { city: "Oslo" } },
        { type: "tool_use", id: "call_1", name: "weather", input: { city: "Rome" } },
      ],
    });
    expect(asked()?.toolChoice).toBe("required");
    const result = { type: "tool_result", tool_use_id: "call_1", content: "warm" };
    const turns = [
      { role: "assistant", content: final.content },
      { role: "user", content: [result] },
    ];
    await client.messages.create({ ...request, messages: [...request.messages, ...turns], tools });
    expect(asked()?.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: "Look", thinking: "hm", toolCalls: [{ id: "call_0" }, { id: "call_1" }] },
      { role: "tool", content: "warm", toolName: "weather" },
    ]);
  });

  it("parses structured output", async () => {
    service.completions.steps = [says('{"city":"Oslo"}'), ends()];
    const format = { type: "json_schema", schema };
    const reply = await client.messages.create({ ...request, output_config: { format } });
    expect(JSON.parse(reply.content[0].text)).toEqual({ city: "Oslo" });
    expect(asked()?.format).toEqual(schema);
  });

  it("gets errors by their types, and repeats only what may pass", async () => {
    const { NotFoundError } = await thirdParty("@anthropic-ai/sdk");
    const attempts = async (fail: OllamaError) => {
      service.completions.steps = [{ fail }];
      const before = service.completions.chats.length;
      await expect(client.messages.create(request)).rejects.toMatchObject({ status: fail.status });
      return service.completions.chats.length - before;
    };
    expect(await attempts(new OllamaError(500, 'option "num_ctx" must be of type integer'))).toBe(1);
    expect(await attempts(new OllamaError(503, "server busy"))).toBe(3);
    service.completions.steps = [{ fail: new OllamaError(404, "model 'x' not found") }];
    const failing = client.messages.create(request);
    await expect(failing).rejects.toBeInstanceOf(NotFoundError);
    await expect(failing).rejects.toMatchObject({
      requestID: expect.stringMatching(/^req_/),
      error: { error: { type: "not_found_error", message: "model 'x' not found" } },
    });
    await expect(client.messages.batches.list()).rejects.toBeInstanceOf(NotFoundError);
  });

  it("counts tokens, and lists models in its own shape", async () => {
    expect(await client.messages.countTokens(request)).toEqual({ input_tokens: 7 });
    const models = await client.models.list();
    expect(models.data).toMatchObject([{ type: "model", id: "hearth-starter:latest", created_at: expect.any(String) }]);
    expect(models.hasNextPage()).toBe(false);
    expect(await client.models.retrieve("hearth-starter")).toMatchObject({ type: "model", id: "hearth-starter" });
    const { NotFoundError } = await thirdParty("@anthropic-ai/sdk");
    await expect(client.models.retrieve("nobody")).rejects.toBeInstanceOf(NotFoundError);
  });

  it.each([false, true])("runs tools with the whole history in each request (stream: %s)", async (stream) => {
    service.completions.steps = [calls(0, "weather", { city: "Oslo" }), ends()];
    const run = () => {
      service.completions.steps = [says("It is cold."), ends()];
      return "cold";
    };
    const { default: Anthropic } = await thirdParty("@anthropic-ai/sdk");
    const threads: unknown[] = [];
    const watched = (url: string, init: { body: string }) => {
      threads.push((JSON.parse(init.body) as { thread?: unknown }).thread);
      return fetch(url, init);
    };
    const observed = new Anthropic({ baseURL: service.url, apiKey: "unused", fetch: watched });
    const runner = observed.beta.messages.toolRunner({
      ...request,
      stream,
      tools: [{ type: "custom", ...tools[0], run, parse: (input: unknown) => input }],
    });
    expect(await runner.runUntilDone()).toMatchObject({ content: [{ type: "text", text: "It is cold." }] });
    expect(asked()?.messages).toMatchObject([
      { role: "user", content: "hi" },
      { role: "assistant", toolCalls: [{ name: "weather" }] },
      { role: "tool", content: "cold", toolName: "weather" },
    ]);
    // It asks for a history that the server keeps, reads that there is none, and goes on without.
    expect(threads).toEqual([{ type: "create" }, undefined, undefined]);
  });

  it("throws what goes wrong in the middle", async () => {
    service.completions.steps = [says("Hel"), { fail: new OllamaError(500, "the engine is gone") }];
    await expect(client.messages.stream(request).finalMessage()).rejects.toThrow("the engine is gone");
  });

  it("aborts, and the answer stops", async () => {
    service.completions.steps = [says("Hel"), { wait: true }];
    const before = service.completions.aborted;
    const stream = client.messages.stream(request);
    stream.on("text", () => stream.abort());
    await expect(stream.finalMessage()).rejects.toThrow(/abort/i);
    await expect.poll(() => service.completions.aborted).toBe(before + 1);
  });
});
