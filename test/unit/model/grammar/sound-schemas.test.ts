/** What a grammar generates satisfies its schema: judged by a validator that shares nothing with it. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { formatGrammar } from "../../../../server/model/grammar/schema-grammar.ts";
import { OllamaError } from "../../../../server/model/ollama-error.ts";
import { grammarTexts } from "../../../support/model/grammar-texts.ts";
import { randomSchema } from "../../../support/model/random-schemas.ts";
import { schemaValidator } from "../../../support/model/schema-validator.ts";

function grammarOf(schema: unknown, isOpen: boolean): string | undefined {
  try {
    return formatGrammar(schema as Record<string, unknown>, { isOpen });
  } catch (error) {
    if (error instanceof OllamaError) return undefined;
    throw error;
  }
}

it("random texts of the grammars of random schemas satisfy them", () => {
  let made = 0;
  fc.assert(
    fc.property(randomSchema, fc.boolean(), fc.infiniteStream(fc.nat(0xffffff)), (schema, isOpen, numbers) => {
      const gbnf = schema === true ? undefined : grammarOf(schema, isOpen);
      if (gbnf === undefined) return;
      made++;
      const problemOf = schemaValidator(schema);
      const write = grammarTexts(gbnf);
      for (let count = 0; count < 5; count++) {
        const text = write((below) => (numbers.next().value as number) % Math.max(1, below));
        expect([text, problemOf(JSON.parse(text))]).toEqual([text, ""]);
      }
    }),
    { numRuns: 250, seed: 20_261_121 },
  );
  expect(made).toBeGreaterThan(100);
});
