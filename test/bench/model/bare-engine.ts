/**
 * The engine without anything around it, as a process that answers its parent's messages: what Hearth's model service is
 * compared with. Arguments: the GGUF file, the window, the threads, the sequences. Runs with one worker thread, as the
 * runner does.
 */
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
import { inOrder } from "../../../server/runner/llama-engine/sequences/sequences.ts";
import type { Figures } from "./read-stream.ts";

export interface BareRequest {
  /** One, or one for each sequence, which are then generated side by side. */
  readonly prompts: readonly string[];
  readonly tokens: number;
}

const [file = "", window = "1024", threads = "1", count = "1"] = process.argv.slice(2);
const options = { build: "never", skipDownload: true, progressLogs: false } as const;
const llama = await getLlama({ ...options, gpu: false, maxThreads: 0, logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({
  contextSize: Number(window),
  batchSize: 128,
  threads: Number(threads),
  sequences: Number(count),
  batching: { itemPrioritizationStrategy: inOrder },
});
const sequences = Array.from({ length: Number(count) }, () => context.getSequence());
const [sequence = context.getSequence()] = sequences;

function tokensOf(prompt: string) {
  const { bos } = model.tokens;
  return [...(bos === null ? [] : [bos]), ...model.tokenize(prompt, true)];
}

async function generate(prompt: string, wanted: number): Promise<Figures> {
  const tokens = tokensOf(prompt);
  const began = performance.now();
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
  let [firstAt, lastAt, count, longestMs] = [0, 0, 0, 0];
  for await (const token of sequence.evaluate(tokens.slice(sequence.nextTokenIndex), { temperature: 0 })) {
    const now = performance.now();
    if (count++ === 0) firstAt = now;
    else longestMs = Math.max(longestMs, now - lastAt);
    lastAt = now;
    model.detokenize([token]);
    if (count === wanted) break;
  }
  return {
    firstMs: firstAt - began,
    restMs: performance.now() - firstAt,
    longestMs,
    tokens: count,
    promptTokens: tokens.length,
  };
}

const priorities = [5, 4, 3, 2] as const;

/** A token of each at a time. */
async function generateTogether(
  prompts: readonly string[],
  wanted: number,
): Promise<Pick<Figures, "restMs" | "tokens">> {
  await Promise.all(sequences.map((one) => one.clearHistory()));
  const began = performance.now();
  const runs = sequences.map((one, at) =>
    one.evaluate(tokensOf(prompts[at] ?? ""), { temperature: 0, evaluationPriority: priorities[at] ?? 1 }),
  );
  for (let round = 0; round < wanted; round++) {
    const drawn = await Promise.all(runs.map((run) => run.next()));
    for (const token of drawn) if (token.done !== true) model.detokenize([token.value]);
  }
  const restMs = performance.now() - began;
  for (const run of runs) await run.return();
  return { restMs, tokens: prompts.length * wanted };
}

process.on("message", ({ prompts, tokens }: BareRequest) => {
  const [prompt = ""] = prompts;
  const generated = prompts.length > 1 ? generateTogether(prompts, tokens) : generate(prompt, tokens);
  void generated.then((figures) => process.send?.(figures));
});
process.send?.("ready");
