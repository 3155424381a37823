/** Answers of a model of random weights under random schemas, over HTTP: each that says it is whole must satisfy its schema. */
import fc from "fast-check";
import type { ModelService } from "./model-service.ts";
import { randomSchema } from "./random-schemas.ts";
import { schemaValidator } from "./schema-validator.ts";

export interface RandomAnswers {
  /** Schemas that are refused. */
  refused: number;
  /** Answers by their `done_reason`. */
  stopped: number;
  cut: number;
  /** Whole answers that do not satisfy their schema, with what is wrong. */
  readonly wrong: string[];
}

/** As many as ask at the same time. */
const atOnce = 4;

/** Asks `model` until `count` answers are there. */
export async function randomAnswers(
  service: Pick<ModelService, "post">,
  { model, count, seed }: { model: string; count: number; seed: number },
): Promise<RandomAnswers> {
  const found: RandomAnswers = { refused: 0, stopped: 0, cut: 0, wrong: [] };
  const schemas = fc.sample(randomSchema, { numRuns: 3 * count, seed }).filter((schema) => typeof schema === "object");
  const left = schemas.entries();

  async function ask(at: number, schema: unknown): Promise<void> {
    const body = { model, prompt: "hi", raw: true, stream: false, format: schema };
    const reply = await service.post("/api/generate", {
      ...body,
      options: { num_predict: 200, temperature: 1, seed: at },
    });
    const { response, done_reason, error } = (await reply.json()) as Record<string, string>;
    if (reply.status === 400) found.refused++;
    else if (done_reason === "length") found.cut++;
    else if (done_reason !== "stop")
      found.wrong.push(`${JSON.stringify(schema)}: ${String(reply.status)} ${String(error)}`);
    else {
      found.stopped++;
      const problem = problemOf(response ?? "", schema);
      if (problem !== "") found.wrong.push(`${JSON.stringify(schema)}: ${String(response)}: ${problem}`);
    }
  }
  async function client(): Promise<void> {
    for (const [at, schema] of left) {
      if (found.stopped + found.cut >= count) return;
      await ask(at, schema);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client));
  return found;
}

function problemOf(text: string, schema: unknown): string {
  try {
    return schemaValidator(schema)(JSON.parse(text));
  } catch (error) {
    return String(error);
  }
}
