import { describe, expect, it } from "vitest";
import { compatScene } from "../../support/model/compat-scene.ts";

const path = "/v1/chat/completions";
const scene = compatScene(path);
const { asked, whole } = scene;
const user = [{ role: "user", content: "hi" }];
const chat = { model: "hearth-starter", messages: user };
const tools = [
  { type: "function", function: { name: "weather", description: "d", parameters: { type: "object", properties: {} } } },
  { type: "function", function: { name: "time" } },
];

describe("POST /v1/chat/completions asks the model", () => {
  it("with OpenAI's defaults over the model's parameters (trap 14)", async () => {
    await whole(chat);
    expect(asked()).toMatchObject({
      model: "hearth-starter",
      options: { temperature: 1, top_p: 1 },
      keepAliveMs: undefined,
      format: undefined,
      think: undefined,
      toolChoice: "auto",
      tools: [],
      logprobs: undefined,
    });
  });

  it("with what the request says, num_ctx, options and keep_alive included", async () => {
    await whole({
      ...chat,
      max_tokens: 1,
      max_completion_tokens: 2,
      temperature: 0,
      top_p: 0.5,
      seed: 3,
      stop: "x",
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      num_ctx: 512,
      options: { top_k: 7, temperature: 9 },
      keep_alive: "2m",
    });
    expect(asked()).toMatchObject({
      keepAliveMs: 120_000,
      options: {
        num_predict: 2,
        temperature: 0,
        top_p: 0.5,
        seed: 3,
        stop: ["x"],
        frequency_penalty: 0.1,
        presence_penalty: 0.2,
        num_ctx: 512,
        top_k: 7,
      },
    });
    await whole({ ...chat, max_tokens: 4, stop: ["a", "b"] });
    expect(asked()?.options).toMatchObject({ num_predict: 4, stop: ["a", "b"] });
  });

  it.each([[[]], [""], [[""]]])("with the model's own texts to stop at where it names none: %j", async (stop) => {
    await whole({ ...chat, stop });
    expect(asked()?.options).not.toHaveProperty("stop");
  });

  it.each([
    ["auto", "auto"],
    ["none", "none"],
    ["required", "required"],
    [{ type: "function", function: { name: "time" } }, { name: "time" }],
    [null, "auto"],
  ])("with the tool_choice %j", async (given, expected) => {
    await whole({ ...chat, tools, tool_choice: given });
    expect(asked()?.toolChoice).toEqual(expected);
    expect(asked()?.tools).toEqual([
      { name: "weather", description: "d", parameters: { type: "object", properties: {} } },
      { name: "time" },
    ]);
  });

  it.each([
    [{ type: "text" }, undefined],
    [{ type: "json_object" }, "json"],
    [{ type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } }, { type: "object" }],
    [null, undefined],
  ])("for the format %j", async (given, expected) => {
    await whole({ ...chat, response_format: given });
    expect(asked()?.format).toEqual(expected);
  });

  it("not to think harder than it can: an effort is ignored by a model that does not think", async () => {
    await whole({ ...chat, reasoning_effort: "high" });
    expect(asked()?.think).toBeUndefined();
    await whole({ ...chat, reasoning_effort: "none" });
    expect(asked()?.think).toBe(false);
    await whole({ ...chat, reasoning: { effort: "none" } });
    expect(asked()?.think).toBe(false);
  });

  it.each([
    ["minimal", "low"],
    ["medium", "medium"],
    ["xhigh", "max"],
  ])("to think with the effort %s where it can", async (effort, expected) => {
    scene.service.completions.capable = ["completion", "thinking"];
    await whole({ ...chat, reasoning_effort: effort });
    expect(asked()?.think).toBe(expected);
    scene.service.completions.capable = ["completion"];
  });

  it("with messages of parts, calls and results of tools", async () => {
    const png = "data:image/png;base64,aGk=";
    await whole({
      ...chat,
      messages: [
        { role: "developer", content: "be kind" },
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
            { type: "image_url", image_url: { url: png } },
            { type: "image_url", image_url: png },
          ],
        },
        {
          role: "assistant",
          content: null,
          reasoning: "hm",
          tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "cold" },
      ],
    });
    expect(asked()?.messages).toEqual([
      { role: "system", content: "be kind" },
      { role: "user", content: "a\n\nb", images: ["aGk=", "aGk="] },
      {
        role: "assistant",
        content: "",
        thinking: "hm",
        toolCalls: [{ id: "c1", name: "weather", arguments: { city: "Oslo" } }],
      },
      { role: "tool", content: "cold", toolCallId: "c1", toolName: "weather" },
    ]);
  });

  it("with an answer without content whose list of calls is empty, as clients keep it", async () => {
    const { choices } = await whole({
      ...chat,
      messages: [...user, { role: "assistant", content: null, tool_calls: [] }],
    });
    expect(choices).toHaveLength(1);
    expect(asked()?.messages.at(-1)).toEqual({ role: "assistant", content: "" });
  });
});

