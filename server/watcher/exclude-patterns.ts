/** The regular expressions that leave paths out of a watch. None of them can hold it up, or end it. */
import { createForeignPattern, type ForeignPattern } from "../foreign/foreign-pattern.ts";
import { OutOfTimeError } from "../foreign/within-deadline.ts";
import { SettingsError } from "../process/settings/read-settings.ts";

export interface Exclusion {
  has(path: string): boolean;
  /** What `has` says of each; many at a time cost little more than one. */
  hasEach(paths: readonly string[]): boolean[];
}

export interface ExcludePatternOptions {
  /** How long all patterns together may hold up the watch beyond what they need, more or less. */
  readonly deadlineMs: number;
  /** Told once of each pattern that takes too long, and leaves nothing out from then on. */
  readonly onGivenUp: (pattern: string) => void;
}

/** The deadline halves with each pattern that is given up, but stays long for a pattern that is sound. */
const leastDeadlineMs = 5;

/** @throws SettingsError naming the pattern that is none */
function compile(pattern: string): ForeignPattern {
  try {
    return createForeignPattern(pattern);
  } catch (error) {
    throw new SettingsError(`--exclude: "${pattern}" is not a regular expression (${(error as Error).message})`);
  }
}

/** @throws SettingsError naming the pattern that is none */
export function createExclusion(
  sources: readonly string[],
  { deadlineMs, onGivenUp }: ExcludePatternOptions,
): Exclusion {
  const patterns = new Set(sources.map(compile));
  let patience = deadlineMs;

  /** What `test` says, or `otherwise` when it takes too long. */
  function inTime<T>(test: () => T, otherwise: () => T): T {
    try {
      return test();
    } catch (error) {
      if (error instanceof OutOfTimeError) return otherwise();
      throw error;
    }
  }
  function giveUp(pattern: ForeignPattern): false {
    patterns.delete(pattern);
    patience = Math.max(leastDeadlineMs, patience / 2);
    onGivenUp(pattern.source);
    return false;
  }
  const matches = (pattern: ForeignPattern, path: string) =>
    patterns.has(pattern) &&
    inTime(
      () => pattern.test(path, patience),
      () => giveUp(pattern),
    );
  const slashed = (path: string) => path.replaceAll("\\", "/");

  return {
    has: (path) => [...patterns].some((pattern) => matches(pattern, slashed(path))),
    hasEach(paths) {
      const texts = paths.map(slashed);
      const hits = [...patterns].map((pattern) =>
        inTime(
          () => pattern.testAll(texts, patience),
          // All of them may be too many, and one of them too hard.
          () => texts.map((text) => matches(pattern, text)),
        ),
      );
      return paths.map((_path, at) => hits.some((of) => of[at]));
    },
  };
}
