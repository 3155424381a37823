/** Vectors of texts and scores of documents, on contexts of their own beside that of the generations. */
import type { LlamaModel, Token } from "node-llama-cpp";
import type { RunnerEmbed, RunnerEmbedded, RunnerRank, RunnerRanked } from "../../contract/model/runner.ts";
import { RunnerFailure } from "../runner-failure.ts";
import { firstTokens } from "./tokenize.ts";
import { createTurnLock } from "./turn-lock.ts";

export interface EmbeddingsOptions {
  readonly model: LlamaModel;
  /** Tokens of the window. */
  readonly contextSize: number;
  readonly threads: number;
  /** Makes a context without the limit that the number of threads has at the moment. */
  readonly unlimited: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** Rejects with RunnerFailure out_of_memory when a context of so many tokens does not fit. */
  readonly checkMemory: (contextSize: number) => Promise<void>;
}

/** Tokens that the engine puts around a text on its own: one at the beginning, one at the end. */
const ownTokens = 2;

/** A text is evaluated in one batch, since the pooling of its tokens needs them together: memory grows with it. */
const longestText = 8192;

/** By how many tokens windows grow: memory grows with the window, and most texts are short. */
const windowStep = 256;

/** A context that is made at the first use, since most models are never asked, and anew for a text that it is too small for. */
function createGrowingContext<Context extends { dispose(): Promise<void> }>(
  make: (contextSize: number) => Promise<Context>,
  largest: number,
) {
  let held: { readonly size: number; readonly context: Context } | undefined;
  async function dispose(): Promise<void> {
    const before = held;
    held = undefined;
    await before?.context.dispose();
  }
  return {
    dispose,
    /** One that has room for so many tokens. */
    async holding(tokens: number): Promise<Context> {
      const size = Math.min(Math.ceil(tokens / windowStep) * windowStep, largest);
      if (held !== undefined && held.size >= size) return held.context;
      await dispose();
      held = { size, context: await make(size) };
      return held.context;
    },
  };
}

export function createEmbeddings({ model, contextSize: window, threads, ...machine }: EmbeddingsOptions) {
  const turns = createTurnLock();
  const contextSize = Math.min(window, longestText);

  const growing = <Context extends { dispose(): Promise<void> }>(
    make: (shape: { contextSize: number; batchSize: number; threads: number }) => Promise<Context>,
  ) =>
    createGrowingContext(async (size) => {
      await machine.checkMemory(size);
      return machine.unlimited(() => make({ contextSize: size, batchSize: size, threads }));
    }, contextSize);
  const embedding = growing((shape) => model.createEmbeddingContext(shape));
  const ranking = growing((shape) => model.createRankingContext(shape));

  /** Runs when all earlier ones are done. */
  async function inTurn<Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> {
    const pass = await turns.take();
    try {
      signal.throwIfAborted();
      return await run();
    } finally {
      pass();
    }
  }

  async function fit(
    text: string,
    { overflow, window: asked = contextSize }: RunnerEmbed,
    signal: AbortSignal,
  ): Promise<Token[]> {
    const size = Math.min(contextSize, asked);
    const room = Math.max(1, size - 1 - ownTokens);
    const tokens = await firstTokens(model, text, { special: true, most: room, signal });
    if (tokens.length <= room) return tokens;
    if (overflow === "refuse")
      throw new RunnerFailure(
        "prompt_too_long",
        `the text has ${String(tokens.length)} tokens or more, the context length is ${String(size)}`,
      );
    return tokens.slice(0, room);
  }

  /** Query and document are tokenized at once, so neither may be long. @throws RunnerFailure prompt_too_long */
  async function mustFit(text: string, signal: AbortSignal): Promise<void> {
    const { length } = await firstTokens(model, text, { special: false, most: contextSize, signal });
    signal.throwIfAborted();
    if (length > contextSize) throw rankTooLong(length);
  }
  const rankTooLong = (length: number) =>
    new RunnerFailure(
      "prompt_too_long",
      `query and document have ${String(length)} tokens or more, the context length is ${String(contextSize)}`,
    );

  return {
    /** @throws RunnerFailure; the signal's reason when aborted, which is felt between two texts. */
    embed: (request: RunnerEmbed, signal: AbortSignal): Promise<RunnerEmbedded> =>
      inTurn(signal, async () => {
        const inputs: Token[][] = [];
        for (const text of request.texts) inputs.push(await fit(text, request, signal));
        const longest = inputs.reduce((most, { length }) => Math.max(most, length), 0);
        const context = await embedding.holding(longest + ownTokens + 1);
        const embeddings: number[][] = [];
        const tokens: number[] = [];
        for (const input of inputs) {
          signal.throwIfAborted();
          // The engine puts its own tokens into the array that it is given.
          tokens.push(context.calculateInputLength([...input]));
          embeddings.push([...(await context.getEmbeddingFor([...input])).vector]);
        }
        return { embeddings, tokens };
      }),

    /** @throws RunnerFailure not_supported; the signal's reason when aborted, which is felt between two documents. */
    rank: ({ query, documents }: RunnerRank, signal: AbortSignal): Promise<RunnerRanked> =>
      inTurn(signal, async () => {
        if (!model.fileInsights.supportsRanking)
          throw new RunnerFailure("not_supported", "this model cannot rank documents");
        await mustFit(query, signal);
        const scores: number[] = [];
        let tokens = 0;
        for (const document of documents) {
          await mustFit(document, signal);
          const length = (await ranking.holding(windowStep)).calculateInputLength(query, document);
          if (length >= contextSize) throw rankTooLong(length);
          tokens += length;
          scores.push(await (await ranking.holding(length + 1)).rank(query, document));
        }
        return { scores, tokens };
      }),

    /** Waits for what is under way. */
    async dispose(): Promise<void> {
      const pass = await turns.take();
      try {
        await embedding.dispose();
        await ranking.dispose();
      } finally {
        pass();
      }
    },
  };
}
export type Embeddings = ReturnType<typeof createEmbeddings>;
