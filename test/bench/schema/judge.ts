/** A process that makes grammars of schemas and has the engine's own matcher judge texts: a crash ends only this one. */
import { formatGrammar } from "../../../server/model/grammar/schema-grammar.ts";
import { OllamaError } from "../../../server/model/ollama-error.ts";
import { createGrammarMatcher } from "../../support/model/grammar-matcher.ts";

export interface SchemaCase {
  readonly name: string;
  readonly schema: unknown;
  /** JSON texts, numbers as they were written. */
  readonly tests: readonly { readonly text: string; readonly valid: boolean }[];
}

export interface Judgement {
  /** Of making the grammar's text; reading it by the engine. */
  readonly makeMs: number;
  readonly readMs: number;
  readonly size: number;
  /** Why there is no grammar. */
  readonly refusal?: string;
  /** Anything but a refusal. */
  readonly failure?: string;
  /** Numbers of the tests that were judged wrong. */
  readonly accepted: readonly number[];
  readonly refused: readonly number[];
}

const grammars = await createGrammarMatcher();

function judge({ schema, tests }: SchemaCase): Judgement {
  const none = { makeMs: 0, readMs: 0, size: 0, accepted: [], refused: [] };
  const began = performance.now();
  try {
    const isAny = schema === true;
    const gbnf = formatGrammar(isAny ? {} : (schema as Record<string, unknown>), { isOpen: true });
    const made = performance.now();
    const matches = grammars.matcher(gbnf);
    const read = performance.now();
    const judged = tests.map(({ text, valid }) => ({ valid, matches: matches(text) }));
    const numbers = (isWrong: (one: (typeof judged)[number]) => boolean) =>
      judged.flatMap((one, at) => (isWrong(one) ? [at] : []));
    return {
      makeMs: made - began,
      readMs: read - made,
      size: gbnf.length,
      accepted: numbers((one) => one.matches && !one.valid),
      refused: numbers((one) => !one.matches && one.valid),
    };
  } catch (error) {
    if (error instanceof OllamaError) return { ...none, makeMs: performance.now() - began, refusal: error.message };
    return { ...none, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.on("message", (given: SchemaCase) => process.send?.(judge(given)));
process.on("disconnect", () => process.exit());
process.send?.("ready");
