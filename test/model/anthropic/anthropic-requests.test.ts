import { describe, expect, it } from "vitest";
import { compatScene } from "../../support/model/compat-scene.ts";

const path = "/v1/messages";
const scene = compatScene(path);
const { asked, whole } = scene;
const body = { model: "hearth-starter", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };
const tools = [{ name: "time", description: "d", input_schema: { type: "object" } }];

describe("POST /v1/messages asks the model", () => {
  it("with Ollama's defaults and the model's own (trap 14)", async () => {
    await whole(body);
    expect(asked()).toMatchObject({ options: { num_predict: 9 }, think: undefined, toolChoice: "auto" });
    const rest = { temperature: 0, top_p: 0.5, top_k: 3, stop_sequences: ["x"], num_ctx: 64, keep_alive: "1m" };
    await whole({ ...body, ...rest, options: { seed: 1 } });
    expect(asked()).toMatchObject({
      options: { num_predict: 9, temperature: 0, top_p: 0.5, top_k: 3, stop: ["x"], num_ctx: 64, seed: 1 },
      keepAliveMs: 60_000,
    });
  });

  it.each([[[]], [[""]]])("with the model's own texts to stop at where it names none: %j", async (stop_sequences) => {
    await whole({ ...body, stop_sequences });
    expect(asked()?.options).toEqual({ num_predict: 9 });
  });

  it.each([
    [{ type: "auto" }, "auto"],
    [{ type: "none" }, "none"],
    [{ type: "any" }, "required"],
    [{ type: "tool", name: "time" }, { name: "time" }],
  ])("with the tool_choice %j", async (given, expected) => {
    await whole({ ...body, tools, tool_choice: given });
    expect(asked()?.toolChoice).toEqual(expected);
    expect(asked()?.tools).toEqual([{ name: "time", description: "d", parameters: { type: "object" } }]);
  });

  it("for thinking only where it can, and not where that is disabled", async () => {
    await whole({ ...body, thinking: { type: "enabled", budget_tokens: 1024 } });
    expect(asked()?.think).toBeUndefined();
    await whole({ ...body, thinking: { type: "adaptive" } });
    expect(asked()?.think).toBeUndefined();
    await whole({ ...body, thinking: { type: "disabled" } });
    expect(asked()?.think).toBe(false);
  });

  const schema = { type: "object" };
  const format = { type: "json_schema", schema };
  it.each([{ output_config: { format } }, { output_format: format }])("for an output format: %j", async (members) => {
    await whole({ ...body, ...members });
    expect(asked()?.format).toEqual(schema);
  });

  it("with blocks as messages: results of tools come first, unknown blocks not at all", async () => {
    await whole({
      ...body,
      system: [
        { type: "text", text: "be" },
        { type: "text", text: "kind" },
      ],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "image", source: { type: "base64", data: "aGk=" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm" },
            { type: "tool_use", id: "c1", name: "time", input: { zone: "UTC" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "text", text: "and?" },
            { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "noon" }], is_error: false },
            { type: "hologram" },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "c1" }] },
      ],
    });
    expect(asked()?.messages).toEqual([
      { role: "system", content: "be\n\nkind" },
      { role: "user", content: "a", images: ["aGk="] },
      {
        role: "assistant",
        content: "",
        thinking: "hm",
        toolCalls: [{ id: "c1", name: "time", arguments: { zone: "UTC" } }],
      },
      { role: "tool", content: "noon", toolCallId: "c1", toolName: "time" },
      { role: "user", content: "and?" },
      { role: "tool", content: "", toolCallId: "c1", toolName: "time" },
    ]);
  });

  it("with what the server's tools have found behind their calls, and what the assistant said of it behind that; not what the server alone can read", async () => {
    const found = [{ type: "web_search_result", title: "Rain", url: "https://rain.example" }];
    const content = [
      { type: "text", text: "I search." },
      { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "rain" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "s1",
        content: found.map((one) => ({ ...one, encrypted_content: "c2VhbGVk" })),
      },
      { type: "text", text: "It rains." },
      { type: "server_tool_use", id: "s2", name: "code_execution", input: {} },
      { type: "code_execution_tool_result", tool_use_id: "s2" },
      { type: "hologram" },
    ];
    const messages = [...body.messages, { role: "assistant", content }, { role: "user", content: "and now?" }];
    const reply = await scene.service.post(path, { ...body, messages });
    expect(reply.status).toBe(200);
    const called = (id: string, name: string, values: object) => [{ id, name, arguments: values }];
    expect(asked()?.messages).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "I search.", toolCalls: called("s1", "web_search", { query: "rain" }) },
      { role: "tool", content: JSON.stringify(found), toolCallId: "s1", toolName: "web_search" },
      { role: "assistant", content: "It rains.", toolCalls: called("s2", "code_execution", {}) },
      { role: "tool", content: "", toolCallId: "s2", toolName: "code_execution" },
      { role: "user", content: "and now?" },
    ]);
  });
});