describe("POST /v1/chat/completions refuses", () => {
  const part = (value: object) => ({ ...chat, messages: [{ role: "user", content: [value] }] });
  it.each([
    ["no messages", { model: "x" }, 400, "[] is too short - 'messages'"],
    ["no model", { messages: user }, 400, "model is required"],
    ["a message without a role", { ...chat, messages: [{ content: "x" }] }, 400, "messages[0].role is required"],
    [
      "no content without a call",
      { ...chat, messages: [...user, { role: "assistant", content: null, tool_calls: null }] },
      400,
      "invalid message content type: <nil> (messages[1].content must be a string or an array of parts)",
    ],
    [
      "a number as content",
      { ...chat, messages: [{ role: "user", content: 1 }] },
      400,
      "invalid message content type: float64 (messages[0].content must be a string or an array of parts)",
    ],
    ["a part of an unknown type", part({ type: "hologram" }), 400, "invalid message format"],
    [
      "the address of an image",
      part({ type: "image_url", image_url: { url: "https://x/y.png" } }),
      400,
      "image URLs are not currently supported, please use base64 encoded data instead",
    ],
    [
      "an image of an unknown type",
      part({ type: "image_url", image_url: "data:image/gif;base64,aGk=" }),
      400,
      "invalid image input",
    ],
    ...["city", "[", "[1]", "7", '{"city":Oslo}', '{"a":1} {'].map((text): [string, object, number, string] => [
      `arguments that are no beginning of an object: ${text}`,
      { ...chat, messages: [{ role: "assistant", tool_calls: [{ function: { name: "f", arguments: text } }] }] },
      400,
      "invalid tool call arguments",
    ]),
    [
      "a bad effort",
      { ...chat, reasoning_effort: "x" },
      400,
      'invalid reasoning value: "x" (must be "minimal", "low", "medium", "high", "xhigh", "ultra", "max", or "none")',
    ],
    ["top_logprobs of 21", { ...chat, logprobs: true, top_logprobs: 21 }, 400, "top_logprobs must be between 0 and 20"],
    [
      "a tool_choice of another form",
      { ...chat, tools, tool_choice: "any" },
      400,
      'invalid tool_choice: expected "none", "auto", "required" or {"type":"function","function":{"name":…}}',
    ],
    [
      "a format without schema",
      { ...chat, response_format: { type: "json_schema" } },
      400,
      "invalid response_format: a JSON Schema object is missing",
    ],
    [
      "a format of another type",
      { ...chat, response_format: "json" },
      400,
      'invalid response_format: its type must be "text", "json_object" or "json_schema"',
    ],
    ["a bad keep_alive", { ...chat, keep_alive: "5" }, 400, 'time: missing unit in duration "5"'],
    ["numbers to stop at", { ...chat, stop: [1] }, 400, "invalid stop: expected a string or an array of strings"],
    [
      "text for a boolean",
      { ...chat, stream: "true" },
      400,
      "json: cannot unmarshal string into Go struct field ChatCompletionRequest.stream of type bool",
    ],
  ])("%s", async (_what, body, status, message) => {
    const reply = await scene.service.post(path, body);
    expect(reply.status).toBe(status);
    expect(await reply.json()).toEqual({ error: { message, type: "invalid_request_error", param: null, code: null } });
  });

  it("an empty body", async () => {
    const reply = await fetch(`${scene.service.url}${path}`, { method: "POST" });
    expect(await reply.json()).toMatchObject({ error: { message: "EOF", type: "invalid_request_error" } });
  });
});
