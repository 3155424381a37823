/** The regular expressions that exclude paths from a watch. None of them can stall or end it. */
import { withSlashes } from "../../file-system/with-slashes.ts";
import { createForeignPattern, type ForeignPattern } from "../../foreign/foreign-pattern.ts";
import { OutOfTimeError } from "../../foreign/within-deadline.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";

export interface Exclusion {
  has(path: string): boolean;
  /** The result of `has` for each path; a batch costs little more than one path. */
  hasEach(paths: readonly string[]): boolean[];
}

export interface ExcludePatternOptions {
  /** Approximately how long all patterns together may delay the watch beyond the time that they need. */
  readonly deadlineMs: number;
  /** Called once for each pattern that takes too long. The pattern excludes nothing from then on. */
  readonly onGivenUp: (pattern: string) => void;
}

/** The deadline halves with each pattern that is given up, but always leaves enough time for a sound pattern. */
const leastDeadlineMs = 5;

/** @throws SettingsError naming an invalid pattern */
function compile(pattern: string): ForeignPattern {
  try {
    return createForeignPattern(pattern);
  } catch (error) {
    throw new SettingsError(`--exclude: "${pattern}" is not a regular expression (${(error as Error).message})`);
  }
}

/** @throws SettingsError naming an invalid pattern */
export function createExclusion(
  sources: readonly string[],
  { deadlineMs, onGivenUp }: ExcludePatternOptions,
): Exclusion {
  const patterns = new Set(sources.map(compile));
  let patience = deadlineMs;

  /** The result of `test`, or of `otherwise` if it takes too long. */
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
  return {
    has: (path) => [...patterns].some((pattern) => matches(pattern, withSlashes(path))),
    hasEach(paths) {
      const texts = paths.map(withSlashes);
      const hits = [...patterns].map((pattern) =>
        inTime(
          () => pattern.testAll(texts, patience),
          // The batch as a whole may be too large, or one path too hard: test each path alone.
          () => texts.map((text) => matches(pattern, text)),
        ),
      );
      return paths.map((_path, at) => hits.some((of) => of[at]));
    },
  };
}
