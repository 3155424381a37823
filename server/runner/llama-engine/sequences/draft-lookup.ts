/**
 * Drafts the continuation of a text from an earlier place with the same tokens, in the prompt or in the answer
 * (prompt-lookup decoding). Copies, quotes and repetitions are predicted without a second model.
 */
export interface DraftLookup<Token> {
  /** How many of the newest tokens match those before the copied position; 0 without such a position. */
  readonly matched: number;
  add(token: Token): void;
  /** At most `most` tokens that may come next. */
  draft(most: number): Token[];
}

/** A position needs this many equal tokens; fewer are often equal by chance. */
const gram = 3;
/** Longer matches count as this long. */
const longestMatch = 64;
const leastSlots = 1024;
const mostSlots = 2 ** 18;

/** Maps tokens, by hash, to the position after their last occurrence. A stale or lost entry only costs a draft. */
function createPlaces(tokens: readonly number[], expected: number) {
  const slots = 2 ** Math.ceil(Math.log2(Math.min(mostSlots, Math.max(leastSlots, 2 * expected))));
  const places = new Uint32Array(slots);
  const slotOf = (end: number) => {
    let hash = 0;
    for (let at = end - gram; at < end; at++) hash = Math.imul(hash ^ (tokens[at] ?? 0), 0x9e37_79b1) ^ (hash >>> 15);
    return (hash >>> 7) & (slots - 1);
  };
  return {
    /** Records the tokens before `end`. */
    set(end: number): void {
      if (end >= gram) places[slotOf(end)] = end;
    },
    /** 0 if there is no position. */
    get: (end: number) => (end < gram ? 0 : (places[slotOf(end)] ?? 0)),
  };
}

export function createDraftLookup<Token extends number>(prompt: readonly Token[]): DraftLookup<Token> {
  const tokens: Token[] = [...prompt];
  const places = createPlaces(tokens, tokens.length);
  for (let end = gram; end < tokens.length; end++) places.set(end);
  /** Position of the expected next token. */
  let source = 0;
  let matched = 0;

  function find(): void {
    source = places.get(tokens.length);
    matched = 0;
    if (source === 0) return;
    while (matched < Math.min(longestMatch, source) && tokens[source - 1 - matched] === tokens.at(-1 - matched))
      matched++;
    if (matched < gram) matched = 0;
  }
  find();

  return {
    get matched() {
      return matched;
    },
    add(token) {
      const isForeseen = matched > 0 && tokens[source] === token;
      places.set(tokens.length);
      tokens.push(token);
      if (isForeseen) {
        source++;
        matched = Math.min(matched + 1, longestMatch);
      } else find();
    },
    draft(most) {
      if (matched === 0) return [];
      const draft: Token[] = [];
      // Past the newest token, the draft continues with its own tokens, as in a text that repeats in a loop.
      for (let at = source; draft.length < most; at++) {
        const token = at < tokens.length ? tokens[at] : draft[at - tokens.length];
        if (token === undefined) break;
        draft.push(token);
      }
      return draft;
    },
  };
}
