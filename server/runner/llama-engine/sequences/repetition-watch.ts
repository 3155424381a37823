/** Whether a model is stuck: it repeats one token, though nothing forces it to. */
import type { LlamaGrammarEvaluationState, LlamaModel, Token } from "node-llama-cpp";

/** The part of node-llama-cpp used here that is not in its public interface. */
interface GrammarInternals {
  readonly _state: unknown;
  readonly _llama: {
    readonly _bindings: {
      readonly AddonSampler: { canBeNextTokenForGrammarEvaluationState?(state: unknown, token: Token): boolean };
    };
  };
}

/** Characters of ASCII by which the choice is judged, each with the one token that it is. */
const characters = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));
const tokensOf = new WeakMap<LlamaModel, ReadonlyMap<string, Token>>();

function singleTokens(model: LlamaModel): ReadonlyMap<string, Token> {
  const known = tokensOf.get(model);
  if (known !== undefined) return known;
  const found = new Map(
    characters.flatMap((character): [string, Token][] => {
      const [token, ...others] = model.tokenize(character, false, "trimLeadingSpace");
      return token === undefined || others.length > 0 ? [] : [[character, token]];
    }),
  );
  tokensOf.set(model, found);
  return found;
}

/** Whether the grammar lets the text go on with another character than the one that `piece` begins with. */
function leavesChoice(grammar: LlamaGrammarEvaluationState, model: LlamaModel, piece: string): boolean {
  const { _state, _llama } = grammar as unknown as GrammarInternals;
  const { AddonSampler } = _llama._bindings;
  return [...singleTokens(model)].some(
    ([character, token]) =>
      !piece.startsWith(character) && AddonSampler.canBeNextTokenForGrammarEvaluationState?.(_state, token) !== false,
  );
}

/** A model that repeats one token this often is stuck. */
const longestRepetition = 30;

/**
 * Takes the newest token with its text and the grammar's state behind it; tells whether the model is stuck. A token that
 * the grammar forced is no sign of that, so each token is judged by the choice that the one before it left.
 */
export function createRepetitionWatch(model: LlamaModel) {
  let last: Token | undefined;
  let count = 0;
  /** Whether the newest token was one of several that could follow. */
  let hadChoice = false;
  return (token: Token, piece: string, grammar: LlamaGrammarEvaluationState | undefined): boolean => {
    count = token === last ? count + 1 : 1;
    last = token;
    const isStuck = count >= longestRepetition && hadChoice;
    hadChoice = count >= longestRepetition - 1 && (grammar === undefined || leavesChoice(grammar, model, piece));
    return isStuck;
  };
}
