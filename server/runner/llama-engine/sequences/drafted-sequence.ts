/**
 * Lets a sequence of the engine evaluate guessed tokens together with the newest one, and draw from their logits
 * afterwards, token by token. Each token is drawn by the engine's own code from its own logits, in the same order and in
 * the same state of sampler, penalties and grammar as without guesses: so the text is the same, whatever was guessed.
 *
 * The engine's own token predictors are of no use for that: they draw from the logits of refuted guesses, too, which
 * moves the random numbers on. Hence this stands between a sequence and its internal method `_decodeTokens`; the version
 * of the engine is pinned, and where the method is missing nothing is guessed. It also keeps a token that cannot be drawn
 * to the generation that has asked for it.
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
  /** What the sequence's state holds. */
  readonly contextTokens: readonly Token[];
  /** Whether guesses are of any use with this model; without, `propose` does nothing. */
  readonly canDraft: boolean;
  /** Tokens that may be guessed at a time, before the window is full. */
  readonly room: number;
  /** The next evaluation, if it is of a single token, takes these along. */
  propose(draft: readonly Token[]): void;
  /** Whether this token was guessed, so that the one behind it can be drawn without an evaluation. */
  isEvaluated(token: Token): boolean;
  /** Takes what was guessed and not drawn out of the sequence's state. To be called before anything else is evaluated. */
  dropRest(): Promise<void>;
}

/** Numbers of the tensor types f32, f16, f64 and bf16. */
const floatTypes: readonly number[] = [0, 1, 28, 30];
/** q4_0, q4_1, q5_0, q5_1, q8_0, q5_K, q6_K, iq4_nl. */
const exactTypes: readonly number[] = [2, 3, 6, 7, 8, 13, 14, 20];
/** With the token before them three: the engine's kernels for four rows and more add up q4_K in another order. */
const fewRows = 2;

/**
 * How many guesses are evaluated to the last bit as tokens one by one; only so is the text the same. Found by comparing
 * logits on an x86 CPU with AVX-512: none with floating-point weights, a few with any quantized ones, any number with
 * most of these. On GPUs nothing was compared, and where the state cannot be rolled back guesses are too dear.
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

/** What the engine takes for a token that could not be drawn: the evaluation that asked for it fails. */
const noToken = -1;

/** A failure within the engine's batch would end the process, since nobody waits for it there, and all that is in it. */
const keptFromBatch =
  (mapLogits: MapLogits): MapLogits =>
  (batchIndex, tokenIndex) => {
    const drawn = mapLogits(batchIndex, tokenIndex);
    return drawn instanceof Promise ? drawn.catch(() => noToken) : drawn;
  };

export function createDraftedSequence(sequence: LlamaContextSequence): DraftedSequence {
  const internals = sequence as unknown as { _decodeTokens?: DecodeTokens };
  const decode = internals._decodeTokens?.bind(sequence);
  const most = decode === undefined ? 0 : mostExact(sequence.model, sequence);
  let proposed: readonly Token[] = [];
  /** Guessed tokens that have been evaluated, and where in the batch the logits behind them are. */
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
