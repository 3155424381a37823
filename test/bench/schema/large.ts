/** How fast answers come under schemas that offer very much at once, over HTTP, of a model with a vocabulary of 32,000. */
import { createRunnerEngine } from "../../../server/model/engine/runner-engine.ts";
import { startModelService } from "../../support/model/model-service.ts";
import { startRunner } from "../../support/model/runner-process.ts";
import { sorted } from "../statistics.ts";

const rounds = 5;
const words = Array.from({ length: 5_000 }, (_, at) => `${(at * 7919).toString(36)}-${String(at)} word`);
const schemas = [
  { name: "a text", schema: { type: "string", minLength: 500 } },
  { name: "an enum of 5,000 strings, in a list", schema: { type: "array", items: { enum: words }, minItems: 20 } },
  {
    name: "2,000 members, of which 20 are required",
    schema: {
      type: "object",
      properties: Object.fromEntries(words.slice(0, 2_000).map((word) => [word, { type: "integer" }])),
      // So that an answer has some.
      required: words.slice(0, 2_000).filter((_, at) => at % 100 === 99),
      additionalProperties: false,
    },
  },
];

export async function measureLarge(): Promise<void> {
  await using runner = await startRunner();
  const engine = createRunnerEngine({ socketPath: runner.socketPath });
  await using service = await startModelService(engine, { files: { "any.gguf": { vocabulary: 32_000 } } });
  console.log("\nlarge schemas:");
  for (const { name, schema } of [{ name: "no schema", schema: undefined }, ...schemas]) {
    const speeds: number[] = [];
    for (let seed = 0; seed < rounds; seed++) {
      const body = { model: "any", prompt: "hi", raw: true, stream: false, ...(schema && { format: schema }) };
      const options = { num_predict: 100, temperature: 1, seed };
      const reply = await service.post("/api/generate", { ...body, options });
      const { eval_count: count, eval_duration: ns, error } = (await reply.json()) as Record<string, number>;
      if (count === undefined || ns === undefined) throw new Error(`${name}: ${String(error)}`);
      speeds.push((count / ns) * 1e9);
    }
    const order = sorted(speeds);
    const at = (index: number) => (order[index] ?? 0).toFixed(0);
    console.log(`  ${name}: ${at(Math.floor(rounds / 2))} tokens/s (${at(0)} to ${at(rounds - 1)})`);
  }
}
