/** Answers under schemas of every kind, of a model whose weights are random: the grammar alone makes them right. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRunnerEngine } from "../../server/model/engine/runner-engine.ts";
import { familyTemplates } from "../support/model/family-templates.ts";
import { startModelService, type ModelService } from "../support/model/model-service.ts";
import { randomAnswers } from "../support/model/random-answers.ts";
import { startRunner, type RunnerProcess } from "../support/model/runner-process.ts";

let runner: RunnerProcess;
let service: ModelService;
beforeAll(async () => {
  runner = await startRunner();
  service = await startModelService(createRunnerEngine({ socketPath: runner.socketPath }), {
    files: { "any.gguf": { chatTemplate: familyTemplates.llama3 }, "circling.gguf": { circle: 1 } },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await runner[Symbol.asyncDispose]();
});

it("each answer under a random schema that says stop satisfies it", async () => {
  const { wrong, stopped } = await randomAnswers(service, { model: "any", count: 40, seed: 20_261_121 });
  expect(wrong).toEqual([]);
  expect(stopped).toBeGreaterThan(20);
});

const generate = async (body: object) =>
  (await (
    await service.post("/api/generate", { model: "any", prompt: "hi", raw: true, stream: false, ...body })
  ).json()) as {
    response: string;
    done_reason: string;
  };

it("a constant of one character, many times, is answered whole, even by a model that repeats itself", async () => {
  const line = "-".repeat(200);
  for (const model of ["any", "circling"])
    expect(await generate({ model, format: { const: line }, options: { temperature: 0 } })).toMatchObject({
      response: JSON.stringify(line),
      done_reason: "stop",
    });
});

it("an answer in a format whose model repeats itself says length, although it could go on", async () => {
  const format = { type: "string", pattern: "^[a-z]+$" };
  const { response, done_reason } = await generate({
    model: "circling",
    format,
    options: { temperature: 0, num_predict: 500 },
  });
  expect(done_reason).toBe("length");
  expect(response).toMatch(/^"[a-z]+$/);
  expect(response.length).toBeLessThan(500);
});

it("an answer in a format that the limit cuts says length", async () => {
  const format = { type: "string", pattern: "^[a-z]{900}$" };
  expect(await generate({ format, options: { num_predict: 50 } })).toMatchObject({ done_reason: "length" });
});

it("POST /api/schema tells what a schema is worth, and where it cannot be enforced", async () => {
  const ask = async (schema: unknown) => (await service.post("/api/schema", { schema })).json();
  expect(await ask({ type: "string", format: "color", "x-order": 1 })).toEqual({
    enforceable: true,
    ignored: [
      { keyword: "format", path: "#" },
      { keyword: "x-order", path: "#" },
    ],
  });
  expect(await ask({ type: "object", properties: { a: { type: "array", uniqueItems: true } } })).toMatchObject({
    enforceable: false,
    keyword: "uniqueItems",
    path: "#/properties/a",
    error: expect.stringContaining("uniqueItems") as string,
  });
  expect((await service.post("/api/schema", {})).status).toBe(400);
});

it("json_object with a schema beside it is enforced at /v1", async () => {
  const reply = await service.post("/v1/chat/completions", {
    model: "any",
    messages: [{ role: "user", content: "hi" }],
    response_format: { type: "json_object", schema: { const: { a: 1 } } },
  });
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: '{"a":1}' }, finish_reason: "stop" }] });
});
