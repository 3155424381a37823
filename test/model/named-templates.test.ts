/** A file with several named chat templates: requests with tools get that for tools, all others the common one. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { familyTemplates, weatherTool } from "../support/model/family-templates.ts";
import { startModelService, type ModelService } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const named = (name: string, value: string) =>
  ({ key: `tokenizer.chat_template.${name}`, type: "string", value }) as const;
const extraMetadata = [
  { key: "tokenizer.chat_templates", type: "string", value: ["rag", "tool_use"] },
  named("rag", "{{ documents }}"),
  named("tool_use", familyTemplates.qwen25),
] as const;
const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  const files = { "command.gguf": { chatTemplate: familyTemplates.gemma2, extraMetadata } };
  service = await startModelService(engine, { files });
});
afterAll(() => service[Symbol.asyncDispose]());

const tools = [{ type: "function", function: weatherTool }];
const messages = [{ role: "user", content: "hi" }];
async function promptOf(body: object): Promise<string | undefined> {
  const reply = await service.post("/v1/chat/completions", { model: "command", messages, ...body });
  expect(reply.status).toBe(200);
  return engine.requests.at(-1)?.prompt;
}

it("uses the template tool_use where tools are given", async () => {
  expect(await promptOf({ tools })).toMatch(/# Tools[^]*get_weather[^]*<\|im_start\|>user\nhi/);
});

it("shows no tools in it where the request forbids calls", async () => {
  expect(await promptOf({ tools, tool_choice: "none" })).toMatch(/^<\|im_start\|>user\nhi/);
});

it.each([{}, { tools: [] }])("uses the common one where there are no tools: %o", async (body) => {
  expect(await promptOf(body)).toContain("<start_of_turn>user\nhi");
});

it("has the capability of its template for tools", async () => {
  const reply = await service.post("/api/show", { model: "command" });
  expect(await reply.json()).toMatchObject({ capabilities: ["completion", "tools"] });
});
