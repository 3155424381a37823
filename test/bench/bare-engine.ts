/**
 * The engine without anything around it, as a process that answers its parent's messages: what Hearth's model service is
 * compared with. Arguments: the GGUF file, the window, the threads. Runs with one worker thread, as the runner does.
 */
import { getLlama, LlamaLogLevel } from "node-llama-cpp";

export interface BareWish {
  readonly prompt: string;
  readonly tokens: number;
}
/** Milliseconds to the first token and from there to the last, and how many tokens prompt and answer had. */
export interface BareFigures {
  readonly firstMs: number;
  readonly restMs: number;
  readonly promptTokens: number;
  readonly tokens: number;
}

const [file = "", window = "1024", threads = "1"] = process.argv.slice(2);
const options = { build: "never", skipDownload: true, progressLogs: false } as const;
const llama = await getLlama({ ...options, gpu: false, maxThreads: 0, logLevel: LlamaLogLevel.error });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: Number(window), batchSize: 128, threads: Number(threads) });
const sequence = context.getSequence();

async function generate({ prompt, tokens: wanted }: BareWish): Promise<BareFigures> {
  const { bos } = model.tokens;
  const tokens = [...(bos === null ? [] : [bos]), ...model.tokenize(prompt, true)];
  const began = performance.now();
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
  let firstAt = 0;
  let count = 0;
  for await (const token of sequence.evaluate(tokens.slice(sequence.nextTokenIndex), { temperature: 0 })) {
    if (count++ === 0) firstAt = performance.now();
    model.detokenize([token]);
    if (count === wanted) break;
  }
  return { firstMs: firstAt - began, restMs: performance.now() - firstAt, promptTokens: tokens.length, tokens: count };
}

process.on("message", (wish: BareWish) => void generate(wish).then((figures) => process.send?.(figures)));
process.send?.("ready");
