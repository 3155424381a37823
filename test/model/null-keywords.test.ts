/** Keywords of a schema that are null, as serialisers write those that are not there. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { familyTemplates } from "../support/model/family-templates.ts";
import { startModelService, type ModelService } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  const { qwen3, gptOss, qwenCoder } = familyTemplates;
  service = await startModelService(engine, {
    files: {
      "qwen.gguf": { chatTemplate: qwen3 },
      "oss.gguf": { chatTemplate: gptOss },
      "coder.gguf": { chatTemplate: qwenCoder },
    },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const nulls = { required: null, additionalProperties: null, anyOf: null };
const city = { type: "string", description: null, enum: null };
const messages = [{ role: "user", content: "hi" }];
const chat = async (body: object) => (await service.post("/api/chat", { messages, stream: false, ...body })).status;

it("ask for nothing in a format", async () => {
  expect(await chat({ model: "qwen", format: { type: "object", properties: { city }, ...nulls } })).toBe(200);
  const reply = await service.post("/api/schema", { schema: { type: "object", properties: null, other: null } });
  expect(await reply.json()).toEqual({ enforceable: true, ignored: [] });
});

it.each(["qwen", "oss", "coder"])("ask for nothing in a tool, and are not shown: %s", async (model) => {
  for (const given of [
    { type: "object", properties: { city }, ...nulls },
    { type: null, properties: null },
  ]) {
    const tool = { type: "function", function: { name: "look", description: null, parameters: given } };
    expect(await chat({ model, tools: [tool], tool_choice: "required" })).toBe(200);
    expect(engine.requests.at(-1)?.prompt).toContain("look");
    expect(engine.requests.at(-1)?.prompt).not.toMatch(/null|None/);
  }
});
