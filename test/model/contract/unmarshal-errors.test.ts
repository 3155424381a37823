/** Bodies that are not of their schema: what each kind of issue is told as. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { unmarshalError } from "../../../server/model/wire/unmarshal-error.ts";
import { lines, startModelService, type ModelService } from "../../support/model/model-service.ts";
import { createScriptedEngine } from "../../support/model/scripted-engine.ts";

const textOf = (schema: z.ZodType, body: unknown) => {
  const { error } = schema.safeParse(body);
  return error && unmarshalError("Body", error, body).message;
};
const unmarshal = (kind: string, field: string, type: string) =>
  `json: cannot unmarshal ${kind} into Go struct field Body.${field} of type ${type}`;

describe("an issue is told in words", () => {
  const parts = z.union([z.string(), z.array(z.object({ type: z.string() }))]);
  it.each<[string, z.ZodType, unknown, string]>([
    ["text", z.string(), 1, unmarshal("number", "a", "string")],
    ["a boolean", z.boolean(), "true", unmarshal("string", "a", "bool")],
    ["a number", z.number(), [], unmarshal("array", "a", "float64")],
    ["a whole number", z.int(), 1.5, unmarshal("number", "a", "int")],
    ["a list", z.array(z.string()), {}, unmarshal("object", "a", "[]interface {}")],
    ["an item", z.array(z.string()), ["", 1], unmarshal("number", "a", "string")],
    ["an object", z.object({}), false, unmarshal("bool", "a", "map[string]interface {}")],
    ["a record", z.record(z.string(), z.unknown()), "", unmarshal("string", "a", "map[string]interface {}")],
    ["one of several kinds", parts, 1, unmarshal("number", "a", "string")],
    ["one of several kinds, further in", parts, [{ type: 1 }], unmarshal("number", "a.type", "string")],
    ["missing", z.string(), undefined, "a is required"],
    ["missing, of any type", z.unknown().nonoptional(), undefined, "a is required"],
    ["null", z.string(), null, "a is required"],
    ["missing in an item", z.array(z.object({ b: z.string() })), [{ b: "" }, {}], "a[1].b is required"],
    ["too large", z.int(), 2 ** 53, `a must be at most ${String(Number.MAX_SAFE_INTEGER)}`],
    ["too small", z.array(z.int().min(0)), [99999999, -1], "a[1] must be at least 0"],
    ["another value", z.enum(["x", "y"]), "z", 'a must be "x" or "y"'],
    ["an unknown member", z.strictObject({}), { b: 1 }, 'a has the unknown member "b"'],
    ["too short", z.string().min(2), "x", "a is not valid: Too small: expected string to have >=2 characters"],
    ["of another format", z.string().regex(/x/), "z", "a is not valid: Invalid string: must match pattern /x/"],
  ])("%s", (_what, schema, value, text) => {
    expect(textOf(z.object({ a: schema }), { a: value })).toBe(text);
  });

  it("of the whole body", () => {
    expect(textOf(z.strictObject({}), { b: 1 })).toBe('the body has the unknown member "b"');
  });
});

describe("a request", () => {
  let service: ModelService;
  beforeAll(async () => {
    const chatTemplate = "{% for message in messages %}<{{ message.role }}>{{ message.content }}{% endfor %}";
    service = await startModelService(createScriptedEngine(), { files: { "roles.gguf": { chatTemplate } } });
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const chat = (message: object, rest: object = {}) => ({ model: "roles", messages: [message], ...rest });

  it.each([{ content: "hi" }, { role: null, content: "hi" }, { role: "", content: "hi" }])(
    "of a message without a role is one of an empty role, as in Go: %j",
    async (message) => {
      const [reply] = await lines(await service.post("/api/chat", chat(message, { _debug_render_only: true })));
      expect(reply._debug_info.rendered_template).toBe("<>hi");
    },
  );

  it.each([
    ["/api/chat", chat({ role: "assistant", tool_calls: [{}] }), "messages[0].tool_calls[0].function is required"],
    ["/api/generate", { model: "roles", context: [99999999, -1] }, "context[1] must be at least 0"],
    ["/api/schema", {}, "schema is required: a JSON Schema"],
    [
      "/v1/chat/completions",
      chat({ role: "user", content: "hi" }, { n: 2 ** 53 }),
      { message: "n must be at most 9007199254740991", type: "invalid_request_error", param: null, code: null },
    ],
  ])("at %s is refused by the name of what is wrong: %j", async (path, body, error) => {
    const reply = await service.post(path, body);
    expect([reply.status, await reply.json()]).toEqual([400, { error }]);
  });

  const huge = 2 ** 60;
  it.each([
    ["/v1/chat/completions", { num_ctx: huge, max_tokens: huge, max_completion_tokens: huge, seed: huge }],
    ["/v1/messages", { num_ctx: huge, max_tokens: huge, top_k: huge }],
    ["/v1/responses", { input: "hi", num_ctx: huge, max_output_tokens: huge }],
  ])("at %s may have options beyond 2^53, but whole ones: %j", async (path, options) => {
    const reply = await service.post(path, chat({ role: "user", content: "hi" }, { ...options, stream: false }));
    expect([reply.status, await reply.text()]).toEqual([200, expect.anything()]);
    const half = await service.post(path, chat({ role: "user", content: "hi" }, { ...options, num_ctx: 1.5 }));
    expect([half.status, await half.text()]).toEqual([400, expect.stringContaining("num_ctx of type int")]);
  });
});
