import { posix } from "node:path";
import { withSlashes } from "../../file-system/with-slashes.ts";
import { createForeignPattern } from "../../foreign/foreign-pattern.ts";
import { OutOfTimeError } from "../../foreign/within-deadline.ts";
import { refuse } from "../../http/http-error.ts";

const fieldOf = (index: number) => ({ field: `exclude.${String(index)}` });

/**
 * Tests paths against every pattern. A pattern can take time that doubles with each character of a path.
 * @throws HttpError 400 naming the invalid pattern; the returned function throws the same for one that takes too long
 */
function createPatternTest(sources: readonly string[], deadlineMs: number) {
  const patterns = sources.map((source, index) => {
    try {
      return createForeignPattern(source);
    } catch (error) {
      throw refuse("folder.notRegex", { pattern: source, problem: (error as Error).message }, fieldOf(index));
    }
  });
  return (paths: readonly string[]): boolean[][] =>
    patterns.map((pattern, index) => {
      try {
        return pattern.testAll(paths, deadlineMs);
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        throw refuse("folder.slow", { pattern: pattern.source }, fieldOf(index));
      }
    });
}

/** Names on which slow patterns take long: repetitions of a character from the pattern, then a different one. */
const hardNames = (source: string) => [
  ...[...new Set(source.match(/[\p{L}\p{N}]/gu))].map((character) => `${character.repeat(100)}!`),
  "a".repeat(100),
  `${"a".repeat(100)}!`,
  `${"0-".repeat(50)}!`,
  `${"a/".repeat(50)}!`,
  " ".repeat(100),
];

/**
 * Tries the patterns on hard names. A pattern that passes may still be slow on other paths; the watch then drops it.
 * @throws HttpError 400 naming the pattern that is invalid or too slow
 */
export function requireUsablePatterns(patterns: readonly string[], folder: string, deadlineMs: number): void {
  const names = [...new Set(patterns.flatMap(hardNames))];
  createPatternTest(patterns, deadlineMs)(names.map((name) => `${withSlashes(folder)}/${name}`));
}

/**
 * Finds the pattern that excludes each path or one of its folders below `folder`; undefined where none does. The folder
 * itself is never excluded.
 * @throws HttpError 400 naming the invalid pattern; the returned function throws the same for one that takes too long
 */
export function createExclusion(patterns: readonly string[], deadlineMs: number, folder?: string) {
  const test = createPatternTest(patterns, deadlineMs);
  const root = folder === undefined ? undefined : withSlashes(folder);
  return (paths: readonly string[]): (string | undefined)[] => {
    const chains = paths.map((path) => withFolders(withSlashes(path), root));
    const all = [...new Set(chains.flat())];
    const excludedBy = new Map<string, string>();
    test(all).forEach((hits, index) => {
      all.forEach((path, at) => {
        if (hits[at] === true && !excludedBy.has(path)) excludedBy.set(path, patterns[index] ?? "");
      });
    });
    return chains.map((chain) => chain.map((path) => excludedBy.get(path)).find((pattern) => pattern !== undefined));
  };
}

/** The paths of all folders above a file together grow with the square of its length. Only Windows allows longer paths. */
const longestPath = 8_192;

/** A path and its folders below `root`, the outermost first. */
function withFolders(path: string, root: string | undefined): string[] {
  if (path === root) return [];
  const chain = [path];
  if (root === undefined || path.length > longestPath) return chain;
  const prefix = root.endsWith("/") ? root : `${root}/`;
  for (let up = posix.dirname(path); up.length > prefix.length && up.startsWith(prefix); up = posix.dirname(up))
    chain.push(up);
  return chain.reverse();
}
