/**
 * The engine without anything around it, as a process that answers its parent's messages: what Hearth's model service is
 * compared with. Arguments: the GGUF file, the window, the threads. Runs with one worker thread, as the runner does.
 */
import { getLlama, LlamaLogLevel } from "node-llama-cpp";
import type { Figures } from "./read-stream.ts";

export interface BareWish {
  readonly prompt: string;
  readonly tokens: number;
}

const [file = "", window = "1024", threads = "1"] = process.argv.slice(2);
const options = { build: "never", skipDownload: true, progressLogs: false } as const;
const llama = await getLlama({ ...options, gpu: false, maxThreads: 0, logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: Number(window), batchSize: 128, threads: Number(threads) });
const sequence = context.getSequence();

async function generate({ prompt, tokens: wanted }: BareWish): Promise<Figures> {
  const { bos } = model.tokens;
  const tokens = [...(bos === null ? [] : [bos]), ...model.tokenize(prompt, true)];
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

process.on("message", (wish: BareWish) => void generate(wish).then((figures) => process.send?.(figures)));
process.send?.("ready");
