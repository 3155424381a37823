import { zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { compatScene } from "../../support/model/compat-scene.ts";
import type { Wire } from "../../support/model/model-service.ts";
import { calls, ends } from "../../support/model/scripted-completions.ts";

const path = "/v1/responses";
const scene = compatScene(path);
const { asked, whole } = scene;
const body = { model: "hearth-starter", input: "hi" };
describe("POST /v1/responses asks the model", () => {
  it("with its own defaults: temperature 1, top_p the model's (trap 14)", async () => {
    await whole(body);
    expect(asked()?.options).toEqual({ temperature: 1 });
    const schema = { type: "object" };
    await whole({
      ...body,
      max_output_tokens: 3,
      temperature: 0.5,
      top_p: 0.25,
      num_ctx: 64,
      keep_alive: -1,
      reasoning: { effort: "none" },
      text: { format: { type: "json_schema", name: "n", schema } },
    });
    expect(asked()).toMatchObject({
      options: { num_predict: 3, temperature: 0.5, top_p: 0.25, num_ctx: 64 },
      keepAliveMs: Infinity,
      think: false,
      format: schema,
    });
  });

  it("with items as messages: a turn of the model is one message", async () => {
    await whole({
      ...body,
      instructions: "be kind",
      input: [
        { role: "user", content: [{ type: "input_text", text: "a" }] },
        { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "b" }] },
        { type: "function_call", call_id: "c1", name: "time", arguments: "{}" },
        { type: "function_call", call_id: "c2", name: "time", arguments: '{"zone":"UTC"}' },
        { type: "function_call_output", call_id: "c2", output: "noon" },
        { type: "web_search_call", id: "w" },
        { role: "user", content: [{ type: "input_image", image_url: "data:image/png;base64,aGk=" }] },
      ],
    });
    expect(asked()?.messages).toEqual([
      { role: "system", content: "be kind" },
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: "b",
        thinking: "hm",
        toolCalls: [
          { id: "c1", name: "time", arguments: {} },
          { id: "c2", name: "time", arguments: { zone: "UTC" } },
        ],
      },
      { role: "tool", content: "noon", toolCallId: "c2", toolName: "time" },
      { role: "user", content: "", images: ["aGk="] },
    ]);
  });

  it("with functions, those of namespaces too, and the choice among them; what it cannot run is left out", async () => {
    const parameters = { type: "object", properties: {} };
    scene.service.completions.steps = [calls(0, "find", {}), ends()];
    const reply = await whole({
      ...body,
      tools: [
        { type: "function", name: "time", description: "d", parameters, strict: true },
        { type: "namespace", name: "crm", tools: [{ type: "function", name: "find" }, { type: "custom" }] },
        { type: "web_search" },
        { type: "custom", name: "apply_patch" },
        { type: "local_shell" },
        { type: "mcp", server_label: "docs", server_url: "https://mcp.example" },
        { type: "function", name: "bare" },
      ],
      tool_choice: { type: "function", name: "find" },
    });
    expect(asked()?.tools).toEqual([
      { name: "time", description: "d", parameters },
      { name: "find" },
      { name: "bare" },
    ]);
    expect(asked()?.toolChoice).toEqual({ name: "find" });
    expect(reply.output[0]).toMatchObject({ name: "find", namespace: "crm" });
    expect(reply.tools.map(({ type }: { type: string }) => type)).toEqual(["function", "namespace", "function"]);
    expect(reply.tools[1].tools).toMatchObject([{ name: "find" }]);
    const bare = { type: "function", name: "bare", description: null, parameters: null, strict: null };
    expect(reply.tools.at(-1)).toEqual(bare);
    expect(reply.tools[0]).toEqual({ type: "function", name: "time", description: "d", parameters, strict: true });
  });

  it("with names of their own for functions of the same name in several namespaces, and takes each by its own", async () => {
    const find = (kind: string) => ({ type: "function", name: "find", description: kind });
    const namespace = (name: string, ...tools: object[]) => ({ type: "namespace", name, tools });
    const tools = [
      find("any"),
      namespace("mcp__crm__", find("person"), { type: "function", name: "only" }),
      namespace("mcp__shop", find("thing")),
      { type: "function", name: "mcp__shop__find" },
    ];
    const names = ["find", "mcp__crm__find", "only", "mcp__shop__find_2", "mcp__shop__find"];
    scene.service.completions.steps = [...names.map((name, at) => calls(at, name, {})), ends()];
    const { id, output } = await whole({ ...body, tools });
    expect(asked()?.tools?.map(({ name }) => name)).toEqual(names);
    const origins = output.map(({ name, namespace: place }: Wire) => [name, place]);
    expect(origins).toEqual([
      ["find", undefined],
      ["find", "mcp__crm__"],
      ["only", "mcp__crm__"],
      ["find", "mcp__shop"],
      ["mcp__shop__find", undefined],
    ]);
    for (const more of [{ previous_response_id: id }, { input: [{ role: "user", content: "hi" }, ...output] }]) {
      await whole({ ...body, tools, ...more });
      expect(asked()?.messages[1]?.toolCalls?.map(({ name }) => name)).toEqual(names);
    }
    for (const [at, [name, place]] of origins.entries()) {
      await whole({ ...body, tools, tool_choice: { type: "function", name, namespace: place } });
      expect(asked()?.toolChoice).toEqual({ name: names[at] });
    }
  });

  it("what a body compressed with zstd says", async () => {
    const reply = await fetch(`${scene.service.url}${path}`, {
      method: "POST",
      headers: { "Content-Encoding": "zstd" },
      body: zstdCompressSync(JSON.stringify({ ...body, input: "packed" })),
    });
    expect(reply.status).toBe(200);
    expect(asked()?.messages).toEqual([{ role: "user", content: "packed" }]);
  });
});

