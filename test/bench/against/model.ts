/**
 * The model service: answers of a small model, so that what is not the engine's counts most, and fewer and shorter ones of a
 * larger one, whose turns would take most of the time.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeRandomGguf } from "../../support/model/random-gguf.ts";
import type { Bench } from "../open-bench.ts";
import type { Work } from "./compare.ts";
import { onBoth, startBoth, type Side, type Sides } from "./sides.ts";

const tokens = 300;
const options = { num_predict: tokens, num_ctx: 2048, seed: 1, num_thread: 1 };
const sentence = "once upon a time there was a fox who would not come home before it was dark ";

async function post(side: Side, path: string, body: object): Promise<void> {
  const reply = await fetch(`${side.model}${path}`, { method: "POST", body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${path}: ${String(reply.status)} ${await reply.text()}`);
  for await (const chunk of reply.body ?? []) void chunk;
}

/** A "request" is a token of the answer. */
const chat =
  (model: string, count = tokens) =>
  async (side: Side) => {
    const messages = [{ role: "user", content: "hi" }];
    await post(side, "/api/chat", { model, messages, options: { ...options, num_predict: count } });
    return count;
  };
const side4 = (model: string) => async (side: Side) => {
  await Promise.all(
    [1, 2, 3, 4].map((seed) =>
      post(side, "/api/generate", { model, prompt: `go on ${String(seed)}`, options: { ...options, seed } }),
    ),
  );
  return 4 * tokens;
};
/** A prompt that no cache holds. */
const read = (model: string, sentences = 60) => {
  let count = 0;
  return async (side: Side) => {
    await post(side, "/api/generate", {
      model,
      prompt: `${String(count++)} ${sentence.repeat(sentences)}`,
      options: { ...options, num_predict: 1 },
    });
    return 1;
  };
};
const embed = (model: string) => async (side: Side) => {
  await post(side, "/api/embed", { model, input: Array.from({ length: 50 }, (_, i) => `text number ${String(i)}`) });
  return 50;
};

/** CPU time is counted in ticks of 10 ms, of which a turn needs many. */
const repeated = (count: number, work: (side: Side) => Promise<number>) => async (side: Side) => {
  let requests = 0;
  for (let i = 0; i < count; i++) requests += await work(side);
  return requests;
};

export async function modelWorks(bench: Bench, sides: Sides): Promise<Work[]> {
  const models = join(bench.folder, "models");
  mkdirSync(models);
  writeRandomGguf(join(models, "tiny.gguf"));
  writeRandomGguf(join(models, "larger.gguf"), {
    layers: 8,
    width: 768,
    heads: 12,
    kvHeads: 4,
    feedForward: 2048,
    vocabulary: 8000,
    trainContext: 4096,
    type: "q4_0",
  });
  const both = await startBoth(bench, sides, "model", ["--model", models, "--no-record-requests"]);
  return [
    onBoth(both, "a streamed token, tiny model", chat("tiny")),
    onBoth(both, "a token beside three others, tiny model", side4("tiny")),
    onBoth(both, "a prompt of 1,000 tokens, tiny model", repeated(12, read("tiny"))),
    onBoth(both, "vectors of 50 texts, tiny model", repeated(12, embed("tiny"))),
    onBoth(both, "a streamed token, larger model", chat("larger", 80)),
    onBoth(both, "a prompt of 250 tokens, larger model", read("larger", 15)),
  ];
}
