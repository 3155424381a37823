/** An answer that ends inside its thoughts still has the form that the request demands, or says that it was cut. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunnerEngine } from "../../server/model/engine/runner-engine.ts";
import { fuzzSeed } from "../support/fuzz-seed.ts";
import { demandedAnswers } from "../support/model/demanded-answers.ts";
import { familyTemplates, weatherTool } from "../support/model/family-templates.ts";
import { startModelService, type ModelService, type Wire } from "../support/model/model-service.ts";
import { createVocabulary, specialIds } from "../support/model/random-vocabulary.ts";
import { startRunner, type RunnerProcess } from "../support/model/runner-process.ts";

const vocabulary = 389;
const { firstNormal } = createVocabulary(vocabulary);
/** Says all of its tokens in one circle, and ends behind one of them. */
const ending = {
  vocabulary,
  circle: vocabulary - firstNormal,
  followers: [[firstNormal, specialIds.turnEnd]],
} as const;
/** Says one token again and again, which drafts foresee: quantized weights allow them. */
const stuck = { circle: 1, type: "q8_0" } as const;

const files = {
  "ending.gguf": { chatTemplate: familyTemplates.qwen3, ...ending },
  "ending-oss.gguf": { chatTemplate: familyTemplates.gptOss, ...ending },
  "stuck.gguf": { chatTemplate: familyTemplates.qwen3, ...stuck },
  "stuck-mistral.gguf": { chatTemplate: familyTemplates.magistral, ...stuck },
  "random.gguf": { chatTemplate: familyTemplates.glm45, vocabulary },
  "random-oss.gguf": { chatTemplate: familyTemplates.gptOss, vocabulary, type: stuck.type },
  "random-deepseek.gguf": { chatTemplate: familyTemplates.deepSeekV31, vocabulary },
};
let runner: RunnerProcess;
let service: ModelService;
beforeAll(async () => {
  runner = await startRunner();
  service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath }), { files });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await runner[Symbol.asyncDispose]();
});

const messages = [{ role: "user", content: "hi" }];
const schema = { const: { a: 1 } };
const parameters = { type: "object", properties: { city: { const: "Oslo" } }, required: ["city"] };
const tool = { name: weatherTool.name, parameters };
const ask = async (path: string, body: object): Promise<Wire> => {
  const reply = await service.post(path, { stream: false, temperature: 0, ...body });
  return reply.json();
};

describe.each(["ending", "ending-oss", "stuck", "stuck-mistral"])("the model %s", (model) => {
  it("answers by a format at /api/chat, behind its thoughts", async () => {
    const { message, done_reason } = await ask("/api/chat", {
      model,
      messages,
      format: schema,
      options: { temperature: 0 },
    });
    expect([message.content, done_reason]).toEqual(['{"a":1}', "stop"]);
    expect(message.thinking).not.toBe("");
  });

  it("answers by a strict schema and with a required call at /v1/chat/completions", async () => {
    const format = { type: "json_schema", json_schema: { name: "a", strict: true, schema } };
    const whole = await ask("/v1/chat/completions", { model, messages, response_format: format });
    expect(whole.choices[0]).toMatchObject({ message: { content: '{"a":1}' }, finish_reason: "stop" });
    const tools = [{ type: "function", function: tool }];
    const called = await ask("/v1/chat/completions", {
      ...{ model, messages, tools, tool_choice: "required" },
      parallel_tool_calls: false,
    });
    expect(called.choices[0]).toMatchObject({
      message: { tool_calls: [{ function: { name: tool.name, arguments: '{"city":"Oslo"}' } }] },
      finish_reason: "tool_calls",
    });
  });

  it("answers by a strict schema at /v1/responses", async () => {
    const text = { format: { type: "json_schema", name: "a", strict: true, schema } };
    const { status, output } = await ask("/v1/responses", { model, input: "hi", text });
    expect([status, output.at(-1).content]).toEqual(["completed", [expect.objectContaining({ text: '{"a":1}' })]]);
  });

  it("calls the named tool at /v1/messages", async () => {
    const { content, stop_reason } = await ask("/v1/messages", {
      model,
      messages,
      max_tokens: 2_000,
      thinking: { type: "enabled", budget_tokens: 1_024 },
      tools: [{ name: tool.name, input_schema: parameters }],
      tool_choice: { type: "tool", name: tool.name },
    });
    expect(content.at(-1)).toMatchObject({ type: "tool_use", name: tool.name, input: { city: "Oslo" } });
    expect(stop_reason).toBe("tool_use");
  });
});

it("answers that say they are whole have what random requests demand", async () => {
  const models = Object.keys(files).map((name) => name.replace(".gguf", ""));
  const count = Number(process.env["HEARTH_FUZZ_MODEL_REQUESTS"] ?? 60);
  const { wrong, whole } = await demandedAnswers(service, { models, count, seed: fuzzSeed });
  expect(wrong).toEqual([]);
  expect(whole).toBeGreaterThan(count / 8);
}, 3_600_000);
