/** Maps paths to values without testing one pattern after another. */

export interface PathMatch<Value> {
  readonly value: Value;
  /** The path as it is defined. */
  readonly path: string;
  /** Values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/** A segment of a path as it is defined: the text that it must be, or the name of a parameter. */
interface Segment {
  readonly text: string;
  readonly param: string | undefined;
}

interface Pattern<Value> {
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly value: Value;
}

export interface PathOptions {
  /** Ignores case outside of parameters. */
  readonly ignoreCase?: boolean;
  /** Decodes a parameter; by default percent-decoding, which throws a URIError for malformed text. */
  readonly decode?: (text: string) => string;
}

const isParam = (segment: string) => segment.startsWith("{");
const paramOf = (segment: string) =>
  isParam(segment) ? segment.slice(1, segment.endsWith("*}") ? -2 : -1) : undefined;
const unreserved = /[A-Za-z0-9._~-]/;
/** The path in the one form of its percent-encoding (RFC 3986, 6.2.2): `%7e` is `~`, and `%c3` is `%C3`. */
const normalized = (path: string) =>
  path.includes("%")
    ? path.replace(/%[0-9a-f]{2}/gi, (code) => {
        const character = String.fromCharCode(Number(`0x${code.slice(1)}`));
        return unreserved.test(character) ? character : code.toUpperCase();
      })
    : path;
const segmentsOf = (path: string) => path.split("/").slice(1);

/** Number of segments and the first two, which are rarely parameters. */
const keyOf = (segments: readonly string[]) => `${String(segments.length)}/${segments[0] ?? ""}/${segments[1] ?? ""}`;
const looseKey = (segments: readonly string[]) => String(segments.length);

/** Skips decoding if there is nothing to decode, which is faster. */
const percentDecoded = (text: string) => (text.includes("%") ? decodeURIComponent(text) : text);

/** The path without one '/' at its end. */
export const withoutSlash = (path: string) => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

/**
 * Paths without parameters (`/a/b`) are found by a map, the others (`/a/{id}`) by their length and first segments. A
 * literal path takes precedence over one with a parameter, and a parameter is never empty. `/a/{rest*}` matches the
 * whole rest: its parameter may contain slashes.
 */
export function createPathTable<Value>(
  values: Iterable<readonly [path: string, value: Value]>,
  { ignoreCase = false, decode = percentDecoded }: PathOptions = {},
): (path: string) => PathMatch<Value> | undefined {
  const folded = (path: string) => (ignoreCase ? path.toLowerCase() : path);
  const fixed = new Map<string, PathMatch<Value>>();
  const patterns = new Map<string, Pattern<Value>[]>();
  const rests: Pattern<Value>[] = [];
  for (const [path, value] of values) {
    const texts = segmentsOf(normalized(path)).map((segment) => (isParam(segment) ? segment : folded(segment)));
    const segments = texts.map((text) => ({ text, param: paramOf(text) }));
    if (path.endsWith("*}")) rests.push({ path, segments, value });
    else if (texts.some(isParam)) {
      const key = texts.slice(0, 2).some(isParam) ? looseKey(texts) : keyOf(texts);
      patterns.set(key, [...(patterns.get(key) ?? []), { path, segments, value }]);
    } else fixed.set(folded(normalized(path)), { value, path, params: {} });
  }

  function paramsOf(
    pattern: readonly Segment[],
    segments: readonly string[],
    written: readonly string[],
  ): Record<string, string> | undefined {
    const params: Record<string, string> = {};
    for (const [index, { text, param }] of pattern.entries()) {
      const segment = segments[index] ?? "";
      if (param !== undefined && segment !== "") params[param] = decode(written[index] ?? "");
      else if (segment !== text) return undefined;
    }
    return params;
  }

  return (asked) => {
    const path = normalized(asked);
    const found = fixed.get(folded(path));
    if (found) return found;
    const written = segmentsOf(path);
    const segments = ignoreCase ? written.map(folded) : written;
    for (const group of [patterns.get(keyOf(segments)), patterns.get(looseKey(segments))])
      for (const { segments: pattern, value, path } of group ?? []) {
        const params = paramsOf(pattern, segments, written);
        if (params) return { value, path, params };
      }
    for (const { segments: pattern, value, path } of rests) {
      const last = pattern.length - 1;
      const params = paramsOf(pattern, shortened(segments, last), shortened(written, last));
      if (params) return { value, path, params };
    }
    return undefined;
  };
}

/** Joins all segments from `last` on. */
const shortened = (segments: readonly string[], last: number) => [
  ...segments.slice(0, last),
  segments.slice(last).join("/"),
];
