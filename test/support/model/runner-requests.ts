/** Requests to a model in the runner, and what comes of them. */
import type { RunnerGenerate } from "../../../server/contract/model/runner.ts";
import type { GenerationChunk, LoadedModel } from "../../../server/model/engine/engine.ts";
import { resolveOptions, samplingOf } from "../../../server/model/options/model-options.ts";

export const greedy = samplingOf(resolveOptions({ temperature: 0 }));

export const generationRequest = (more: Partial<RunnerGenerate> = {}): RunnerGenerate => ({
  prompt: "hello there",
  prefix: [],
  window: 2048,
  overflow: "cut",
  shift: true,
  num_keep: 4,
  num_predict: 20,
  stop: [],
  sampling: greedy,
  with_context: true,
  ...more,
});

/** All of a generation. */
export async function generateOn(
  model: LoadedModel,
  more: Partial<RunnerGenerate> = {},
  signal = new AbortController().signal,
) {
  const chunks: GenerationChunk[] = [];
  for await (const chunk of model.generate(generationRequest(more), signal)) chunks.push(chunk);
  const done = chunks.at(-1);
  if (done?.type !== "done") throw new Error("no last chunk");
  const pieces = chunks.flatMap((chunk) => (chunk.type === "text" ? [chunk.text] : []));
  return { chunks, text: pieces.join(""), pieces, done };
}
