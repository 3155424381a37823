/** Requests to a model in the runner, and what comes of them. */
import type { RunnerGenerate } from "../../../server/contract/model/runner.ts";
import type { GenerationChunk, LoadedModel } from "../../../server/model/engine/engine.ts";

export const greedy = {
  temperature: 0,
  top_k: 40,
  top_p: 0.9,
  min_p: 0,
  seed: -1,
  repeat_last_n: 64,
  repeat_penalty: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
};

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
