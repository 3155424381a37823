/** Request targets: the server's own paths with anything in the place of their parameters, and paths of nobody. */
import fc from "fast-check";
import { anyBytes, anyText, knownNames, onOneLine } from "../inputs/texts.ts";

const percentEncoded = anyText.map((text) => {
  try {
    return encodeURIComponent(text);
  } catch {
    return "%F0"; // half of a pair has no encoding
  }
});

/** Bytes that a request line can carry: a blank would end the target. */
const rawSegment = fc
  .oneof(anyText.map(onOneLine), anyBytes)
  // oxlint-disable-next-line no-control-regex -- those that end the target or the line
  .map((text) => text.replaceAll(/[\u0000-\u0020\u007f]/g, ""));

/** A blank, a control character and a byte beyond ASCII are refused before anybody looks at the path: they are few here. */
const segment = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 20 }).map(String) },
  { weight: 6, arbitrary: percentEncoded },
  { weight: 1, arbitrary: rawSegment },
);

/** A path of the server with its parameters filled in, and now and then bent. */
function knownPath(templates: readonly string[]): fc.Arbitrary<string> {
  const bends = fc.constantFrom<(path: string) => string>(
    (path) => `${path}/`,
    (path) => `/${path}`,
    (path) => path.replace(/\/(?=[^/]*$)/, "//"),
    (path) => path.toUpperCase(),
    (path) => `${path}/..`,
    (path) => path.replace("/", "/./"),
    (path) => path.replaceAll("/", "\\"),
    (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    (path) => `http://localhost${path}`,
    (path) => `http://evil.example${path}`,
    (path) => `${path};a=b`,
    (path) => path.slice(1),
  );
  const filled = fc
    .tuple(fc.constantFrom(...templates), fc.infiniteStream(segment))
    .map(([template, values]) => template.replaceAll(/\{\w+\}/g, () => String(values.next().value)));
  return fc.oneof(
    { weight: 6, arbitrary: filled },
    { weight: 1, arbitrary: fc.tuple(filled, bends).map(([path, bend]) => bend(path)) },
  );
}

const unknownPath = fc.oneof(
  fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`),
  fc.array(segment, { maxLength: 3 }).map((segments) => `/api/${segments.join("/")}`),
  fc.array(segment, { maxLength: 3 }).map((segments) => `/swagger/${segments.join("/")}`),
  fc.array(segment, { maxLength: 3 }).map((segments) => `/console/${segments.join("/")}`),
  fc.constantFrom("/", "//", "*", "/%", "/api", "/api/", "/console", "/console/", "/avatars", "//evil.example/%2e%2e"),
  fc.integer({ min: 1_000, max: 20_000 }).map((length) => `/${"a".repeat(length)}`),
);

const queryNames = ["page", "page_size", "q", "sort", "format", "pretty", "token", "access_token", ...knownNames];
const queryValue = fc.oneof(
  { weight: 20, arbitrary: percentEncoded },
  { weight: 20, arbitrary: fc.constantFrom("1", "2", "100", "-title", "title,,id", "true", "id", "+", "a+b") },
  { weight: 1, arbitrary: rawSegment },
);
const queryPair = fc
  .tuple(
    fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...queryNames) }, { weight: 1, arbitrary: rawSegment }),
    queryValue,
  )
  .map(([name, value]) => `${name}=${value}`);

/** A query with its question mark; empty for none. */
export const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant("") },
  { weight: 8, arbitrary: fc.array(queryPair, { minLength: 1, maxLength: 5 }).map((pairs) => `?${pairs.join("&")}`) },
  { weight: 2, arbitrary: fc.array(queryPair, { maxLength: 3 }).map((pairs) => `?&${pairs.join("&&")}`) },
  { weight: 1, arbitrary: rawSegment.map((text) => `?${text}`) },
);

/** Path and query. */
export const target = (templates: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.oneof({ weight: 4, arbitrary: knownPath(templates) }, { weight: 1, arbitrary: unknownPath }), query)
    .map(([path, asked]) => path + asked);

/** A path of the server without bends, for requests whose body is what is tried. */
export const plainTarget = (templates: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...templates), fc.integer({ min: 1, max: 20 }))
    .map(([template, id]) => template.replaceAll(/\{\w+\}/g, String(id)));
