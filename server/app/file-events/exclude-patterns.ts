import { posix } from "node:path";
import { createContext, Script } from "node:vm";
import { badRequest } from "../../http/http-error.ts";

/** @throws HttpError 400 naming the pattern that is no regular expression */
function compile(patterns: readonly string[]): RegExp[] {
  return patterns.map((pattern, index) => {
    try {
      return new RegExp(pattern);
    } catch (error) {
      throw badRequest(
        "bad_pattern",
        `"${pattern}" is not a regular expression (${(error as Error).message}).`,
        `exclude.${String(index)}`,
      );
    }
  });
}

/** All tests of one pattern together. */
const withinMs = 200;
const script = new Script("paths.map((path) => expression.test(path))");

/**
 * Says which of the paths each pattern matches. A pattern can take time that doubles with each character of a path, in
 * which the process does nothing else; only code in a context of its own can be stopped.
 * @throws HttpError 400 naming the pattern that is none, or that takes too long
 */
function createPatternTest(patterns: readonly string[]) {
  const expressions = compile(patterns);
  const globals: { paths?: readonly string[]; expression?: RegExp } = {};
  const context = createContext(globals);
  return (paths: readonly string[]): boolean[][] =>
    expressions.map((expression, index) => {
      Object.assign(globals, { paths, expression });
      try {
        return script.runInContext(context, { timeout: withinMs }) as boolean[];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
        throw badRequest(
          "bad_pattern",
          `"${expression.source}" takes too long on some paths: do without a repetition inside a repetition.`,
          `exclude.${String(index)}`,
        );
      }
    });
}

const slashed = (path: string) => path.replaceAll("\\", "/");

/** Names that are hard for a pattern that can take long. */
const hardNames = [
  "a".repeat(100),
  `${"a".repeat(100)}!`,
  `${"0-".repeat(50)}!`,
  `${"a/".repeat(50)}!`,
  " ".repeat(100),
];

/** @throws HttpError 400 naming the pattern that is none, or that would hold up the server */
export function requireUsablePatterns(patterns: readonly string[], folder: string): void {
  createPatternTest(patterns)(hardNames.map((name) => `${slashed(folder)}/${name}`));
}

/**
 * Tells of each path the first pattern that excludes it, or a folder between `folder` and it; undefined where there is
 * none. The folder itself is never excluded.
 * @throws HttpError 400 naming the pattern that is none; what it returns throws the same for one that takes too long
 */
export function createExclusion(patterns: readonly string[], folder?: string) {
  const test = createPatternTest(patterns);
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

/** A path and the folders that it lies in, the outermost first, from below `root`. */
function withFolders(path: string, root: string | undefined): string[] {
  if (path === root) return [];
  const chain = [path];
  if (root === undefined) return chain;
  const prefix = root.endsWith("/") ? root : `${root}/`;
  for (let up = posix.dirname(path); up.length > prefix.length && up.startsWith(prefix); up = posix.dirname(up))
    chain.unshift(up);
  return chain;
}
