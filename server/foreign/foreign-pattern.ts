/** A regular expression that a stranger wrote: it may take a time that doubles with each character of the text. */
import { withinDeadline } from "./within-deadline.ts";

export interface ForeignPattern {
  readonly source: string;
  /** @throws OutOfTimeError */
  test(text: string, deadlineMs: number): boolean;
  /** What `test` says of each, all of them within one deadline. @throws OutOfTimeError */
  testAll(texts: readonly string[], deadlineMs: number): boolean[];
}

/** A test of so few steps takes some ms at most, and is done without a deadline, which costs more than most tests do. */
const fewSteps = 2_000_000;

/**
 * How many steps a test takes at most, told from the pattern's form: every way through it is tried from every place of the
 * text. Characters count as repetitions and choices even where they are none; a repeated group has no bound.
 */
function stepsOf(source: string): (length: number) => number {
  const count = (characters: RegExp) => source.match(characters)?.length ?? 0;
  const repetitions = count(/[*+{]/g);
  const ways = 2 ** count(/[|?]/g);
  if (/\)[*+{]/.test(source)) return () => Infinity;
  return (length) => (length + source.length) * (length + 1) ** (repetitions + 1) * ways;
}

/** In characters (our choice): the engine finds only at the first test that one is too large, which takes it long, too. */
const longestSource = 2_000;

/** @throws SyntaxError for what is no regular expression, or a very long one */
export function createForeignPattern(source: string, flags = ""): ForeignPattern {
  if (source.length > longestSource) throw new SyntaxError(`it has more than ${String(longestSource)} characters`);
  const expression = new RegExp(source, flags);
  const steps = stepsOf(source);
  return {
    source,
    test: (text, deadlineMs) =>
      steps(text.length) <= fewSteps ? expression.test(text) : withinDeadline(deadlineMs, () => expression.test(text)),
    testAll: (texts, deadlineMs) => withinDeadline(deadlineMs, () => texts.map((text) => expression.test(text))),
  };
}