describe("POST /v1/messages refuses", () => {
  const block = (value: object) => ({ ...body, messages: [{ role: "user", content: [value] }] });
  it.each([
    [{ ...body, model: "" }, "model is required"],
    [{ ...body, max_tokens: undefined }, "max_tokens is required and must be positive"],
    [{ ...body, max_tokens: 0 }, "max_tokens is required and must be positive"],
    [{ ...body, messages: [] }, "messages is required"],
    [{ ...body, messages: [{ content: "x" }] }, "messages[0].role is required"],
    [{ ...body, messages: [{ role: "user" }] }, "messages[0].content must be a string or an array of content blocks"],
    [
      block({ type: "image", source: { type: "url", url: "https://x" } }),
      "invalid image source type: url. Only base64 images are supported.",
    ],
    [block({ type: "tool_use", name: "x" }), "tool_use block missing required 'id' field"],
    [
      { ...body, tools, tool_choice: "any" },
      'invalid tool_choice: expected {"type":"auto"}, {"type":"any"}, {"type":"none"} or {"type":"tool","name":…}',
    ],
    [
      { ...body, tools: [{ type: "web_search_20250305", name: "web_search" }] },
      'tools[0]: tools of type "web_search_20250305" are not supported by this server',
    ],
  ])("%j", async (wrong, message) => {
    const reply = await scene.service.post(path, wrong);
    expect([reply.status, reply.headers.get("x-should-retry")]).toEqual([400, "false"]);
    expect(await reply.json()).toEqual({
      type: "error",
      error: { type: "invalid_request_error", message },
      request_id: expect.stringMatching(/^req_[0-9a-f]{24}$/),
    });
  });

  it("a history that the server was to keep, in the words that clients look for", async () => {
    for (const at of [path, `${path}/count_tokens`]) {
      const reply = await scene.service.post(at, { ...body, thread: { type: "create" } });
      expect([reply.status, await reply.json()]).toMatchObject([
        400,
        { error: { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } } },
      ]);
    }
    expect((await scene.service.post(path, { ...body, thread: null })).status).toBe(200);
  });
});

describe("POST /v1/messages/count_tokens", () => {
  it("counts what the same message would give to the model, without a limit of the answer", async () => {
    const counted = { ...body, max_tokens: undefined, system: "be kind", tools };
    const reply = await scene.service.post(`${path}/count_tokens`, counted);
    expect(await reply.json()).toEqual({ input_tokens: 7 });
    expect(asked()).toMatchObject({ messages: [{ role: "system" }, { role: "user" }], tools: [{ name: "time" }] });
  });
});

describe("what is not served at /v1 is refused", () => {
  it.each([
    ["POST", "/v1/messages/batches", {}, 404],
    ["GET", "/v1/messages", {}, 405],
    ["GET", "/v1/files", { "anthropic-version": "2023-06-01" }, 404],
  ])("as Anthropic does to its clients: %s %s", async (method, at, headers: Record<string, string>, status) => {
    const reply = await scene.service.get(at, { method, headers });
    expect([reply.status, await reply.json()]).toEqual([
      status,
      {
        type: "error",
        error: { type: status === 404 ? "not_found_error" : "api_error", message: expect.any(String) },
        request_id: expect.stringMatching(/^req_/),
      },
    ]);
  });

  it.each([
    ["POST", "/v1/files", 404],
    ["GET", "/v1/chat/completions", 405],
  ])("as OpenAI does to the others: %s %s", async (method, at, status) => {
    const reply = await scene.service.get(at, { method });
    expect([reply.status, reply.headers.get("allow"), await reply.json()]).toEqual([
      status,
      status === 405 ? "POST" : null,
      { error: { message: expect.any(String), type: expect.any(String), param: null, code: null } },
    ]);
  });
});
