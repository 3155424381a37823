import { describe, expect, it } from "vitest";
import { OllamaError } from "../../../server/model/ollama-error.ts";
import { compatScene } from "../../support/model/compat-scene.ts";
import { calls, ends, says, thinks } from "../../support/model/scripted-completions.ts";

const path = "/v1/messages";
const scene = compatScene(path);
const { asked, whole, streamed } = scene;
const body = { model: "hearth-starter", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };

describe("POST /v1/messages answers", () => {
  it("one message by default", async () => {
    expect(await whole(body)).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      type: "message",
      role: "assistant",
      model: "hearth-starter",
      content: [{ type: "text", text: "Hello" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 4, cache_creation_input_tokens: 0, cache_read_input_tokens: 3, output_tokens: 5 },
    });
  });

  it("thoughts, text and calls as blocks", async () => {
    scene.service.completions.steps = [thinks("hm"), says("Look:"), calls(0, "time", { zone: "UTC" }), ends()];
    expect(await whole(body)).toMatchObject({
      stop_reason: "tool_use",
      content: [
        { type: "thinking", thinking: "hm", signature: "" },
        { type: "text", text: "Look:" },
        { type: "tool_use", id: "call_0", name: "time", input: { zone: "UTC" } },
      ],
    });
  });

  it("which of the client's stop sequences ended it; those of the model end its turn", async () => {
    scene.service.completions.steps = [says("Hel"), ends("stop", { stopSequence: "lo" })];
    const stopped = { stop_reason: "stop_sequence", stop_sequence: "lo" };
    expect(await whole({ ...body, stop_sequences: ["x", "lo"] })).toMatchObject(stopped);
    const events = await streamed({ ...body, stop_sequences: ["lo"] });
    expect(events.find(({ name }) => name === "message_delta")?.data.delta).toEqual(stopped);
    expect(await whole(body)).toMatchObject({ stop_reason: "end_turn", stop_sequence: null });
  });

  it("no block for nothing said, max_tokens for an answer that was cut, and a sign for a prompt that was", async () => {
    scene.service.completions.steps = [ends("length", { cutTokens: 1 })];
    expect(await whole(body)).toMatchObject({
      content: [],
      stop_reason: "max_tokens",
      context_cut: { cut_tokens: 1, dropped_messages: 0 },
    });
  });
});

describe("POST /v1/messages with stream", () => {
  it("sends the events of a text in their order", async () => {
    const events = await streamed(body);
    expect(events).toEqual([
      {
        name: "message_start",
        data: {
          type: "message_start",
          message: {
            id: expect.stringMatching(/^msg_/),
            type: "message",
            role: "assistant",
            model: "hearth-starter",
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: expect.any(Number), output_tokens: 0 },
          },
        },
      },
      {
        name: "content_block_start",
        data: { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      },
      ...["Hel", "lo"].map((text) => ({
        name: "content_block_delta",
        data: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
      })),
      { name: "content_block_stop", data: { type: "content_block_stop", index: 0 } },
      {
        name: "message_delta",
        data: {
          type: "message_delta",
          delta: { stop_reason: "end_turn", stop_sequence: null },
          usage: { input_tokens: 4, cache_creation_input_tokens: 0, cache_read_input_tokens: 3, output_tokens: 5 },
        },
      },
      { name: "message_stop", data: { type: "message_stop" } },
    ]);
  });

  it("opens and closes a block for thoughts and for each call", async () => {
    scene.service.completions.steps = [thinks("hm"), calls(0, "time", { zone: "UTC" }), calls(1, "time", {}), ends()];
    const events = (await streamed(body)).map(({ data }) => data);
    expect(events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`))).toEqual([
      "message_start",
      ...[0, 1, 2].flatMap((at) => [
        `content_block_start ${at}`,
        `content_block_delta ${at}`,
        `content_block_stop ${at}`,
      ]),
      "message_delta",
      "message_stop",
    ]);
    expect(events[1].content_block).toEqual({ type: "thinking", thinking: "", signature: "" });
    expect(events[4].content_block).toEqual({ type: "tool_use", id: "call_0", name: "time", input: {} });
    expect(events[5].delta).toEqual({ type: "input_json_delta", partial_json: '{"zone":"UTC"}' });
    expect(events.at(-2).delta.stop_reason).toBe("tool_use");
  });

  it("begins with the prompt's tokens as they were counted", async () => {
    scene.service.completions.steps = [{ type: "progress", completed: 4, total: 44 }, says("x"), ends()];
    const [first] = (await streamed(body)).map(({ data }) => data);
    expect(first.message.usage.input_tokens).toBe(44);
    expect(asked()?.progress).toBe(true);
  });

  it("keeps the status of a failure before the first token, and sends a later one as an event", async () => {
    scene.service.completions.steps = [
      { type: "progress", completed: 1, total: 2 },
      { fail: new OllamaError(503, "server busy") },
    ];
    const early = await scene.service.post(path, { ...body, stream: true });
    expect([early.status, early.headers.get("x-should-retry")]).toEqual([503, null]);
    expect(await early.json()).toMatchObject({ error: { type: "overloaded_error", message: "server busy" } });
    scene.service.completions.steps = [says("x"), { fail: new OllamaError(500, "gone") }];
    expect((await streamed(body)).at(-1)).toEqual({
      name: "error",
      data: { type: "error", error: { type: "api_error", message: "gone" } },
    });
  });
});
