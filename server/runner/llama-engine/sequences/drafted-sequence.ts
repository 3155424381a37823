/**
 * Speculative (prompt-lookup) decoding on a sequence of the engine: evaluates drafted tokens together with the newest
 * one and then draws from their logits, token by token. The engine's own code draws each token from its own logits, in
 * the same order and with the same sampler, penalties and grammar as without a draft. The text is therefore the same
 * for any draft.
 *
 * The engine's own token predictors cannot do this: they also draw from the logits of rejected drafts, which advances
 * the random numbers. This module therefore wraps the sequence's internal method `_decodeTokens`. The version of the
 * engine is pinned, and where the method is missing nothing is drafted. A token that cannot be drawn fails only the
 * generation that requested it.
 */
import type { LlamaContextSequence, LlamaModel, Token } from "node-llama-cpp";

/** Draws from the logits at that place of the batch. */
type MapLogits = (batchIndex: number, tokenIndex: number) => unknown;
type DecodeTokens = (
  tokens: Token[],
  logits: (true | undefined)[],
  ...rest: [priority: unknown, meter: unknown, shift: unknown, mapLogits: MapLogits, afterBatch: unknown]
) => Promise<unknown[]>;

export interface DraftedSequence {
  readonly sequence: LlamaContextSequence;
  /** The tokens that the state of the sequence holds. */
  readonly contextTokens: readonly Token[];
  /** Whether drafts are of use with this model; otherwise `propose` does nothing. */
  readonly canDraft: boolean;
  /** The longest draft that fits into the window. */
  readonly room: number;
  /** Adds these tokens to the next evaluation, if that is of a single token. */
  propose(draft: readonly Token[]): void;
  /** Whether this token was drafted, so that its successor can be drawn without an evaluation. */
  isEvaluated(token: Token): boolean;
  /** Removes drafted tokens that were not drawn from the state. Must be called before the next evaluation. */
  dropRest(): Promise<void>;
}

/** Numbers of the tensor types f32, f16, f64 and bf16. */
const floatTypes: readonly number[] = [0, 1, 28, 30];
/** q4_0, q4_1, q5_0, q5_1, q8_0, q5_K, q6_K, iq4_nl. */
const exactTypes: readonly number[] = [2, 3, 6, 7, 8, 13, 14, 20];
/** With the token before them three: the engine's kernels for four rows and more add up q4_K in another order. */
const fewRows = 2;

/**
 * How many drafted tokens have logits equal to the last bit to those of single steps; only then is the text the same.
 * Found by comparing logits on an x86 CPU with AVX-512: none with floating-point weights, a few with any quantized
 * ones, any number with most of these. Nothing was compared on GPUs. Where the state cannot be rolled back, drafts cost
 * too much.
 */
function mostExact(model: LlamaModel, sequence: LlamaContextSequence): number {
  if (model.gpuLayers > 0 || sequence.needsCheckpoints) return 0;
  const tensors = model.fileInfo.fullTensorInfo ?? [];
  const hasOutput = tensors.some(({ name }) => name === "output.weight");
  const types = tensors
    .filter(({ name, dimensions }) => dimensions.length > 1 && !(hasOutput && name === "token_embd.weight"))
    .map(({ ggmlType }) => Number(ggmlType));
  if (types.length === 0 || types.some((type) => floatTypes.includes(type))) return 0;
  return types.every((type) => exactTypes.includes(type)) ? Infinity : fewRows;
}

/** Stands for a token that could not be drawn: the evaluation that asked for it fails. */
const noToken = -1;

/** A failure inside the engine's batch would end the process, because nothing awaits it there. */
const keptFromBatch =
  (mapLogits: MapLogits): MapLogits =>
  (batchIndex, tokenIndex) => {
    const drawn = mapLogits(batchIndex, tokenIndex);
    return drawn instanceof Promise ? drawn.catch(() => noToken) : drawn;
  };

interface Internals {
  _decodeTokens?: DecodeTokens;
}

/** Whether sequences of this class have the engine's internal method, without which nothing is drafted. */
export const hasInternals = (sequenceClass: { readonly prototype: object }): boolean =>
  typeof (sequenceClass.prototype as Internals)._decodeTokens === "function";

export function createDraftedSequence(sequence: LlamaContextSequence): DraftedSequence {
  const internals = sequence as unknown as Internals;
  const decode = internals._decodeTokens?.bind(sequence);
  const most = decode === undefined ? 0 : mostExact(sequence.model, sequence);
  let proposed: readonly Token[] = [];
  /** Drafted tokens that were evaluated, with the place of their logits in the batch. */
  let evaluated: { readonly token: Token; readonly batchIndex: number }[] = [];

  const decodeWithDraft = async (decodeTokens: DecodeTokens, ...call: Parameters<DecodeTokens>): Promise<unknown[]> => {
    const [tokens, asked, priority, meter, shift, mapDrawn, afterBatch] = call;
    const mapLogits = keptFromBatch(mapDrawn);
    const draft = tokens.length === 1 ? proposed : [];
    proposed = [];
    const [next, ...others] = evaluated;
    if (next !== undefined && tokens.length === 1 && tokens[0] === next.token) {
      evaluated = others;
      return [await mapLogits(next.batchIndex, 0)];
    }
    if (draft.length === 0) return decodeTokens(tokens, asked, priority, meter, shift, mapLogits, afterBatch);
    const all = [...tokens, ...draft];
    const drawFirst: MapLogits = (batchIndex, at) => {
      const token = draft[at - 1];
      if (token === undefined) return mapLogits(batchIndex, at);
      evaluated.push({ token, batchIndex });
      return undefined;
    };
    const logits = all.map(() => true as const);
    try {
      const [first] = await decodeTokens(all, logits, priority, meter, shift, drawFirst, afterBatch);
      return [first];
    } catch (error) {
      evaluated = [];
      throw error;
    }
  };
  if (decode !== undefined) internals._decodeTokens = (...call) => decodeWithDraft(decode, ...call);

  return {
    sequence,
    canDraft: most > 0,
    get contextTokens() {
      return sequence.contextTokens;
    },
    get room() {
      // The engine makes room in a window that has one place left.
      return Math.max(0, Math.min(most, sequence.contextSize - 2 - sequence.nextTokenIndex));
    },
    propose(draft) {
      proposed = draft;
    },
    isEvaluated: (token) => evaluated[0]?.token === token,
    async dropRest() {
      proposed = [];
      const { length } = evaluated;
      evaluated = [];
      const end = sequence.nextTokenIndex;
      if (length > 0) await sequence.eraseContextTokenRanges([{ start: end - length, end }]);
    },
  };
}
