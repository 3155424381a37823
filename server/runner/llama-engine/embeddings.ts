/** Computes vectors of texts and scores of documents, on their own contexts beside the one for generations. */
import type { LlamaModel, Token } from "node-llama-cpp";
import { createTurns } from "../../process/create-turns.ts";
import type { RunnerEmbed, RunnerEmbedded, RunnerRank, RunnerRanked } from "../../contract/model/runner.ts";
import { RunnerFailure } from "../runner-failure.ts";
import { firstTokens } from "./tokenize.ts";

export interface EmbeddingsOptions {
  readonly model: LlamaModel;
  /** Size of the window in tokens. */
  readonly contextSize: number;
  readonly threads: number;
  /** Creates a context without the current limit on the number of threads. */
  readonly unlimited: <Result>(run: () => Promise<Result>) => Promise<Result>;
  /** Rejects with RunnerFailure out_of_memory when a context of this many tokens does not fit. */
  readonly checkMemory: (contextSize: number) => Promise<void>;
}

/** Tokens that the engine adds around a text: one at the beginning, one at the end. */
const ownTokens = 2;

/**
 * Windows grow in steps of this many tokens: a text is evaluated in one batch, because pooling needs all of its tokens,
 * memory grows with the batch, and most texts are short.
 */
const windowStep = 256;

/** The tokens evaluated for a text without any, for which the engine has no vector. @throws RunnerFailure bad_request */
function tokenOfNothing({ tokens: { bos, eos, sep } }: LlamaModel): Token {
  const token = bos ?? eos ?? sep;
  if (token !== null) return token;
  throw new RunnerFailure("bad_request", "this model does not support empty texts: omit them");
}

/** A context that is created on first use, because most models never need one, and re-created for a longer text. */
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
    /** A context with room for this many tokens. */
    async holding(tokens: number): Promise<Context> {
      const size = Math.min(Math.ceil(tokens / windowStep) * windowStep, largest);
      if (held !== undefined && held.size >= size) return held.context;
      await dispose();
      held = { size, context: await make(size) };
      return held.context;
    },
  };
}

export function createEmbeddings({ model, contextSize, threads, ...machine }: EmbeddingsOptions) {
  const inTurn = createTurns();

  const growing = <Context extends { dispose(): Promise<void> }>(
    make: (shape: { contextSize: number; batchSize: number; threads: number }) => Promise<Context>,
  ) =>
    createGrowingContext(async (size) => {
      await machine.checkMemory(size);
      return machine.unlimited(() => make({ contextSize: size, batchSize: size, threads }));
    }, contextSize);
  const embedding = growing((shape) => model.createEmbeddingContext(shape));
  const ranking = growing((shape) => model.createRankingContext(shape));

  /** Runs after all earlier calls have finished. */
  const exclusively = <Result>(signal: AbortSignal, run: () => Promise<Result>): Promise<Result> =>
    inTurn(() => {
      signal.throwIfAborted();
      return run();
    });

  async function fit(
    text: string,
    { overflow, window: asked = contextSize }: RunnerEmbed,
    signal: AbortSignal,
  ): Promise<Token[]> {
    const size = Math.min(contextSize, asked);
    const room = Math.max(1, size - 1 - ownTokens);
    const tokens = await firstTokens(model, text, { special: true, most: room, signal });
    if (tokens.length === 0) return [tokenOfNothing(model)];
    if (tokens.length <= room) return tokens;
    if (overflow === "refuse")
      throw new RunnerFailure(
        "prompt_too_long",
        `the text has ${String(tokens.length)} tokens or more, the context length is ${String(size)}`,
      );
    return tokens.slice(0, room);
  }

  /** Query and document are tokenized together, so neither may be long. @throws RunnerFailure prompt_too_long */
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
    /** @throws RunnerFailure; the signal's reason when aborted, which takes effect between texts. */
    embed: (request: RunnerEmbed, signal: AbortSignal): Promise<RunnerEmbedded> =>
      exclusively(signal, async () => {
        const inputs: Token[][] = [];
        for (const text of request.texts) inputs.push(await fit(text, request, signal));
        const longest = inputs.reduce((most, { length }) => Math.max(most, length), 0);
        const context = await embedding.holding(longest + ownTokens + 1);
        const embeddings: number[][] = [];
        const tokens: number[] = [];
        for (const input of inputs) {
          signal.throwIfAborted();
          // The engine adds its own tokens to the array that it is given.
          tokens.push(context.calculateInputLength([...input]));
          embeddings.push([...(await context.getEmbeddingFor([...input])).vector]);
        }
        return { embeddings, tokens };
      }),

    /** @throws RunnerFailure not_supported; the signal's reason when aborted, which takes effect between documents. */
    rank: ({ query, documents }: RunnerRank, signal: AbortSignal): Promise<RunnerRanked> =>
      exclusively(signal, async () => {
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

    /** Waits for the call in progress. */
    dispose: (): Promise<void> =>
      inTurn(async () => {
        await embedding.dispose();
        await ranking.dispose();
      }),
  };
}
export type Embeddings = ReturnType<typeof createEmbeddings>;
