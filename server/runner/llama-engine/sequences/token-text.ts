/**
 * Turns generated tokens into text, one piece per token. A token may end inside a character. Its bytes then wait for
 * the tokens that complete the character, so that no piece holds a part of one.
 */
export interface TokenText<Token> {
  /** The text of a token that might come next, by itself. */
  textOf(token: Token): string;
  push(token: Token): string;
  /** The text still waiting when the generation ends; incomplete bytes become U+FFFD. */
  rest(): string;
}

/** Text of tokens. `before` are the preceding tokens; the first token's leading space depends on them. */
export type Detokenize<Token> = (tokens: readonly Token[], before: readonly Token[]) => string;

/** A character has at most four bytes, so more tokens than this cannot all be parts of incomplete characters. */
const longestWait = 24;
const contextTokens = 4;

export function createTokenText<Token>(detokenize: Detokenize<Token>, before: readonly Token[]): TokenText<Token> {
  let settled: Token[] = before.slice(-contextTokens);
  let waiting: Token[] = [];
  let emitted = 0;

  /** Ends the run of waiting tokens: all of its text has been emitted. */
  const settle = () => {
    settled = [...settled, ...waiting].slice(-contextTokens);
    waiting = [];
    emitted = 0;
  };
  return {
    textOf: (token) => detokenize([token], [...settled, ...waiting].slice(-contextTokens)),
    push(token) {
      waiting.push(token);
      const text = detokenize(waiting, settled);
      const complete = text.replace(/�{1,3}$/, "");
      const piece = complete.slice(emitted);
      if (complete.length === text.length) settle();
      else if (waiting.length >= longestWait) {
        const whole = text.slice(emitted);
        settle();
        return whole;
      } else emitted = Math.max(emitted, complete.length);
      return piece;
    },
    rest() {
      if (waiting.length === 0) return "";
      const text = detokenize(waiting, settled).slice(emitted);
      settle();
      return text;
    },
  };
}
