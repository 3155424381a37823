/** How fast models have answered since the service started. */

export interface AnswerSpeeds {
  /** Counts an answer of the model with this digest: its tokens, and the nanoseconds for them. */
  note(digest: string, tokens: number, ns: number): void;
  /** Tokens per second over the newest answers; undefined before the first. */
  of(digest: string): number | undefined;
}

interface Answer {
  readonly tokens: number;
  readonly ns: number;
}

const mostAnswers = 20;
/** The figures of shorter answers say little. */
const fewestTokens = 8;

export function createAnswerSpeeds(): AnswerSpeeds {
  const answers = new Map<string, readonly Answer[]>();
  return {
    note(digest, tokens, ns) {
      if (tokens < fewestTokens || ns <= 0) return;
      answers.set(digest, [...(answers.get(digest) ?? []), { tokens, ns }].slice(-mostAnswers));
    },
    of(digest) {
      const found = answers.get(digest);
      if (!found) return undefined;
      const sum = (figure: keyof Answer) => found.reduce((total, answer) => total + answer[figure], 0);
      return sum("tokens") / (sum("ns") / 1e9);
    },
  };
}
