/** Schemas, tools and texts that would keep the service, or the engine behind it, from everybody else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { familyTemplates } from "../../support/model/family-templates.ts";
import { refusal, startModelService, type ModelService } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, {
    files: { "tiny.gguf": {}, "qwen.gguf": { chatTemplate: familyTemplates.qwen3 } },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const messages = [{ role: "user", content: "hi" }];
const backwards = { type: "object", properties: { code: { type: "string", pattern: "^x{3,2}$" } } };
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("more texts to stop at than an answer can be searched for", () => {
  const many = Array.from({ length: 257 }, (_, at) => `<${String(at)}>`);
  const long = ["图".repeat(65_536 / 3), "xy"];
  const chat = { messages, max_tokens: 9 };

  it.each([
    ["/api/chat", (stop: string[]) => ({ messages, options: { stop } })],
    ["/api/generate", (stop: string[]) => ({ prompt: "hi", options: { stop } })],
    ["/v1/chat/completions", (stop: string[]) => ({ ...chat, stop })],
    ["/v1/completions", (stop: string[]) => ({ prompt: "hi", stop })],
    ["/v1/messages", (stop: string[]) => ({ ...chat, stop_sequences: stop })],
    ["/api/create", (stop: string[]) => ({ name: "stops", from: "tiny", parameters: { stop }, stream: false })],
  ])("are a 400 that names the option: %s", async (path, bodyOf) => {
    const ask = (stop: string[]) => service.post(path, { model: "tiny", ...bodyOf(stop) });
    for (const stop of [many, long]) {
      const reply = await ask(stop);
      expect([reply.status, await reply.text()]).toEqual([
        400,
        expect.stringContaining(
          'option \\"stop\\" (stop_sequences) must have at most 256 texts, of 65536 bytes in all',
        ),
      ]);
    }
    for (const stop of [many.slice(1), long.slice(0, 1)]) {
      const reply = await ask(stop);
      expect(reply.status).toBe(200);
      await reply.text();
    }
  });
});

describe("a format that cannot be enforced", () => {
  it.each([
    ["/api/chat", { messages, format: backwards }],
    ["/api/generate", { prompt: "hi", format: backwards }],
    [
      "/v1/chat/completions",
      { messages, response_format: { type: "json_schema", json_schema: { schema: backwards } } },
    ],
    ["/v1/responses", { input: "hi", text: { format: { type: "json_schema", name: "it", schema: backwards } } }],
  ])("is a 400 with keyword and place: %s", async (path, body) => {
    const reply = await service.post(path, { model: "tiny", ...body });
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('the schema keyword \\"pattern\\" at #/properties/code');
  });

  it("is a 400 in a tool that must be called, too", async () => {
    const tool = { type: "function", function: { name: "look", parameters: backwards } };
    const body = { model: "qwen", messages, tools: [tool], tool_choice: "required" };
    const reply = await service.post("/v1/chat/completions", body);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain(
      'invalid tool \\"look\\": the schema keyword \\"pattern\\" at #/tools/look/properties/code cannot be enforced',
    );
  });

  it("is a 400 for tools with too many parameters", async () => {
    const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`p${String(at)}`, {}]));
    const tool = { type: "function", function: { name: "look", parameters: { type: "object", properties } } };
    const body = { model: "qwen", messages, tools: [tool], tool_choice: "required" };
    const reply = await service.post("/v1/chat/completions", body);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain("more than 1000000 characters");
  });
});

describe("a body", () => {
  const chat = (format: string) =>
    fetch(`${service.url}/api/chat`, {
      method: "POST",
      body: `{"model":"tiny","stream":false,"messages":${JSON.stringify(messages)},"format":${format}}`,
    });

  it("that is nested without end is refused", async () => {
    const reply = await chat(deep(200_000));
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("exceeded max depth")]);
  });

  it("whose schema is nested a thousand times names keyword and place", async () => {
    const levels = 1000;
    const reply = await chat(
      `${'{"type":"object","properties":{"a":'.repeat(levels)}{"type":"string"}${"}}".repeat(levels)}`,
    );
    expect([reply.status, await reply.text()]).toEqual([
      400,
      expect.stringMatching(/keyword \\"properties\\" at #\/.*nested deeper than 200 levels/),
    ]);
  });

  it("that is only tokenized is limited in size", async () => {
    const text = await service.post("/api/tokenize", { model: "tiny", text: "x".repeat(1024 * 1024 + 1) });
    expect(await refusal(text)).toEqual([400, expect.stringContaining("text is too long: at most 1048576 characters")]);
    const tokens = Array.from({ length: 1024 * 1024 + 1 }, () => 1);
    const back = await service.post("/api/detokenize", { model: "tiny", tokens });
    expect(await refusal(back)).toEqual([400, expect.stringContaining("tokens are too many: at most 1048576")]);
  });
});
