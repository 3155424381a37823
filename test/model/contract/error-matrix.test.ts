import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal, startModelService, type ModelService } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
engine.canInfill = false;
let service: ModelService;
beforeAll(async () => {
  service = await startModelService(engine, {
    files: {
      "Tiny.gguf": {},
      "vectors.gguf": { extraMetadata: [{ key: "llama.pooling_type", type: "uint32", value: 1 }] },
      "picky.gguf": { chatTemplate: "{{ raise_exception('roles must alternate') }}" },
      "undefined.gguf": { chatTemplate: "\n{{ persona.name }}" },
      "odd.gguf": { chatTemplate: "{% if %}" },
    },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const user = [{ role: "user", content: "hi" }];
const full = "registry.ollama.ai/library/Tiny:latest";

describe("POST /api/chat refuses", () => {
  it.each([
    ["no model", {}, 400, "model is required"],
    ["an empty model", { model: "", messages: user }, 400, "model is required"],
    ["an invalid name", { model: "a//b", messages: user }, 400, "invalid model name"],
    ["an unknown model", { model: "nobody", messages: user }, 404, "model 'nobody' not found"],
    ["a cloud model", { model: "tiny:cloud", messages: user }, 404, "model 'tiny:cloud' not found"],
    [
      "local and cloud at once",
      { model: "tiny:cloud:local" },
      400,
      'use either :local or :cloud, not both: "tiny:cloud:local"',
    ],
    ["an embedding model", { model: "vectors", messages: user }, 400, '"vectors" does not support chat'],
    ["tools", { model: "tiny", messages: user, tools: [{ type: "function" }] }, 400, `${full} does not support tools`],
    [
      "images",
      { model: "tiny", messages: [{ role: "user", images: ["aGk="] }] },
      400,
      `${full} does not support vision: Hearth's engine does not support images. Add an upstream with a vision model.`,
    ],
    [
      "an image part",
      { model: "tiny", messages: [{ role: "user", content: [{ type: "image_url", image_url: "data:;base64,aGk=" }] }] },
      400,
      `${full} does not support vision: Hearth's engine does not support images. Add an upstream with a vision model.`,
    ],
    [
      "the address of an image",
      { model: "tiny", messages: [{ role: "user", content: [{ type: "image_url", image_url: "https://x/y.png" }] }] },
      400,
      "image URLs are not currently supported, please use base64 encoded data instead",
    ],
    [
      "a part of another type",
      { model: "tiny", messages: [{ role: "user", content: [{ type: "input_audio" }] }] },
      400,
      'a content part of type "input_audio" is not supported: send text and image_url parts, or base64 in images',
    ],
    ["thinking", { model: "tiny", messages: user, think: true }, 400, '"tiny" does not support thinking'],
    ["a level of thinking", { model: "tiny", messages: user, think: "high" }, 400, '"tiny" does not support thinking'],
    [
      "an unknown level",
      { model: "tiny", messages: user, think: "x" },
      400,
      'invalid think value: "x" (must be "high", "medium", "low", "max", true, or false)',
    ],
    [
      "a number for think",
      { model: "tiny", messages: user, think: 1 },
      400,
      'think must be a boolean or string ("high", "medium", "low", "max", true, or false)',
    ],
    [
      "top_logprobs of 21",
      { model: "tiny", messages: user, top_logprobs: 21 },
      400,
      "top_logprobs must be between 0 and 20",
    ],
    [
      "an unknown format",
      { model: "tiny", messages: user, format: "xml" },
      500,
      'invalid format: "\\"xml\\""; expected "json" or a valid JSON Schema object',
    ],
    [
      "an option of the wrong type",
      { model: "tiny", messages: user, options: { num_ctx: "1" } },
      500,
      'option "num_ctx" must be of type integer',
    ],
    ["a bad keep_alive", { model: "tiny", messages: user, keep_alive: "x" }, 400, 'time: invalid duration "x"'],
    [
      "a keep_alive without unit",
      { model: "tiny", messages: user, keep_alive: "5" },
      400,
      'time: missing unit in duration "5"',
    ],
    ["a keep_alive of another type", { model: "tiny", keep_alive: true }, 400, "Unsupported type: 'bool'"],
    [
      "a string for stream",
      { model: "tiny", stream: "true" },
      400,
      "json: cannot unmarshal string into Go struct field ChatRequest.stream of type bool",
    ],
    [
      "a number for a role",
      { model: "tiny", messages: [{ role: 1 }] },
      400,
      "json: cannot unmarshal number into Go struct field ChatRequest.messages.role of type string",
    ],
    [
      "what the template refuses",
      { model: "picky", messages: user },
      400,
      'template error: the chat template of "picky" refuses these messages: roles must alternate',
    ],
    [
      "what the template fails on",
      { model: "undefined", messages: user },
      400,
      "template error: the chat template of \"undefined\" cannot render this request: line 2: 'persona' is undefined",
    ],
  ])("%s", async (_what, body, status, error) => {
    expect(await refusal(await service.post("/api/chat", body))).toEqual([status, error]);
  });

  it("a model whose template cannot be read with 500", async () => {
    const [status, error] = await refusal(await service.post("/api/chat", { model: "odd", messages: user }));
    expect(status).toBe(500);
    expect(error).toMatch(/^template error: /);
  });
});

describe("POST /api/generate refuses", () => {
  it.each([
    ["no model", {}, 404, "model '' not found"],
    ["an invalid name", { model: "a b" }, 400, "invalid model name"],
    ["an unknown model", { model: "Nobody:1b", prompt: "x" }, 404, "model 'Nobody:1b' not found"],
    ["an embedding model", { model: "vectors", prompt: "x" }, 400, '"vectors" does not support generate'],
    ["a suffix", { model: "tiny", prompt: "x", suffix: "y" }, 400, `${full} does not support insert`],
    [
      "images",
      { model: "tiny", prompt: "x", images: ["aGk="] },
      400,
      `${full} does not support vision: Hearth's engine does not support images. Add an upstream with a vision model.`,
    ],
    [
      "raw with a system message",
      { model: "tiny", prompt: "x", raw: true, system: "y" },
      400,
      "raw mode does not support template, system, or context",
    ],
    [
      "raw with context",
      { model: "tiny", prompt: "x", raw: true, context: [1] },
      400,
      "raw mode does not support template, system, or context",
    ],
    [
      "a template that cannot be read",
      { model: "tiny", prompt: "x", template: "{% if %}" },
      500,
      expect.stringMatching(/^template error: /),
    ],
    [
      "a template that needs what is not there",
      { model: "tiny", prompt: "x", template: "\n{{ messages | fromjson }}" },
      500,
      "template error: this server's Jinja does not support the chat template of \"tiny\": line 2: No filter named 'fromjson'.",
    ],
  ])("%s", async (_what, body, status, error) => {
    expect(await refusal(await service.post("/api/generate", body))).toEqual([status, error]);
  });
});

describe("POST /api/show refuses", () => {
  it.each([
    ["no model", {}, 400, "model is required"],
    ["an invalid name", { model: "-" }, 400, "invalid model name"],
    ["an unknown model", { name: "nobody" }, 404, "model 'nobody:latest' not found"],
  ])("%s", async (_what, body, status, error) => {
    expect(await refusal(await service.post("/api/show", body))).toEqual([status, error]);
  });
});

describe("a body", () => {
  const send = (body: string, type = "application/json") =>
    fetch(`${service.url}/api/show`, { method: "POST", body, headers: { "Content-Type": type } });

  it.each([
    ["", "missing request body"],
    ["  \n", "missing request body"],
    ["x", "invalid character 'x' looking for beginning of value"],
    ['{"model":', "unexpected EOF"],
    ['{"model":"ti', "unexpected EOF"],
    ["[]", "json: cannot unmarshal array into Go value of type api.ShowRequest"],
    ["null", "model is required"],
  ])("that is %j is 400", async (body, error) => {
    expect(await refusal(await send(body))).toEqual([400, error]);
  });

  it("is read whatever its type, with names in any case, unknown members and trailing data", async () => {
    const reply = await send('{"MODEL":"tiny","what":1} {"model":"nobody"} rest', "application/x-www-form-urlencoded");
    expect(reply.status).toBe(200);
  });

  it("takes null as not given", async () => {
    const body = { model: "tiny", messages: user, stream: null, options: null, format: null, think: null, tools: null };
    expect((await service.post("/api/chat", body)).status).toBe(200);
  });
});
