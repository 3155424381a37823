import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelRulesSchema, type RulesInput } from "../../server/contract/model/model-rules.ts";
import { parseRules, RulesError } from "../../server/model/models/library/rules-file.ts";
import { fuzzSeed } from "../support/fuzz-seed.ts";
import { startRulesService, type ModelService, type Wire } from "../support/model/model-service.ts";
import { schemaValidator } from "../support/model/schema-validator.ts";

const some = <Model extends Record<string, fc.Arbitrary<unknown>>>(model: Model) =>
  fc.record(model, { requiredKeys: [] });
const word = fc.constantFrom("a", "weather", "ab", "<think>", "<tool_call>", "{", "", "é\n", '{"city": "x"}');
const textMatch = fc.oneof(
  word.map((equals) => ({ equals })),
  word.map((contains) => ({ contains })),
  fc.constantFrom("a+", "^.$", "(a+)+$", "[^]").map((matches) => ({ matches })),
);
const condition = some({
  user: textMatch,
  system: textMatch,
  role: fc.constantFrom("user", "tool"),
  turns: fc.oneof(fc.nat(2), some({ least: fc.nat(2), most: fc.nat(2) })),
  images: fc.boolean(),
  tools: fc.oneof(fc.boolean(), fc.constant(["weather"])),
  tool_result: fc.oneof(fc.boolean(), textMatch),
  format: fc.boolean(),
});
const values = fc.constantFrom<Record<string, unknown>>({}, { city: "x" }, { city: 7 }, { city: "x", more: [1] });
const fault = fc.oneof(
  fc.record({ kind: fc.constant("error"), status: fc.constantFrom(429, 500, 529), after_tokens: fc.nat(3) }),
  fc.record({ kind: fc.constant("cut"), after_tokens: fc.nat(3) }),
  fc.constantFrom({ kind: "broken_call" }, { kind: "endless_thought" }),
);
const rule = some({
  when: condition,
  times: fc.integer({ min: 1, max: 2 }),
  text: word,
  json: values,
  thinking: word,
  calls: fc.array(fc.record({ name: fc.constantFrom("weather", "time"), arguments: values }), { maxLength: 2 }),
  usage: some({ prompt_tokens: fc.nat(9), cached_tokens: fc.nat(9), completion_tokens: fc.nat(9) }),
  fault,
});
const someRules = fc
  .record({ rules: fc.array(rule, { minLength: 1, maxLength: 4 }) })
  .filter((rules) => modelRulesSchema.safeParse(rules).success) as fc.Arbitrary<RulesInput>;

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const tools = ["weather", "time"].map((name) => ({ type: "function", function: { name, parameters: schema } }));
const request = fc.record({
  content: word,
  more: fc.constantFrom<object>(
    {},
    { tools },
    { tools, tool_choice: "required" },
    { tools, tool_choice: { type: "function", function: { name: "time" } } },
    { response_format: { type: "json_schema", json_schema: { name: "place", strict: true, schema } } },
    { response_format: { type: "json_object" } },
    { max_tokens: 3 },
  ),
});

/** As many as models below. */
const models = 40;
let service: ModelService;
beforeAll(async () => {
  const sampled = fc.sample(someRules, { seed: fuzzSeed, numRuns: models });
  service = await startRulesService(Object.fromEntries(sampled.map((rules, at) => [`m${String(at)}`, rules])));
});
afterAll(() => service[Symbol.asyncDispose]());

/** What is wrong with a whole answer. */
function problemIn(more: Wire, { finish_reason, message }: Wire): string {
  if (finish_reason === "length") return "";
  if (more.tool_choice !== undefined) {
    const names = (message.tool_calls ?? []).map((call: Wire) => call.function.name);
    const named = more.tool_choice.function?.name;
    return names.length > 0 && names.every((name: string) => named === undefined || name === named) ? "" : "no call";
  }
  if (more.response_format === undefined || message.tool_calls) return "";
  const value = JSON.parse(message.content);
  return more.response_format.json_schema ? schemaValidator(schema)(value) : "";
}

describe("any scripted model", () => {
  it("answers what was demanded, with the fault of its rule, or says what its rules lack", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(models - 1), request, async (at, { content, more }) => {
        const messages = [{ role: "user", content }];
        const reply = await service
          .post("/v1/chat/completions", { model: `m${String(at)}`, messages, ...more })
          .catch(() => "cut" as const);
        if (reply === "cut") return;
        const body = (await reply.json()) as Wire;
        if (reply.status === 200) expect(problemIn(more, body.choices[0])).toBe("");
        else expect(body.error.message).toMatch(/^the rules of "m\d+": |^the error configured in rule \d /);
      }),
      { seed: fuzzSeed, numRuns: 400 },
    );
  });

  it("is made of rules that are read, or refused with a reason, whatever the text is", () => {
    const line = fc.constantFrom(
      "rules:",
      "  - text: a",
      "    when:",
      "      user: { contains: x }",
      "- &a [*a]",
      "{",
      "]",
      "\t",
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(line, { maxLength: 12 }).map((all) => all.join("\n")),
      fc.json(),
    );
    fc.assert(
      fc.property(text, (one) => {
        try {
          parseRules(Buffer.from(one));
        } catch (error) {
          expect(error).toBeInstanceOf(RulesError);
          expect((error as Error).message).not.toBe("");
        }
      }),
      { seed: fuzzSeed, numRuns: 2_000 },
    );
  });

  it.each([
    ["is nested too deeply", "[".repeat(100_000)],
    ["is nested too deeply and closed", `{ rules: ${"[".repeat(20_000)}${"]".repeat(20_000)} }`],
    [
      "repeats itself a billion times",
      `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from(
        { length: 9 },
        (_, at) =>
          `a${String(at + 1)}: &a${String(at + 1)} [${Array(9)
            .fill(`*a${String(at)}`)
            .join(",")}]`,
      ).join("\n")}`,
    ],
    [
      "has more names than are told apart in time",
      Array.from({ length: 50_000 }, (_, at) => `k${String(at)}: 1`).join("\n"),
    ],
    ["is too long", `rules: [{ text: ${"x".repeat(600_000)} }]`],
  ])("is refused within seconds where its file %s", (_what, text) => {
    const beganMs = performance.now();
    expect(() => parseRules(Buffer.from(text))).toThrow(RulesError);
    expect(performance.now() - beganMs).toBeLessThan(10_000);
  });
});