describe("POST /v1/responses refuses", () => {
  const item = (value: object) => ({ ...body, input: [value] });
  it.each([
    [{ model: "x" }, "input must be a string or an array of items"],
    [{ model: "x", input: [] }, "[] is too short - 'input'"],
    [{ input: "x" }, "model is required"],
    [item({ type: "message", content: "hi" }), "input[0].role is required"],
    [item({ type: "hologram" }), 'input[0]: unknown input item type: "hologram"'],
    [
      item({ type: "custom_tool_call_output", call_id: "c", output: "x" }),
      'input[0]: unknown input item type: "custom_tool_call_output"; such tools are omitted, so omit their calls and results, too',
    ],
    [item({ role: "user", content: [{ type: "input_file" }] }), "file inputs are not currently supported"],
    [item({ type: "function_call", name: "f", arguments: "[" }), "invalid tool call arguments"],
    [{ ...body, tools: [{ type: "computer" }] }, 'tools[0]: tools of type "computer" are not supported'],
    [{ ...body, tools: [{ type: "function" }] }, "tools[0].name is required"],
  ])("%j", async (wrong, text) => {
    const reply = await scene.service.post(path, wrong);
    expect(await reply.json()).toEqual({
      error: { message: text, type: "invalid_request_error", param: null, code: null },
    });
    expect([reply.status, reply.headers.get("x-should-retry")]).toEqual([400, "false"]);
  });

  it.each(["required", { type: "custom", name: "apply_patch" }, { type: "mcp", server_label: "docs" }])(
    "a choice of tools that are left out, by their names: %j",
    async (choice) => {
      const tools = [{ type: "custom", name: "apply_patch" }, { type: "local_shell" }];
      const reply = await scene.service.post(path, { ...body, tools, tool_choice: choice });
      expect([reply.status, await reply.json()]).toMatchObject([
        400,
        {
          error: {
            param: "tool_choice",
            message: expect.stringContaining(
              "does not get: tools[0] (custom apply_patch), tools[1] (local_shell); name a function",
            ),
          },
        },
      ]);
    },
  );

  it("bytes that are not what their encoding says", async () => {
    const init = { method: "POST", headers: { "Content-Encoding": "zstd" }, body: "{}" };
    expect((await fetch(`${scene.service.url}${path}`, init)).status).toBe(400);
  });
});
