import { posix } from "node:path";
import { createForeignPattern } from "../../foreign/foreign-pattern.ts";
import { OutOfTimeError } from "../../foreign/within-deadline.ts";
import { badRequest } from "../../http/http-error.ts";

const refusal = (index: number, why: string) => badRequest("bad_pattern", why, `exclude.${String(index)}`);

/**
 * Says which of the paths each pattern matches. A pattern can take a time that doubles with each character of a path.
 * @throws HttpError 400 naming the pattern that is none, or that takes too long; what it returns throws the latter, too
 */
function createPatternTest(sources: readonly string[], deadlineMs: number) {
  const patterns = sources.map((source, index) => {
    try {
      return createForeignPattern(source);
    } catch (error) {
      throw refusal(index, `"${source}" is not a regular expression (${(error as Error).message}).`);
    }
  });
  return (paths: readonly string[]): boolean[][] =>
    patterns.map((pattern, index) => {
      try {
        return pattern.testAll(paths, deadlineMs);
      } catch (error) {
        if (!(error instanceof OutOfTimeError)) throw error;
        const advice = "do without a repetition inside a repetition";
        throw refusal(index, `"${pattern.source}" takes too long on some paths: ${advice}.`);
      }
    });
}

const slashed = (path: string) => path.replaceAll("\\", "/");

/** Names that are hard for a pattern that can take long: repetitions of what it speaks of, and then something else. */
const hardNames = (source: string) => [
  ...[...new Set(source.match(/[\p{L}\p{N}]/gu))].map((character) => `${character.repeat(100)}!`),
  "a".repeat(100),
  `${"a".repeat(100)}!`,
  `${"0-".repeat(50)}!`,
  `${"a/".repeat(50)}!`,
  " ".repeat(100),
];

/**
 * What is not told here may still be hard for some path: the watch then does without the pattern.
 * @throws HttpError 400 naming the pattern that is none, or that would hold up the server
 */
export function requireUsablePatterns(patterns: readonly string[], folder: string, deadlineMs: number): void {
  const names = [...new Set(patterns.flatMap(hardNames))];
  createPatternTest(patterns, deadlineMs)(names.map((name) => `${slashed(folder)}/${name}`));
}

/**
 * Tells of each path the first pattern that excludes it, or a folder between `folder` and it; undefined where there is
 * none. The folder itself is never excluded.
 * @throws HttpError 400 naming the pattern that is none; what it returns throws the same for one that takes too long
 */
export function createExclusion(patterns: readonly string[], deadlineMs: number, folder?: string) {
  const test = createPatternTest(patterns, deadlineMs);
  const root = folder === undefined ? undefined : slashed(folder);
  return (paths: readonly string[]): (string | undefined)[] => {
    const chains = paths.map((path) => withFolders(slashed(path), root));
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

/** No file has a longer path, but on Windows by its own doing; all folders of one have a length that is its square. */
const longestPath = 8_192;

/** A path and the folders that it lies in, the outermost first, from below `root`. */
function withFolders(path: string, root: string | undefined): string[] {
  if (path === root) return [];
  const chain = [path];
  if (root === undefined || path.length > longestPath) return chain;
  const prefix = root.endsWith("/") ? root : `${root}/`;
  for (let up = posix.dirname(path); up.length > prefix.length && up.startsWith(prefix); up = posix.dirname(up))
    chain.push(up);
  return chain.reverse();
}
