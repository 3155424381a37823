/** A regular expression from an untrusted source: its time may double with each character of the text. */
import { withinDeadline } from "./within-deadline.ts";

export interface ForeignPattern {
  readonly source: string;
  /** @throws OutOfTimeError */
  test(text: string, deadlineMs: number): boolean;
  /** The result of `test` for each text, all within one deadline. @throws OutOfTimeError */
  testAll(texts: readonly string[], deadlineMs: number): boolean[];
  /** The first text that matches; the deadline is for those that may take long. @throws OutOfTimeError */
  find(texts: readonly string[], deadlineMs: number): string | undefined;
}

/** A test of at most this many steps takes a few ms. It runs without a deadline, which costs more than most tests. */
const fewSteps = 2_000_000;

/**
 * An upper bound for the steps of a test, from the pattern's form: every alternative is tried at every position.
 * Characters count as repetitions and alternatives even where they are literal; a repeated group has no bound.
 */
function stepsOf(source: string): (length: number) => number {
  const count = (characters: RegExp) => source.match(characters)?.length ?? 0;
  const repetitions = count(/[*+{]/g);
  const ways = 2 ** count(/[|?]/g);
  if (/\)[*+{]/.test(source)) return () => Infinity;
  return (length) => (length + source.length) * (length + 1) ** (repetitions + 1) * ways;
}

/** In characters (our choice). The engine rejects a larger pattern only at the first test, and slowly. */
const longestSource = 2_000;

/** @throws SyntaxError for an invalid or very long regular expression */
export function createForeignPattern(source: string, flags = ""): ForeignPattern {
  if (source.length > longestSource) throw new SyntaxError(`it has more than ${String(longestSource)} characters`);
  const expression = new RegExp(source, flags);
  const steps = stepsOf(source);
  const isMatch = (text: string) => expression.test(text);
  return {
    source,
    test: (text, deadlineMs) =>
      steps(text.length) <= fewSteps ? isMatch(text) : withinDeadline(deadlineMs, () => isMatch(text)),
    testAll: (texts, deadlineMs) => withinDeadline(deadlineMs, () => texts.map(isMatch)),
    find(texts, deadlineMs) {
      let left = fewSteps;
      for (const [index, text] of texts.entries()) {
        left -= steps(text.length);
        if (left < 0) return withinDeadline(deadlineMs, () => texts.slice(index).find(isMatch));
        if (isMatch(text)) return text;
      }
      return undefined;
    },
  };
}
