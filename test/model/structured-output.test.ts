import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunnerEngine } from "../../server/model/engine/runner-engine.ts";
import { familyTemplates, weatherTool } from "../support/model/family-templates.ts";
import { startModelService, type ModelService, type Wire } from "../support/model/model-service.ts";
import { startRunner, type RunnerProcess } from "../support/model/runner-process.ts";

/** Models with random weights: what they say in a format, the grammar alone has made them say. */
let runner: RunnerProcess;
let service: ModelService;
beforeAll(async () => {
  runner = await startRunner();
  service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath }), {
    files: {
      "qwen.gguf": { chatTemplate: familyTemplates.qwen3 },
      "llama.gguf": { chatTemplate: familyTemplates.llama3 },
      "mistral.gguf": { chatTemplate: familyTemplates.mistral },
      "coder.gguf": { chatTemplate: familyTemplates.qwenCoder },
      "phi.gguf": { chatTemplate: familyTemplates.phi4Mini },
      "gemma.gguf": { chatTemplate: familyTemplates.functionGemma },
      "deepseek.gguf": { chatTemplate: familyTemplates.deepSeekV31 },
      "oss.gguf": { chatTemplate: familyTemplates.gptOss },
    },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await runner[Symbol.asyncDispose]();
});

/** More tokens than there are characters in the longest answer that is allowed here: eight calls and all white space. */
const most = 4000;
const messages = [{ role: "user", content: "hi" }];
async function chat(body: object): Promise<Wire> {
  const reply = await service.post("/api/chat", {
    model: "qwen",
    messages,
    stream: false,
    think: false,
    ...body,
    options: { temperature: 1, seed: 1, num_predict: most, ...(body as Wire).options },
  });
  return reply.json();
}
const tools = [
  {
    type: "function",
    function: {
      ...weatherTool,
      parameters: {
        type: "object",
        properties: {
          city: { type: "string", enum: ["Oslo", "Paris"] },
          days: { type: "integer", minimum: 1, maximum: 7 },
        },
        required: ["city", "days"],
      },
    },
  },
];
const validCall = new Ajv2020().compile(tools[0]?.function.parameters ?? false);

/** Bounded in every direction, so that a model which says anything comes to an end. */
const schema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 8 },
    age: { type: "integer", minimum: 0, maximum: 150 },
    mood: { enum: ["good", "bad"] },
    tags: { type: "array", items: { type: "boolean" }, minItems: 1, maxItems: 3 },
  },
  required: ["name", "age", "tags"],
  additionalProperties: false,
};
const valid = new Ajv2020().compile(schema);

describe("a model with random weights", () => {
  it.each([1, 2, 3])("answers by the schema (seed %i)", async (seed) => {
    const { message, done_reason } = await chat({ format: schema, options: { seed } });
    expect(done_reason).toBe("stop");
    expect(valid(JSON.parse(message.content)), message.content).toBe(true);
  });

  it("answers by the schema of generate, too, and in raw mode", async () => {
    for (const raw of [false, true]) {
      const body = { model: "qwen", prompt: "hi", raw, think: false, stream: false, format: schema };
      const { response } = (await (
        await service.post("/api/generate", { ...body, options: { num_predict: most, seed: 1 } })
      ).json()) as Wire;
      expect(valid(JSON.parse(response)), response).toBe(true);
    }
  });

  it("answers by the schema or with a valid call when it has tools", async () => {
    const { message } = await chat({ format: schema, tools });
    if (message.tool_calls === undefined) expect(valid(JSON.parse(message.content))).toBe(true);
    else for (const call of message.tool_calls) expect(validCall(call.function.arguments)).toBe(true);
  });

  it.each(["qwen", "llama", "mistral", "coder", "phi", "gemma", "deepseek", "oss"])(
    "calls a tool as %s does when it must, with valid arguments",
    async (model) => {
      const { message, done_reason } = await chat({ model, tools, tool_choice: "required" });
      expect(done_reason).toBe("stop");
      expect(message.content).toBe("");
      expect(message.tool_calls.length).toBeGreaterThan(0);
      for (const { function: call } of message.tool_calls) {
        expect(call.name).toBe("get_weather");
        expect(validCall(call.arguments), JSON.stringify(call.arguments)).toBe(true);
      }
    },
  );
});
