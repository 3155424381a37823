/** Tools as MCP servers list them, to the templates of all families: each request is answered, or refused by name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { familyTemplates } from "../support/model/family-templates.ts";
import { startModelService, type ModelService, type Wire } from "../support/model/model-service.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";

const engine = createScriptedEngine();
let service: ModelService;
beforeAll(async () => {
  // No prompt is too long.
  engine.countTokens = () => 9;
  const files = Object.entries(familyTemplates).map(
    ([family, chatTemplate]) => [`${family.toLowerCase()}.gguf`, { chatTemplate }] as const,
  );
  service = await startModelService(engine, { files: Object.fromEntries(files) });
});
afterAll(() => service[Symbol.asyncDispose]());

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const closed = { additionalProperties: false, $schema: "http://json-schema.org/draft-07/schema#" };
const text = { type: "string" };
/** The forms of parameters that public servers use. */
const parameters: Readonly<Record<string, object>> = {
  "no properties": { type: "object" },
  "empty ones": object({}, closed),
  "names of methods": object({ items: { type: "array", items: text }, keys: text, values: text, get: text, pop: text }),
  "names of keywords": object({ type: { enum: ["a", "b"] }, properties: object({}), required: { type: "boolean" } }),
  "names with other characters": object({
    "filter[date]": text,
    $top: { type: "integer" },
    "X-Trace-Id": text,
    名: text,
  }),
  "free maps": object({
    headers: { type: "object", additionalProperties: text },
    more: object({}, { additionalProperties: {} }),
  }),
  "several types": object({
    value: { type: ["string", "number", "null"] },
    any: {},
    id: { anyOf: [text, { type: "null" }] },
  }),
  "shared definitions": object(
    { page: { $ref: "#/$defs/page" } },
    { $defs: { page: object({ parent: { $ref: "#/$defs/page" }, title: text }) } },
  ),
  "lists of objects": object(
    {
      edits: { type: "array", minItems: 1, items: object({ oldText: text, newText: text }, { required: ["oldText"] }) },
    },
    { required: ["edits"], ...closed },
  ),
  "lists of anything": object({ list: { type: "array" }, tuple: { type: "array", items: [text, text] } }),
  "bounds and defaults": object({
    limit: { type: "integer", minimum: 1, maximum: 9_007_199_254_740_991, default: 10 },
    ratio: { type: "number", exclusiveMinimum: 0 },
    url: { type: "string", format: "uri" },
    name: { type: "string", pattern: "^[a-z]+$", minLength: 1, default: null },
  }),
  "a choice": object({
    by: { oneOf: [object({ kind: { const: "a" } }), object({ kind: { const: "b" }, n: { type: "integer" } })] },
  }),
};
const tools = Object.entries(parameters).map(([what, schema], at) => ({
  type: "function",
  function: {
    name: `server-${String(at)}_do`,
    description: `Takes ${what}.\n\n"Quoted" {{ braces }} </tool>`,
    parameters: schema,
  },
}));
const user = { role: "user", content: "hi" };
const call = (name: string) => ({
  role: "assistant",
  content: null,
  tool_calls: [
    { id: "toolu_01A", type: "function", function: { name, arguments: '{"items":["a"],"keys":"k","more":{"get":1}}' } },
  ],
});

describe.each(Object.keys(familyTemplates).filter((family) => family !== "gemma2"))("the template of %s", (family) => {
  const ask = async (body: object): Promise<[number, Wire]> => {
    const model = family.toLowerCase();
    const reply = await service.post("/v1/chat/completions", { model, messages: [user], tools, ...body });
    return [reply.status, await reply.json()];
  };

  it.each<[string, object]>([
    ["offers them", {}],
    ["demands one of them", { tool_choice: "required" }],
    ["names one of them", { tool_choice: { type: "function", function: { name: "server-2_do" } } }],
  ])("%s", async (_what, body) => {
    expect(await ask(body)).toEqual([200, expect.objectContaining({ choices: [expect.anything()] })]);
  });

  it.each(["with tools", "without tools"])("shows an earlier call, %s", async (which) => {
    const messages = [user, call("server-2_do"), { role: "tool", tool_call_id: "toolu_01A", content: "[]" }];
    const [status] = await ask({ messages, ...(which === "without tools" && { tools: [] }) });
    expect(status).toBe(200);
    expect(engine.requests.at(-1)?.prompt).toMatch(/server-2_do[^]*items[^]*keys/);
  });
});

it("a model without tools refuses them by name, and shows earlier calls", async () => {
  const reply = await service.post("/v1/chat/completions", { model: "gemma2", messages: [user], tools });
  expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("does not support tools")]);
});
