/**
 * Turns generated tokens into text, a piece per token. A token may end inside a character: its bytes then wait for the
 * tokens that complete it, so that no piece holds half a character.
 */
export interface TokenText<Token> {
  push(token: Token): string;
  /** What is still waiting when the generation ends; incomplete bytes come out as U+FFFD. */
  rest(): string;
}

/** Text of tokens; `before` is what preceded them, on which the first token's leading space depends. */
export type Detokenize<Token> = (tokens: readonly Token[], before: readonly Token[]) => string;

/** A character has at most four bytes: more tokens than this cannot all be parts of incomplete ones. */
const longestWait = 24;
const contextTokens = 4;

export function createTokenText<Token>(detokenize: Detokenize<Token>, before: readonly Token[]): TokenText<Token> {
  let settled: Token[] = before.slice(-contextTokens);
  let waiting: Token[] = [];
  let given = 0;

  /** Ends the run of waiting tokens: all of its text has been given out. */
  const settle = () => {
    settled = [...settled, ...waiting].slice(-contextTokens);
    waiting = [];
    given = 0;
  };
  return {
    push(token) {
      waiting.push(token);
      const text = detokenize(waiting, settled);
      const complete = text.replace(/�{1,3}$/, "");
      const piece = complete.slice(given);
      if (complete.length === text.length) settle();
      else if (waiting.length >= longestWait) {
        const whole = text.slice(given);
        settle();
        return whole;
      } else given = Math.max(given, complete.length);
      return piece;
    },
    rest() {
      if (waiting.length === 0) return "";
      const text = detokenize(waiting, settled).slice(given);
      settle();
      return text;
    },
  };
}
