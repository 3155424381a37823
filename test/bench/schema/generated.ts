/** Random schemas, where no suite is at hand: texts of their grammars, and answers under them, judged by a validator. */
import fc from "fast-check";
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { formatGrammar } from "../../../server/model/grammar/schema-grammar.ts";
import { OllamaError } from "../../../server/model/ollama-error.ts";
import { createGrammarMatcher } from "../../support/model/grammar-matcher.ts";
import { grammarTexts } from "../../support/model/grammar-texts.ts";
import { startModelService } from "../../support/model/model-service.ts";
import { randomAnswers } from "../../support/model/random-answers.ts";
import { randomSchema } from "../../support/model/random-schemas.ts";
import { startRunner } from "../../support/model/runner-process.ts";
import { schemaValidator } from "../../support/model/schema-validator.ts";

const seed = 20_261_121;
const textsOfEach = 5;

/** Draws whole numbers below a bound, the same ones in every run. */
function numbers(): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** 20,000 schemas; false when a text of a grammar does not satisfy its schema. */
export async function measureGenerated(each: number): Promise<boolean> {
  const schemas = fc.sample(randomSchema, { numRuns: Math.ceil(20_000 / each), seed });
  const grammars = await createGrammarMatcher();
  const pick = numbers();
  const counts = { refused: 0, grammars: 0, texts: 0 };
  const wrong: string[] = [];
  for (const [at, schema] of schemas.entries()) {
    if (typeof schema !== "object") continue;
    let gbnf: string;
    try {
      gbnf = formatGrammar(schema as Record<string, unknown>, { isOpen: at % 2 === 1 });
    } catch (error) {
      if (!(error instanceof OllamaError)) throw error;
      counts.refused++;
      continue;
    }
    counts.grammars++;
    const [matches, problemOf, write] = [grammars.matcher(gbnf), schemaValidator(schema), grammarTexts(gbnf)];
    for (let count = 0; count < textsOfEach; count++) {
      const text = write(pick);
      counts.texts++;
      const problem = matches(text)
        ? problemOf(JSON.parse(text))
        : "the engine does not take it for a text of the grammar";
      if (problem !== "") wrong.push(`${JSON.stringify(schema)}: ${text}: ${problem}`);
    }
  }
  await grammars.dispose();
  console.log(`\nrandom schemas: ${String(schemas.length)}`);
  console.log(`  grammars: ${String(counts.grammars)}, refused: ${String(counts.refused)}`);
  console.log(`  texts: ${String(counts.texts)}, wrong: ${String(wrong.length)}`);
  for (const line of wrong) console.log(`    ${line}`);
  return wrong.length === 0;
}

/** 5,000 answers over HTTP of a model of random weights; false when a whole one does not satisfy its schema. */
export async function measureAnswers(each: number): Promise<boolean> {
  await using runner = await startRunner();
  const engine = createRunnerEngine({ socketPath: runner.socketPath });
  await using service = await startModelService(engine, { files: { "any.gguf": {} } });
  const { refused, stopped, cut, wrong } = await randomAnswers(service, {
    model: "any",
    count: Math.ceil(5000 / each),
    seed,
  });
  console.log(`\nanswers over HTTP: ${String(stopped + cut)}`);
  console.log(`  whole: ${String(stopped)}, cut: ${String(cut)}; schemas refused: ${String(refused)}`);
  console.log(`  wrong: ${String(wrong.length)}`);
  for (const line of wrong) console.log(`    ${line}`);
  return wrong.length === 0;
}
