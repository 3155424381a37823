import { describe, expect, it } from "vitest";
import { OllamaError } from "../../../server/model/ollama-error.ts";
import { compatScene } from "../../support/model/compat-scene.ts";
import { calls, ends, says, thinks } from "../../support/model/scripted-completions.ts";

const path = "/v1/responses";
const scene = compatScene(path);
const { asked, whole, streamed } = scene;
const body = { model: "hearth-starter", input: "hi" };
const message = (text: string) => ({
  id: expect.stringMatching(/^msg_/),
  type: "message",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

describe("POST /v1/responses goes on from an earlier response", () => {
  const go = (rest: object) => whole({ ...body, ...rest });

  it("with all that was said before, but its instructions, at once and streamed", async () => {
    scene.service.completions.steps = [thinks("hm"), calls(0, "time", { zone: "UTC" }), ends()];
    const tools = [{ type: "function", name: "time" }];
    const first = await go({ instructions: "be kind", tools });
    scene.service.completions.steps = [says("Noon."), ends()];
    const result = { type: "function_call_output", call_id: "call_0", output: "12:00" };
    const events = await streamed({ ...body, previous_response_id: first.id, input: [result], tools });
    const second = events.at(-1)?.data.response;
    expect(second).toMatchObject({ previous_response_id: first.id, status: "completed" });
    await go({ previous_response_id: second.id, input: "Thanks", instructions: "be brief" });
    expect(asked()?.messages).toMatchObject([
      { role: "system", content: "be brief" },
      { role: "user", content: "hi" },
      { role: "assistant", thinking: "hm", toolCalls: [{ id: "call_0", name: "time", arguments: { zone: "UTC" } }] },
      { role: "tool", content: "12:00", toolName: "time" },
      { role: "assistant", content: "Noon." },
      { role: "user", content: "Thanks" },
    ]);
    // Two may go on from the same one.
    await go({ previous_response_id: first.id, input: [result] });
    expect(asked()?.messages).toHaveLength(3);
  });

  it("and is refused where that is not kept, or was not to be", async () => {
    const { id } = await go({ store: false });
    const kept = await go({});
    for (const missing of [id, "resp_x"]) {
      const reply = await scene.service.post(path, { ...body, previous_response_id: missing });
      expect([reply.status, await reply.json()]).toMatchObject([
        400,
        { error: { param: "previous_response_id", code: "previous_response_not_found" } },
      ]);
    }
    const conversation = await scene.service.post(path, { ...body, conversation: "conv_1" });
    expect([conversation.status, await conversation.json()]).toMatchObject([400, { error: { param: "conversation" } }]);
    for (let more = 0; more < 256; more++) await go({});
    expect(await go({ previous_response_id: kept.id })).toHaveProperty("error.code", "previous_response_not_found");
  });
});

describe("POST /v1/responses answers", () => {
  it("one object with every member that clients look at", async () => {
    expect(await whole(body)).toEqual({
      id: expect.stringMatching(/^resp_/),
      object: "response",
      created_at: expect.any(Number),
      completed_at: expect.any(Number),
      status: "completed",
      incomplete_details: null,
      model: "hearth-starter",
      previous_response_id: null,
      instructions: null,
      output: [message("Hello")],
      error: null,
      tools: [],
      tool_choice: "auto",
      truncation: "disabled",
      parallel_tool_calls: true,
      text: { format: { type: "text" } },
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      top_logprobs: 0,
      temperature: 1,
      reasoning: null,
      usage: {
        input_tokens: 7,
        output_tokens: 5,
        total_tokens: 12,
        input_tokens_details: { cached_tokens: 3 },
        output_tokens_details: { reasoning_tokens: 2 },
      },
      max_output_tokens: null,
      max_tool_calls: null,
      store: true,
      background: false,
      service_tier: "default",
      metadata: {},
      safety_identifier: null,
      prompt_cache_key: null,
    });
  });

  it("reasoning, text and calls as items in their order", async () => {
    scene.service.completions.steps = [thinks("hm"), says("Look:"), calls(0, "time", { zone: "UTC" }), ends("length")];
    const reply = await whole(body);
    expect(reply.output).toEqual([
      {
        id: expect.stringMatching(/^rs_/),
        type: "reasoning",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: "hm",
      },
      message("Look:"),
      {
        id: expect.stringMatching(/^fc_/),
        type: "function_call",
        status: "completed",
        call_id: "call_0",
        name: "time",
        arguments: '{"zone":"UTC"}',
      },
    ]);
    expect(reply).toMatchObject({ status: "completed", incomplete_details: { reason: "max_output_tokens" } });
  });

  it.each([{ include: ["message.output_text.logprobs"], top_logprobs: 1 }, { top_logprobs: 1 }])(
    "log probabilities where they are asked for: %j",
    async (members) => {
      const token = (text: string) => ({ token: text, bytes: [...Buffer.from(text)], logprob: -0.1 });
      const logprobs = (text: string) => [{ ...token(text), top: [token(text)] }];
      const content = (text: string) => ({ type: "content" as const, text, logprobs: logprobs(text || "<end>") });
      scene.service.completions.steps = [content("Hi"), content(""), ends()];
      const [hi, end] = ["Hi", "<end>"].map((text) => ({ ...token(text), top_logprobs: [token(text)] }));
      const reply = await whole({ ...body, ...members });
      expect(reply.top_logprobs).toBe(1);
      expect(reply.output).toMatchObject([{ content: [{ text: "Hi", logprobs: [hi, end] }] }]);
      expect(asked()?.logprobs).toBe(1);
      const events = await streamed({ ...body, ...members });
      const texts = events.filter(({ name }) => name?.startsWith("response.output_text.") === true);
      expect(texts.map(({ data }) => data.logprobs)).toEqual([[hi], [end], [hi, end]]);
    },
  );

  it("log probabilities without alternatives, and none to a call alone", async () => {
    const logprobs = [{ token: "<end>", bytes: [], logprob: -0.1, top: [] }];
    scene.service.completions.steps = [calls(0, "time", {}), { type: "content", text: "", logprobs }, ends()];
    const reply = await whole({ ...body, include: ["message.output_text.logprobs"] });
    expect(asked()?.logprobs).toBe(0);
    expect(reply.output).toMatchObject([{ type: "function_call" }]);
    await whole(body);
    expect(asked()?.logprobs).toBeUndefined();
  });

  it("no message beside a call alone, and an empty one for an empty answer", async () => {
    scene.service.completions.steps = [calls(0, "time", {}), ends()];
    expect((await whole(body)).output).toMatchObject([{ type: "function_call" }]);
    scene.service.completions.steps = [ends()];
    expect((await whole(body)).output).toEqual([message("")]);
  });
});

describe("POST /v1/responses with stream", () => {
  it("sends the events of a text in their order, numbered, without [DONE]", async () => {
    const events = await streamed(body);
    expect(events.map(({ name }) => name)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.every(({ name, data }, at) => data.type === name && data.sequence_number === at)).toBe(true);
    expect(events[0]?.data.response).toMatchObject({ status: "in_progress", output: [], usage: null });
    expect(events.at(-1)?.data.response).toMatchObject({ status: "completed", output: [message("Hello")] });
    expect(new Set(events.slice(2, -1).map(({ data }) => data.item_id ?? data.item.id)).size).toBe(1);
  });

  it("sends the events of reasoning and of calls", async () => {
    scene.service.completions.steps = [thinks("h"), thinks("m"), calls(0, "time", {}), calls(1, "time", {}), ends()];
    const events = await streamed(body);
    const call = ["output_item.added", "function_call_arguments.delta", "function_call_arguments.done"];
    expect(events.map(({ name }) => name?.replace("response.", ""))).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "output_item.done",
      ...[...call, "output_item.done"],
      ...[...call, "output_item.done"],
      "completed",
    ]);
    expect(events.slice(2, -1).map(({ data }) => data.output_index)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
  });

  it("keeps the status of a failure before the first token, and sends a later one as an event", async () => {
    scene.service.completions.steps = [{ fail: new OllamaError(404, "nobody") }];
    expect((await scene.service.post(path, { ...body, stream: true })).status).toBe(404);
    scene.service.completions.steps = [says("x"), { fail: new OllamaError(500, "gone") }];
    expect((await streamed(body)).at(-1)).toEqual({
      name: "error",
      data: { type: "error", sequence_number: 5, code: "server_error", message: "gone", param: null },
    });
  });
});
