/** Members of requests at /v1 that Hearth cannot do: refused by name where they ask for something, taken where not. */
import { describe, expect, it } from "vitest";
import { compatScene } from "../support/model/compat-scene.ts";

const scene = compatScene("");
const messages = [{ role: "user", content: "hi" }];
const bodies: Readonly<Record<string, object>> = {
  "/v1/chat/completions": { messages },
  "/v1/completions": { prompt: "hi" },
  "/v1/responses": { input: "hi" },
  "/v1/messages": { messages, max_tokens: 5 },
  "/v1/messages/count_tokens": { messages },
};
const post = (path: string, members: object) =>
  scene.service.post(path, { model: "hearth-starter", ...bodies[path], ...members });

const openAi = [
  ["/v1/chat/completions", "functions", [{ name: "time" }]],
  ["/v1/chat/completions", "function_call", { name: "time" }],
  ["/v1/chat/completions", "modalities", ["text", "audio"]],
  ["/v1/chat/completions", "audio", { voice: "alloy", format: "wav" }],
  ["/v1/chat/completions", "web_search_options", {}],
  ["/v1/chat/completions", "logit_bias", { 1: 100 }],
  ["/v1/completions", "logit_bias", { 1: 100 }],
  ["/v1/responses", "prompt", { id: "x" }],
  ["/v1/responses", "background", true],
  ["/v1/responses", "conversation", { id: "conv_1" }],
] as const;

describe("what Hearth cannot do is refused by the member's name", () => {
  it.each(openAi)("%s: %s %j", async (path, param, value) => {
    const reply = await post(path, { [param]: value });
    const message = expect.stringMatching(`^${param} is not supported: `);
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { error: { message, type: "invalid_request_error", param, code: "unsupported_value" } },
    ]);
  });

  it.each([
    ["mcp_servers", [{ type: "url", url: "https://mcp.example", name: "m" }]],
    ["container", "container_1"],
    ["container", { skills: [{ type: "anthropic", skill_id: "pptx" }] }],
  ])("in Anthropic's shape: %s %j", async (name, value) => {
    for (const path of ["/v1/messages", "/v1/messages/count_tokens"]) {
      const reply = await post(path, { [name]: value });
      const error = { type: "invalid_request_error", message: expect.stringMatching(`^${name} is not supported: `) };
      expect([reply.status, await reply.json()]).toMatchObject([400, { type: "error", error }]);
    }
  });

  it("an earlier call in the shape from before tools, by its place", async () => {
    const call = { role: "assistant", content: "", function_call: { name: "time", arguments: "{}" } };
    const reply = await post("/v1/chat/completions", { messages: [...messages, call] });
    const message = "messages[1].function_call is not supported: use tool_calls";
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { message, param: "messages" } }]);
  });
});

describe("what asks for nothing is taken", () => {
  it.each([
    ["/v1/chat/completions", { functions: [], function_call: "auto", modalities: ["text"], audio: {}, logit_bias: {} }],
    ["/v1/chat/completions", { functions: null, function_call: null, modalities: null, audio: null, logit_bias: null }],
    ["/v1/chat/completions", { web_search_options: null, function_call: "none", modalities: [] }],
    ["/v1/chat/completions", { messages: [{ ...messages[0], function_call: null }] }],
    ["/v1/completions", { logit_bias: {}, best_of: 1, suffix: "" }],
    ["/v1/responses", { prompt: null, background: false, include: [], conversation: null, top_logprobs: 0 }],
    ["/v1/responses", { background: null, include: ["reasoning.encrypted_content"], top_logprobs: null, prompt: "hi" }],
    ["/v1/messages", { mcp_servers: [], container: null, metadata: { user_id: "u" } }],
  ])("%s: %j", async (path, members) => {
    expect((await post(path, members)).status).toBe(200);
  });
});
