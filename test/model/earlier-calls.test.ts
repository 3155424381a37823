/** A history with calls of tools goes on with a model that has none, as long as the request offers no tools. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { familyTemplates } from "../support/model/family-templates.ts";
import { startModelService, type ModelService } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, { files: { "gemma.gguf": { chatTemplate: familyTemplates.gemma2 } } });
});
afterAll(() => service[Symbol.asyncDispose]());

const user = { role: "user", content: "hi" };
const asked = (input: unknown) => ({
  role: "assistant",
  tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: input } }],
});
const result = { role: "tool", tool_call_id: "c1", content: "rain" };
const call = { type: "function_call", call_id: "c1", name: "weather", arguments: '{"city":"Oslo"}' };
const output = { type: "function_call_output", call_id: "c1", output: "rain" };
const use = { type: "tool_use", id: "c1", name: "weather", input: { city: "Oslo" } };
const used = { type: "tool_result", tool_use_id: "c1", content: "rain" };
const turns = [
  { role: "assistant", content: [use] },
  { role: "user", content: [used] },
];

it.each<[path: string, body: object]>([
  ["/api/chat", { messages: [user, asked({ city: "Oslo" }), result] }],
  ["/v1/chat/completions", { messages: [user, asked('{"city":"Oslo"}'), result] }],
  ["/v1/responses", { input: [user, call, output] }],
  ["/v1/messages", { messages: [user, ...turns], max_tokens: 9 }],
])("shows calls and results as text: %s", async (path, body) => {
  const reply = await service.post(path, { model: "gemma", ...body });
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining("lo")]);
  expect(engine.requests.at(-1)?.prompt).toBe(
    "<s><start_of_turn>user\nhi<end_of_turn>\n" +
      '<start_of_turn>model\nCalled weather with {"city":"Oslo"}.<end_of_turn>\n' +
      "<start_of_turn>user\nResult of weather:\nrain<end_of_turn>\n<start_of_turn>model\n",
  );
});
