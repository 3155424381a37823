import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatGrammar } from "../../../../server/model/grammar/schema-grammar.ts";
import { OllamaError } from "../../../../server/model/ollama-error.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";

let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(() => grammars.dispose());

describe("whatever is sent as a schema", () => {
  const name = fc.constantFrom("a", "b", "c");
  const count = fc.oneof(fc.nat(5), fc.nat(3000), fc.constantFrom<unknown>(-1, 1.5, "2", null));
  const pattern = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc
      .array(
        fc.constantFrom(
          "a",
          "b",
          ".",
          "\\d",
          "\\s",
          "[a-c]",
          "[^x]",
          "(",
          ")",
          "|",
          "*",
          "+",
          "?",
          "{2}",
          "{0,3}",
          "{3,1}",
          "^",
          "$",
          "\\u00e9",
          "[",
          "]",
          "-",
        ),
        { maxLength: 10 },
      )
      .map((parts) => parts.join("")),
  );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<unknown>(true, false, {}, null, 1, "x"),
      fc.record(
        { type: fc.constantFrom("string", ["string", "null"], "text"), minLength: count, maxLength: count, pattern },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          enum: fc.oneof(fc.array(fc.jsonValue({ maxDepth: 1 })), fc.constant("x")),
          const: fc.jsonValue({ maxDepth: 2 }),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.constantFrom("integer", "number"),
          minimum: fc.double(),
          maximum: count,
          multipleOf: fc.constantFrom<unknown>(1, 0.01, 0, 3, "1"),
        },
        { requiredKeys: [] },
      ),
      fc.record({ $ref: fc.constantFrom("#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#/nothing", "other") }),
      fc.record(
        {
          type: fc.constant("array"),
          items: tie("schema"),
          prefixItems: fc.array(tie("schema"), { maxLength: 2 }),
          minItems: count,
          maxItems: count,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.constant("object"),
          properties: fc.dictionary(name, tie("schema")),
          required: fc.array(name),
          additionalProperties: tie("schema"),
          propertyNames: tie("schema"),
          minProperties: count,
          maxProperties: count,
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          anyOf: fc.array(tie("schema"), { maxLength: 3 }),
          oneOf: fc.array(tie("schema"), { maxLength: 3 }),
          allOf: fc.array(tie("schema"), { maxLength: 3 }),
          $defs: fc.dictionary(name, tie("schema")),
        },
        { requiredKeys: [] },
      ),
    ),
  }));

  it("becomes a grammar that the engine can read, or is a 400 that says why", () => {
    fc.assert(
      fc.property(schema, (any) => {
        let grammar: string;
        try {
          grammar = formatGrammar(any as Record<string, unknown>);
        } catch (error) {
          if (!(error instanceof OllamaError)) throw error;
          expect([error.status, error.message]).toEqual([
            400,
            expect.stringMatching(/^invalid format: the schema keyword "/),
          ]);
          return;
        }
        expect(grammars.matcher(grammar)("~")).toBe(false);
      }),
      { numRuns: 2000, seed: 20_261_121 },
    );
  });
});
